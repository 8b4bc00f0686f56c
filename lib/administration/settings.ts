import { config } from '../config.ts';
import { findSettingKey, type SettingKey, SettingRefused, type Settings, settingKeys, settingTable } from '../oauth/settings.ts';
import { readSettings, storedSettings, storeSetting } from '../store/settings.ts';
import { type Actor, eventBy } from './actor.ts';
import { refuseAdmin } from './refusal.ts';

/** A setting as an admin sees it. */
export type SettingRecord = {
  key: SettingKey;
  name: string;
  value: boolean | number;
  /** What it would be if nobody had said anything. */
  default: boolean | number;
  /** What OAuth 2.1 and RFC 9700 recommend. */
  strict: boolean | number;
  source: 'environment' | 'stored' | 'default';
  /** Only the environment can change it: the operator's alone, or fixed there. */
  fixed: boolean;
  operatorOnly: boolean;
  effect: string;
};

/** Every setting with the value in force. */
export async function listSettings(): Promise<SettingRecord[]> {
  const [inForce, stored] = [await readSettings(), await storedSettings()];
  return settingKeys.map((key) => recordOf(key, inForce, stored));
}

function recordOf(key: SettingKey, inForce: Settings, stored: Partial<Settings>): SettingRecord {
  const { name, effect, strict, operatorOnly = false, ...row } = settingTable[key];
  const { profile, fixedSettings } = config();
  const inEnvironment = fixedSettings[key] !== undefined;
  return {
    key,
    name,
    value: inForce[key],
    default: profile === 'strict' ? strict : row.interface,
    strict,
    source: inEnvironment ? 'environment' : stored[key] !== undefined ? 'stored' : 'default',
    fixed: inEnvironment || operatorOnly,
    operatorOnly,
    effect,
  };
}

/** Changes a setting, named in either case; null goes back to the default. @throws AdminRefusal */
export async function setSetting(name: string, text: string | null, actor: Actor, now: Date): Promise<SettingRecord> {
  const key = findSettingKey(name) ?? refuseAdmin('name', `There is no setting "${name.slice(0, 60)}".`);
  const before = (await readSettings())[key];
  const detail = { name: settingTable[key].name, before, after: text ?? 'default' };
  try {
    await storeSetting(key, text, eventBy(actor, 'setting.changed', { detail }), now);
  } catch (error) {
    if (error instanceof SettingRefused) refuseAdmin(key, error.message);
    throw error;
  }
  return recordOf(key, await readSettings(), await storedSettings());
}
