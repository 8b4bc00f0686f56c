import { config } from '../config.ts';
import { wording } from '../oauth/wording.ts';
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
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type Columns, read, writeTogether } from './engine/database.ts';
import { RevisionCache, raising, readRevision } from './engine/revision.ts';
import type { Statement } from './engine/statement.ts';

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
  return resolveSettings(config().fixedSettings, await storedSettings());
}

/** The stored settings, whether or not the environment overrides them. */
export async function storedSettings(): Promise<Partial<Settings>> {
  const known = (
    await read<Columns<'settings', 'name' | 'value'>>('SELECT name, value FROM settings', {})
  ).flatMap((row) => {
    const key = findSettingKey(row.name);
    if (!key || settingTable[key].operatorOnly) return [];
    return [[key, parseSetting(key, row.value)] as const];
  });
  return Object.fromEntries(known) as Partial<Settings>;
}

const upsert = `
  INSERT INTO settings (name, value, updated_at) VALUES (:name, :value, :now)
  ON CONFLICT (name) DO UPDATE SET value = :value, updated_at = :now RETURNING name`;

/** As `upsert`, but only while the stored value is still `:seen` ('' for none). */
const upsertIfSeen = `
  INSERT INTO settings (name, value, updated_at)
  SELECT :name, :value, CAST(:now AS TIMESTAMPTZ) WHERE coalesce((SELECT value FROM settings WHERE name = :name), '') = :seen
  ON CONFLICT (name) DO UPDATE SET value = :value, updated_at = :now WHERE settings.value = :seen RETURNING name`;
const deleteIfSeen = 'DELETE FROM settings WHERE name = :name AND value = :seen RETURNING name';

/** @throws SettingRefused if the setting is fixed by the environment or operator-only */
export function checkChangeable(key: SettingKey): void {
  const { name, operatorOnly } = settingTable[key];
  if (operatorOnly)
    throw new SettingRefused(
      wording(
        'refused.setting.operatorOnly',
        '{name} can only be set in the environment. Set it there and restart the server.',
        { name },
      ),
    );
  if (config().fixedSettings[key] !== undefined)
    throw new SettingRefused(
      wording(
        'refused.setting.fixed',
        '{name} is set by the environment. Change it there and restart the server.',
        { name },
      ),
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

/** A row as it was seen and as it should be: '' and null stand for none. */
export type SeenChange = { name: string; seen: string; value: string | null; event: AuditEntry };

/** Stores several rows in one transaction, unless one of them has changed since it was seen. */
export async function storeAll(
  changes: readonly SeenChange[],
  now: Date,
): Promise<'done' | 'changed-meanwhile'> {
  const asSeen = changes.map(
    (_, at) => `coalesce((SELECT value FROM settings WHERE name = :name${at}), '') = :seen${at}`,
  );
  const check = {
    sql: `SELECT 1 AS same WHERE ${asSeen.join(' AND ')}`,
    params: Object.fromEntries(
      changes.flatMap(({ name, seen }, at) => [
        [`name${at}`, name],
        [`seen${at}`, seen],
      ]),
    ),
  };
  // Each statement checks again, because the row may have changed meanwhile.
  const stored = changes
    .filter(({ seen, value }) => seen !== '' || value !== null)
    .map(({ name, seen, value }): Statement => {
      const change = value === null ? deletion(name, seen) : insertion(name, value, now, seen);
      return { ...change, must: true };
    });
  const events = changes.map(({ event }) => auditing(event, now));
  const rows = await writeTogether(check, [...stored, raising(), ...events]);
  return rows.length > 0 ? 'done' : 'changed-meanwhile';
}

function deletion(name: string, seen: string | undefined): Statement {
  if (seen !== undefined) return { sql: deleteIfSeen, params: { name, seen } };
  return { sql: 'DELETE FROM settings WHERE name = :name RETURNING name', params: { name } };
}

function insertion(name: string, value: string, now: Date, seen: string | undefined): Statement {
  if (seen !== undefined) return { sql: upsertIfSeen, params: { name, value, now, seen } };
  return { sql: upsert, params: { name, value, now } };
}
