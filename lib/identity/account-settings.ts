/** The settings about people's accounts, beside those of the protocol in lib/oauth/settings.ts. */
export type AccountSettings = {
  requireSecondFactor: 'off' | 'admins' | 'everyone';
};

export type AccountSettingKey = keyof AccountSettings;

type Row<T> = {
  /** Environment variable, and the name on the command line. */
  name: string;
  default: T;
  /** The value that a text stands for; undefined: none. */
  parse: (text: string) => T | undefined;
  takes: string;
  effect: string;
};

const oneOf =
  <T extends string>(...values: readonly T[]) =>
  (text: string) =>
    values.find((value) => value === text.toLowerCase());

/** One row per setting: its name outside, its default, what it takes and what it does. */
export const accountSettingTable: { [K in AccountSettingKey]: Row<AccountSettings[K]> } = {
  requireSecondFactor: {
    name: 'REQUIRE_SECOND_FACTOR',
    default: 'off',
    parse: oneOf('off', 'admins', 'everyone'),
    takes: 'off, admins or everyone',
    effect: 'Who has to sign in with a second factor; those who have none set one up when they sign in.',
  },
};

export const accountSettingKeys = Object.keys(accountSettingTable) as AccountSettingKey[];

/** The key of a setting named as in the environment, in either case; null: no such setting. */
export function findAccountSettingKey(name: string): AccountSettingKey | null {
  const wanted = name.toUpperCase();
  return accountSettingKeys.find((key) => accountSettingTable[key].name === wanted) ?? null;
}

/** A value that a setting does not take. The sentence names the setting and what it takes. */
export class AccountSettingRefused extends Error {}

/** The value that a text stands for. @throws AccountSettingRefused */
export function parseAccountSetting<K extends AccountSettingKey>(key: K, text: string): AccountSettings[K] {
  const { name, parse, takes } = accountSettingTable[key];
  const value = parse(text.trim());
  if (value === undefined) throw new AccountSettingRefused(`${name} takes ${takes}, not "${text.slice(0, 40)}".`);
  return value;
}

/** Reads settings by their outside names. @throws AccountSettingRefused */
export function readAccountSettings(values: Readonly<Record<string, string | undefined>>): Partial<AccountSettings> {
  const read: Partial<AccountSettings> = {};
  for (const key of accountSettingKeys) {
    const text = values[accountSettingTable[key].name];
    if (text !== undefined && text !== '') read[key] = parseAccountSetting(key, text);
  }
  return read;
}
