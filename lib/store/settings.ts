import { config } from '../config.ts';
import { once } from '../once.ts';
import {
  findSettingKey,
  parseAdminSetting,
  parseSetting,
  resolveSettings,
  type SettingKey,
  SettingRefused,
  type Settings,
  settingTable,
} from '../settings/table.ts';
import { type AuditEntry, auditing } from './audit.ts';
import { type Columns, read, type Statement, writeTogether } from './database.ts';
import { RevisionCache, raising, readRevision } from './revision.ts';

const cache = () => once('cache.settings', () => new RevisionCache<Settings>(1));

/** The settings in force at a revision. */
export function settingsAt(revision: number): Promise<Settings> {
  return cache().get('all', revision, loadSettings);
}

/** The settings in force now. */
export async function readSettings(): Promise<Settings> {
  return settingsAt(await readRevision());
}

async function loadSettings(): Promise<Settings> {
  const { profile, fixedSettings } = config();
  return resolveSettings(profile, fixedSettings, await storedSettings());
}

/** The stored settings, whether or not the environment overrides them. */
export async function storedSettings(): Promise<Partial<Settings>> {
  const known = (
    await read<Columns<'settings', 'name' | 'value'>>('SELECT name, value FROM settings', [])
  ).flatMap((row) => {
    const key = findSettingKey(row.name);
    if (!key || settingTable[key].operatorOnly) return [];
    return [[key, parseSetting(key, row.value)] as const];
  });
  return Object.fromEntries(known) as Partial<Settings>;
}

const upsert = `
  INSERT INTO settings (name, value, updated_at) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET value = $2, updated_at = $3 RETURNING name`;

/** The same, while the stored value is still $4 ('' for none). */
const upsertIfSeen = `
  INSERT INTO settings (name, value, updated_at)
  SELECT $1, $2, CAST($3 AS TIMESTAMPTZ) WHERE coalesce((SELECT value FROM settings WHERE name = $1), '') = $4
  ON CONFLICT (name) DO UPDATE SET value = $2, updated_at = $3 WHERE settings.value = $4 RETURNING name`;
const deleteIfSeen = 'DELETE FROM settings WHERE name = $1 AND value = $2 RETURNING name';

/** @throws SettingRefused if the setting is fixed by the environment or operator-only */
export function checkChangeable(key: SettingKey): void {
  const { name, operatorOnly } = settingTable[key];
  if (operatorOnly)
    throw new SettingRefused(
      `${name} can only be set in the environment. Set it there and restart the server.`,
    );
  if (config().fixedSettings[key] !== undefined)
    throw new SettingRefused(
      `${name} is set by the environment. Change it there and restart the server.`,
    );
}

/**
 * Stores a setting; null restores the default. With `seen` (the stored value that was shown, '' for
 * none) nothing happens if it has changed.
 * @throws SettingRefused if the setting is fixed, or the value is invalid
 */
export async function storeSetting(
  key: SettingKey,
  text: string | null,
  event: AuditEntry,
  now: Date,
  seen?: string,
): Promise<'done' | 'changed-meanwhile'> {
  const { name } = settingTable[key];
  checkChangeable(key);
  const change =
    text === null
      ? deletion(name, seen)
      : insertion(name, String(parseAdminSetting(key, text)), now, seen);
  const rows = await writeTogether(change, [raising(), auditing(event, now)]);
  return rows.length > 0 || seen === undefined || (seen === '' && text === null)
    ? 'done'
    : 'changed-meanwhile';
}

function deletion(name: string, seen: string | undefined): Statement {
  if (seen !== undefined) return { sql: deleteIfSeen, params: [name, seen] };
  return { sql: 'DELETE FROM settings WHERE name = $1 RETURNING name', params: [name] };
}

function insertion(name: string, value: string, now: Date, seen: string | undefined): Statement {
  if (seen !== undefined) return { sql: upsertIfSeen, params: [name, value, now, seen] };
  return { sql: upsert, params: [name, value, now] };
}
