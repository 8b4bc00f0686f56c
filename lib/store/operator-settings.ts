import { z } from 'zod';
import { type Config, config } from '../config.ts';
import { settingKeys, settingTable } from '../settings/table.ts';
import { type Columns, readOne, write } from './engine/database.ts';

type Told = Pick<Config, 'fixedSettings'>;

/** What the environment of the server that started last decides. */
type OperatorSettings = Told & { startedAt: Date };

const values = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);

const upsert = `
  INSERT INTO operator_settings (id, profile, fixed, started_at) VALUES (1, :profile, :fixed, :now)
  ON CONFLICT (id) DO UPDATE SET profile = :profile, fixed = :fixed, started_at = :now`;

/** A server starts: whoever asks from another environment can learn what it was told in its own. */
export async function noteOperatorSettings(now: Date): Promise<void> {
  const { fixedSettings } = config();
  const profile = fixedSettings.profile ?? 'interface';
  await write(upsert, { profile, fixed: JSON.stringify(fixedSettings), now });
}

/** What the server was told that started last on this database, or null. */
export async function findOperatorSettings(): Promise<OperatorSettings | null> {
  const row = await readOne<Columns<'operator_settings'>>(
    'SELECT profile, fixed, started_at FROM operator_settings',
    {},
  );
  if (!row) return null;
  const fixed = values.parse(JSON.parse(row.fixed)) as Told['fixedSettings'];
  // Before the profile was a setting, it stood beside the others.
  const profile = row.profile === 'strict' ? { profile: 'strict' as const } : {};
  return { fixedSettings: { ...profile, ...fixed }, startedAt: row.startedAt };
}

/**
 * Makes this process go by what the server that started last was told. Gives when that was, and
 * what this process's own environment says otherwise, by name; null when there was no server.
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
