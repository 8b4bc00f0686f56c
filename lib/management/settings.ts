import { config } from '../config.ts';
import {
  defaultSetting,
  findSettingKey,
  isAboutAccounts,
  parseAdminSetting,
  type SettingKey,
  SettingRefused,
  type Settings,
  settingKeys,
  settingTable,
} from '../settings/table.ts';
import { type Actor, eventBy } from '../store/actor.ts';
import { checkChangeable, readSettings, storedSettings, storeSetting } from '../store/settings.ts';
import { refuseAdmin, refuseConflict, refuseFaults } from './refusal.ts';

/** A list is shown as a string. */
export type SettingValue = boolean | number | string;

/** A setting as an admin sees it. */
export type SettingRecord = {
  key: SettingKey;
  name: string;
  value: SettingValue;
  /** The default of the profile. */
  default: SettingValue;
  /** What OAuth 2.1 and RFC 9700 recommend. */
  strict: SettingValue;
  about: 'protocol' | 'accounts';
  /** The accepted values, in words. */
  takes: string;
  source: 'environment' | 'stored' | 'default';
  /** The stored value as a string; '' if none. */
  stored: string;
  /** Only the environment can change it: operator-only, or set there. */
  fixed: boolean;
  operatorOnly: boolean;
  effect: string;
};

/** All settings with the values in force. */
export async function listSettings(): Promise<SettingRecord[]> {
  const [inForce, stored] = [await readSettings(), await storedSettings()];
  return settingKeys.map((key) => recordOf(key, inForce, stored));
}

function recordOf(key: SettingKey, inForce: Settings, stored: Partial<Settings>): SettingRecord {
  const { name, effect, takes, operatorOnly = false } = settingTable[key];
  const { profile, fixedSettings } = config();
  const inEnvironment = fixedSettings[key] !== undefined;
  return {
    key,
    name,
    value: shown(inForce[key]),
    default: shown(defaultSetting(key, profile)),
    strict: shown(defaultSetting(key, 'strict')),
    about: isAboutAccounts(key) ? 'accounts' : 'protocol',
    takes,
    source: inEnvironment ? 'environment' : stored[key] !== undefined ? 'stored' : 'default',
    stored: storedText(stored[key]),
    fixed: inEnvironment || operatorOnly,
    operatorOnly,
    effect,
  };
}

const shown = (value: Settings[SettingKey]): SettingValue =>
  typeof value === 'object' ? value.join(',') : value;

/**
 * Changes a setting, named in either case; null restores the default. With `seen` (the record's
 * `stored` value) a concurrent change is refused.
 * @throws AdminRefusal
 */
export async function setSetting(
  name: string,
  text: string | null,
  actor: Actor,
  now: Date,
  seen?: string,
): Promise<SettingRecord> {
  const key =
    findSettingKey(name) ?? refuseAdmin('name', `There is no setting "${name.slice(0, 60)}".`);
  const before = shown((await readSettings())[key]);
  const detail = { name: settingTable[key].name, before, after: text ?? 'default' };
  const event = eventBy(actor, 'setting.changed', { detail });
  try {
    if ((await storeSetting(key, text, event, now, seen)) === 'changed-meanwhile')
      refuseConflict('setting');
  } catch (error) {
    if (error instanceof SettingRefused) refuseAdmin(key, error.message);
    throw error;
  }
  return recordOf(key, await readSettings(), await storedSettings());
}

/** One of several changes. Null restores the default; `seen` as in `setSetting`. */
export type SettingEdit = { key: SettingKey; text: string | null; seen: string };

/** Changes several settings, all or none. Returns how many changed. @throws AdminRefusal */
export async function setSettings(
  edits: readonly SettingEdit[],
  actor: Actor,
  now: Date,
): Promise<number> {
  const stored = await storedSettings();
  const changes = edits.filter(
    ({ key, text, seen }) => (text === null ? '' : textOf(key, text)) !== seen,
  );
  refuseFaults(Object.fromEntries(changes.flatMap(({ key, text }) => faultOf(key, text))));
  const raced = changes.some(({ key, seen }) => seen !== storedText(stored[key]));
  if (raced) refuseConflict('setting');
  for (const { key, text, seen } of changes)
    await setSetting(settingTable[key].name, text, actor, now, seen);
  return changes.length;
}

function faultOf(key: SettingKey, text: string | null): [string, string][] {
  try {
    checkChangeable(key);
    if (text !== null) parseAdminSetting(key, text);
    return [];
  } catch (error) {
    if (error instanceof SettingRefused) return [[key, error.message]];
    throw error;
  }
}

/** The value in its stored form, if it is valid. */
function textOf(key: SettingKey, text: string): string {
  try {
    return String(parseAdminSetting(key, text));
  } catch {
    return text;
  }
}

const storedText = (value: Settings[SettingKey] | undefined) =>
  value === undefined ? '' : String(value);
