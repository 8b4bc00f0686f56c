import { config, isPlainHttp } from '../../config.ts';
import { type Sentence, sentence } from '../../messages/sentence.ts';
import type { SecurityProfile } from '../../oauth/settings.ts';
import {
  areaOf,
  defaultSetting,
  findSettingKey,
  parseAdminSetting,
  type SettingArea,
  type SettingKey,
  SettingRefused,
  type Settings,
  saySetting,
  settingKeys,
  settingTable,
} from '../../settings/table.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import {
  checkChangeable,
  readSettings,
  type SeenChange,
  storeAll,
  storedSettings,
  storeSetting,
} from '../../store/settings.ts';
import { checkSettingsNotKept, keptOf } from '../kept.ts';
import { type Faults, refuseAdmin, refuseConflict, refuseFaults } from '../refusal.ts';
import { ofRule } from '../rule-fault.ts';

/** Lists are shown as strings. */
type SettingValue = boolean | number | string;

export type SettingRecord = {
  key: SettingKey;
  name: string;
  value: SettingValue;
  /** The value in words. */
  said: string;
  default: SettingValue;
  /** What OAuth 2.1 and RFC 9700 recommend. */
  strict: SettingValue;
  /** Whether the profiles have different defaults. */
  byProfile: boolean;
  about: SettingArea;
  /** The accepted values, in words. */
  takes: string;
  source: 'environment' | 'file' | 'stored' | 'default';
  /** The stored value as a string; '' if none. */
  stored: string;
  /** The stored value in words. */
  storedSaid: string;
  /** Operator-only, set in the environment, or kept in the configuration file. */
  fixed: boolean;
  operatorOnly: boolean;
  effect: string;
};

export async function listSettings(): Promise<SettingRecord[]> {
  const inForce = await readSettings();
  const stored = await storedSettings();
  const kept = await keptOf('setting');
  return settingKeys.map((key) => recordOf(key, { inForce, stored, kept }));
}

/** The setting of this name, in either case. @throws AdminRefusal */
export async function showSetting(name: string): Promise<SettingRecord> {
  const key = keyOf(name);
  // In this order, so that a change based on this record never overwrites a value that was stored
  // in between.
  const stored = await storedSettings();
  const inForce = await readSettings();
  return recordOf(key, { inForce, stored, kept: await keptOf('setting') });
}

const keyOf = (name: string): SettingKey =>
  findSettingKey(name) ??
  refuseAdmin('name', sentence('refused.setting.missing', { name: name.slice(0, 60) }), 'missing');

type Known = { inForce: Settings; stored: Partial<Settings>; kept: ReadonlySet<string> };

function recordOf(key: SettingKey, { inForce, stored, kept }: Known): SettingRecord {
  const { name, effect, takes, operatorOnly = false } = settingTable[key];
  const inEnvironment = config().fixedSettings[key] !== undefined;
  const isKept = kept.has(name);
  const usual = (profile: SecurityProfile) => shown(defaultSetting(key, profile));
  return {
    key,
    name,
    value: shown(inForce[key]),
    said: saySetting(key, inForce[key]),
    default: usual(inForce.profile),
    strict: usual('strict'),
    byProfile: usual('strict') !== usual('interface'),
    about: areaOf(key),
    takes: takes.english,
    source: inEnvironment ? 'environment' : sourceHere(isKept, stored[key] !== undefined),
    stored: storedText(stored[key]),
    storedSaid: stored[key] === undefined ? '' : saySetting(key, stored[key]),
    fixed: inEnvironment || isKept || operatorOnly,
    operatorOnly,
    effect,
  };
}

const sourceHere = (isKept: boolean, isStored: boolean) =>
  isKept ? 'file' : isStored ? 'stored' : 'default';

const shown = (value: Settings[SettingKey]): SettingValue =>
  typeof value === 'object' ? value.join(',') : value;

/**
 * Whether a switch is less secure than the default of the profile. The defaults were chosen along
 * with the profile. Lifetimes and requiring state are choices, not weaknesses.
 */
export function isLooserThanProfile(setting: SettingRecord): boolean {
  const { key, value, strict } = setting;
  if (typeof value !== 'boolean' || key === 'enforceState' || value === setting.default)
    return false;
  return key.startsWith('require') ? !value : value !== strict;
}

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
  const key = keyOf(name);
  await checkSettingsNotKept([key], actor);
  const before = shown((await readSettings())[key]);
  if (text !== null) refuseFaults(profileFaults(key, text));
  const detail = { name: settingTable[key].name, before, after: text ?? 'default' };
  const event = eventBy(actor, 'setting.changed', { detail });
  try {
    if ((await storeSetting(key, text, event, now, seen)) === 'changed-meanwhile')
      refuseConflict('setting');
  } catch (error) {
    if (error instanceof SettingRefused) refuseAdmin(key, ofRule(error.fault));
    throw error;
  }
  return showSetting(name);
}

/** One of several changes. Null restores the default; `seen` as in `setSetting`. */
export type SettingEdit = { key: SettingKey; text: string | null; seen: string };

/** Changes several settings, all or none. Returns how many changed. @throws AdminRefusal */
export async function setSettings(
  edits: readonly SettingEdit[],
  actor: Actor,
  now: Date,
): Promise<number> {
  const changes = await settingChanges(edits, actor);
  if (changes.length > 0 && (await storeAll(changes, now)) === 'changed-meanwhile')
    refuseConflict('setting');
  return changes.length;
}

/** The rows to store for the changes among these edits. @throws AdminRefusal */
export async function settingChanges(
  edits: readonly SettingEdit[],
  actor: Actor,
): Promise<SeenChange[]> {
  refuseFaults(settingFaults(edits));
  const changes = edits.filter(isChange);
  await checkSettingsNotKept(
    changes.map(({ key }) => key),
    actor,
  );
  const inForce = await readSettings();
  return changes.map(({ key, text, seen }) => {
    const { name } = settingTable[key];
    const detail = { name, before: shown(inForce[key]), after: text ?? 'default' };
    const value = text === null ? null : textOf(key, text);
    return { name, seen, value, event: eventBy(actor, 'setting.changed', { detail }) };
  });
}

export function settingFaults(edits: readonly SettingEdit[]): Faults {
  return Object.fromEntries(edits.filter(isChange).flatMap(({ key, text }) => faultOf(key, text)));
}

const isChange = ({ key, text, seen }: SettingEdit) =>
  (text === null ? '' : textOf(key, text)) !== seen;

function faultOf(key: SettingKey, text: string | null): [string, Sentence][] {
  try {
    checkChangeable(key);
    if (text === null) return [];
    parseAdminSetting(key, text);
    return Object.entries(profileFaults(key, text));
  } catch (error) {
    if (error instanceof SettingRefused) return [[key, ofRule(error.fault)]];
    throw error;
  }
}

/** Only the compatible profile starts at a plain http address, so no other can be chosen there. */
function profileFaults(key: SettingKey, text: string): Faults {
  const { issuer } = config();
  const refusesHttp = key === 'profile' && ['strict', 'fapi'].includes(text.trim().toLowerCase());
  if (!refusesHttp || !isPlainHttp(new URL(issuer))) return {};
  return { profile: sentence('refused.setting.plainHttp', { issuer }) };
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
