import { z } from 'zod';
import { type Config, config } from '../config.ts';
import { accountSettingTable } from '../identity/account-settings.ts';
import { settingTable } from '../oauth/settings.ts';
import { date, readOne, write } from './database.ts';

type Told = Pick<Config, 'profile' | 'fixedSettings' | 'fixedAccountSettings'>;

/** What the environment of the server that started last decides. */
export type OperatorSettings = Told & { startedAt: Date };

const values = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);
const fixed = z.object({ settings: values, account: values });

const upsert = `
  INSERT INTO operator_settings (id, profile, fixed, started_at) VALUES (1, $1, $2, $3)
  ON CONFLICT (id) DO UPDATE SET profile = $1, fixed = $2, started_at = $3`;

/** A server starts: whoever asks from another environment can learn what it was told in its own. */
export async function noteOperatorSettings(now: Date): Promise<void> {
  const { profile, fixedSettings: settings, fixedAccountSettings: account } = config();
  await write(upsert, [profile, JSON.stringify({ settings, account }), now]);
}

/** What the server was told that started last on this database, or null. */
export async function findOperatorSettings(): Promise<OperatorSettings | null> {
  const row = await readOne('SELECT profile, fixed, started_at FROM operator_settings', []);
  if (!row) return null;
  const { settings, account } = fixed.parse(JSON.parse(String(row.fixed)));
  return {
    profile: row.profile === 'strict' ? 'strict' : 'interface',
    fixedSettings: settings as Told['fixedSettings'],
    fixedAccountSettings: account as Told['fixedAccountSettings'],
    startedAt: date(row.started_at),
  };
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
  const differing = [
    ...(own.profile === told.profile ? [] : ['SECURITY_PROFILE']),
    ...namesThatDiffer(settingTable, own.fixedSettings, told.fixedSettings),
    ...namesThatDiffer(accountSettingTable, own.fixedAccountSettings, told.fixedAccountSettings),
  ];
  Object.assign(own, told);
  return { startedAt, differing };
}

function namesThatDiffer<K extends string>(
  table: Record<K, { name: string }>,
  one: Partial<Record<K, unknown>>,
  other: Partial<Record<K, unknown>>,
): string[] {
  const keys = Object.keys(table) as K[];
  return keys
    .filter((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key]))
    .map((key) => table[key].name);
}
