import { z } from 'zod';
import { type Config, config } from '../config.ts';
import { settingKeys, settingTable } from '../settings/table.ts';
import { type Columns, readOne, write } from './engine/database.ts';

type Told = Pick<Config, 'fixedSettings'>;

/** What is fixed by the environment of the server that started last. */
type OperatorSettings = Told & { startedAt: Date };

const values = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);

const upsert = `
  INSERT INTO operator_settings (id, profile, fixed, started_at) VALUES (1, :profile, :fixed, :now)
  ON CONFLICT (id) DO UPDATE SET profile = :profile, fixed = :fixed, started_at = :now`;

/**
 * Notes the environment of a server that starts, so that a process in another environment can look
 * up what the server was told.
 */
export async function noteOperatorSettings(now: Date): Promise<void> {
  const { fixedSettings } = config();
  const profile = fixedSettings.profile ?? 'interface';
  await write(upsert, { profile, fixed: JSON.stringify(fixedSettings), now });
}

/** What the server that started last on this database was told, or null. */
export async function findOperatorSettings(): Promise<OperatorSettings | null> {
  const row = await readOne<Columns<'operator_settings'>>(
    'SELECT profile, fixed, started_at FROM operator_settings',
    {},
  );
  if (!row) return null;
  const fixed = values.parse(JSON.parse(row.fixed)) as Told['fixedSettings'];
  // Before the profile was a setting, it had a column of its own.
  const profile = row.profile === 'strict' ? { profile: 'strict' as const } : {};
  return { fixedSettings: { ...profile, ...fixed }, startedAt: row.startedAt };
}

/**
 * Makes this process use what the server that started last was told. Gives when that was, and the
 * names of the settings for which this process's own environment differs; null if there was no
 * server.
 */
export async function adoptOperatorSettings(): Promise<{
  startedAt: Date;
  differing: string[];
} | null> {
  const found = await findOperatorSettings();
  if (!found) return null;
  const { startedAt, ...told } = found;
  const own = config();
  const differing = namesThatDiffer(own.fixedSettings, told.fixedSettings);
  Object.assign(own, told);
  return { startedAt, differing };
}

function namesThatDiffer(one: Told['fixedSettings'], other: Told['fixedSettings']): string[] {
  return settingKeys
    .filter((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key]))
    .map((key) => settingTable[key].name);
}
