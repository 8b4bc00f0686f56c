import { config } from '../config.ts';
import {
  type AccountSettingKey,
  AccountSettingRefused,
  type AccountSettings,
  accountSettingKeys,
  accountSettingTable,
  parseChangeableSetting,
  readAccountSettings,
} from '../identity/account-settings.ts';
import { once } from '../once.ts';
import { type AuditEntry, auditing } from './audit.ts';
import { read, writeTogether } from './database.ts';
import { RevisionCache, raising, readRevision } from './revision.ts';
import { upsertSetting } from './settings.ts';

const cache = () => once('cache.account-settings', () => new RevisionCache<AccountSettings>(1));

/** The settings in force at a revision. */
export function accountSettingsAt(revision: number): Promise<AccountSettings> {
  return cache().get('all', revision, loadAccountSettings);
}

/** The settings in force now. */
export async function readAccountSettingsInForce(): Promise<AccountSettings> {
  return accountSettingsAt(await readRevision());
}

async function loadAccountSettings(): Promise<AccountSettings> {
  const defaults = Object.fromEntries(
    accountSettingKeys.map((key) => [key, accountSettingTable[key].default]),
  );
  return {
    ...defaults,
    ...(await storedAccountSettings()),
    ...config().fixedAccountSettings,
  } as AccountSettings;
}

/** What an admin set, whether or not the environment overrules it. */
export async function storedAccountSettings(): Promise<Partial<AccountSettings>> {
  const rows = await read('SELECT name, value FROM settings', []);
  const stored = readAccountSettings(
    Object.fromEntries(rows.map((row) => [String(row.name), String(row.value)])),
  );
  const { auditRetentionDays: days } = stored;
  // From a version that had no floor.
  const { floor = 0 } = accountSettingTable.auditRetentionDays;
  if (days) stored.auditRetentionDays = Math.max(days, floor);
  return stored;
}

/**
 * Stores a setting, or with null goes back to the default.
 * @throws AccountSettingRefused when the environment decides it, or the value is none
 */
export async function storeAccountSetting(
  key: AccountSettingKey,
  text: string | null,
  event: AuditEntry,
  now: Date,
): Promise<void> {
  const { name } = accountSettingTable[key];
  if (config().fixedAccountSettings[key] !== undefined) {
    throw new AccountSettingRefused(
      `${name} is fixed by the environment; change it there and restart.`,
    );
  }
  const change =
    text === null
      ? { sql: 'DELETE FROM settings WHERE name = $1 RETURNING name', params: [name] }
      : { sql: upsertSetting, params: [name, String(parseChangeableSetting(key, text)), now] };
  await writeTogether(change, [raising(), auditing(event, now)]);
}
