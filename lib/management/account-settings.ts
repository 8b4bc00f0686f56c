import { config } from '../config.ts';
import {
  type AccountSettingKey,
  AccountSettingRefused,
  type AccountSettings,
  accountSettingKeys,
  accountSettingTable,
} from '../identity/account-settings.ts';
import {
  readAccountSettingsInForce,
  storeAccountSetting,
  storedAccountSettings,
} from '../store/account-settings.ts';
import { type Actor, eventBy } from './actor.ts';
import { refuseAdmin } from './refusal.ts';

/** A setting about accounts as an admin sees it. */
export type AccountSettingRecord = {
  key: AccountSettingKey;
  name: string;
  value: string;
  default: string;
  source: 'environment' | 'stored' | 'default';
  /** Only the environment can change it. */
  fixed: boolean;
  /** The values it takes, in words. */
  takes: string;
  effect: string;
};

/** Every setting about accounts with the value in force. */
export async function listAccountSettings(): Promise<AccountSettingRecord[]> {
  const [inForce, stored] = [await readAccountSettingsInForce(), await storedAccountSettings()];
  return accountSettingKeys.map((key) => recordOf(key, inForce, stored));
}

function recordOf(
  key: AccountSettingKey,
  inForce: AccountSettings,
  stored: Partial<AccountSettings>,
): AccountSettingRecord {
  const { name, effect, takes, ...row } = accountSettingTable[key];
  const fixed = config().fixedAccountSettings[key] !== undefined;
  const source = fixed ? 'environment' : stored[key] !== undefined ? 'stored' : 'default';
  return {
    key,
    name,
    value: String(inForce[key]),
    default: String(row.default),
    source,
    fixed,
    takes,
    effect,
  };
}

/** Changes a setting; null goes back to the default. @throws AdminRefusal */
export async function setAccountSetting(
  key: AccountSettingKey,
  text: string | null,
  actor: Actor,
  now: Date,
): Promise<AccountSettingRecord> {
  const before = (await readAccountSettingsInForce())[key];
  const detail = { name: accountSettingTable[key].name, before, after: text ?? 'default' };
  try {
    await storeAccountSetting(key, text, eventBy(actor, 'setting.changed', { detail }), now);
  } catch (error) {
    if (error instanceof AccountSettingRefused) refuseAdmin(key, error.message);
    throw error;
  }
  return recordOf(key, await readAccountSettingsInForce(), await storedAccountSettings());
}
