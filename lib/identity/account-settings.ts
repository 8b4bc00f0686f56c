import type { SecondFactorRule } from '../oauth/second-factor.ts';

/** The settings about people's accounts, beside those of the protocol in lib/oauth/settings.ts. */
export type AccountSettings = {
  registration: 'off' | 'open' | 'invitation' | 'domains';
  registrationDomains: readonly string[];
  requireSecondFactor: SecondFactorRule;
  usernameChange: 'on' | 'off';
  auditRetentionDays: number;
  /** Seconds, as the three below. */
  sessionIdleTtl: number;
  sessionMaxTtl: number;
  adminSessionIdleTtl: number;
  adminSessionMaxTtl: number;
};

export type AccountSettingKey = keyof AccountSettings;

type Row<T> = {
  /** Environment variable, and the name on the command line. */
  name: string;
  default: T;
  /** The value that a text stands for; undefined: none. */
  parse: (text: string) => T | undefined;
  takes: string;
  /** What an admin may not go below, where the operator may; 0 is no number but "for ever". */
  floor?: number;
  effect: string;
};

const oneOf =
  <T extends string>(...values: readonly T[]) =>
  (text: string) =>
    values.find((value) => value === text.toLowerCase());

function onOrOff(text: string): 'on' | 'off' | undefined {
  if (/^(on|true|1)$/i.test(text)) return 'on';
  return /^(off|false|0)$/i.test(text) ? 'off' : undefined;
}

const domain = /^(?!.{254})([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

function listOfDomains(text: string): readonly string[] | undefined {
  const domains = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return domains.every((name) => domain.test(name)) ? domains : undefined;
}

function daysOrEver(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 36_500 ? Number(text) : undefined;
}

const hour = 3600;
const day = 24 * hour;

function wholeSeconds(text: string): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return value >= 60 && value <= 315_360_000 ? value : undefined;
}
const takesSeconds = 'whole seconds from 60 to 315360000';

/** One row per setting: its name outside, its default, what it takes and what it does. */
export const accountSettingTable: { [K in AccountSettingKey]: Row<AccountSettings[K]> } = {
  registration: {
    name: 'REGISTRATION',
    default: 'off',
    parse: oneOf('off', 'open', 'invitation', 'domains'),
    takes: 'off, open, invitation or domains',
    effect:
      'Who may make an account: nobody but admins (off), everybody (open), whom an admin invites (invitation), or whoever has an address at one of REGISTRATION_DOMAINS as well (domains).',
  },
  registrationDomains: {
    name: 'REGISTRATION_DOMAINS',
    default: [],
    parse: listOfDomains,
    takes: 'domains separated by commas, such as example.org, example.com',
    effect:
      'Whose addresses may register where REGISTRATION is domains. A subdomain is listed on its own.',
  },
  requireSecondFactor: {
    name: 'REQUIRE_SECOND_FACTOR',
    default: 'off',
    parse: oneOf('off', 'admins', 'everyone'),
    takes: 'off, admins or everyone',
    effect:
      'Who has to sign in with a second factor; those who have none set one up when they sign in.',
  },
  usernameChange: {
    name: 'USERNAME_CHANGE',
    default: 'on',
    parse: onOrOff,
    takes: 'on or off',
    effect:
      'Whether people may change their own user name. Apps that go by it take them for somebody new; the name that was given up stays reserved for a year.',
  },
  auditRetentionDays: {
    name: 'AUDIT_RETENTION_DAYS',
    default: 400,
    parse: daysOrEver,
    takes: 'whole days from 1 to 36500, or 0 for ever',
    // Whoever did wrong as an admin cannot have it forgotten.
    floor: 30,
    effect:
      'How long the audit log is kept, in days; 0 keeps it for ever. What is older is deleted. Less than 30 days can be set in the environment only.',
  },
  sessionIdleTtl: {
    name: 'SESSION_IDLE_TTL',
    default: 14 * day,
    parse: wholeSeconds,
    takes: takesSeconds,
    effect: 'Whoever has not been here for so many seconds signs in again.',
  },
  sessionMaxTtl: {
    name: 'SESSION_MAX_TTL',
    default: 90 * day,
    parse: wholeSeconds,
    takes: takesSeconds,
    effect: 'So many seconds after a sign-in the next one is due, whatever was used in between.',
  },
  adminSessionIdleTtl: {
    name: 'ADMIN_SESSION_IDLE_TTL',
    default: 12 * hour,
    parse: wholeSeconds,
    takes: takesSeconds,
    effect: 'The same as SESSION_IDLE_TTL, for admins; the shorter of the two holds for them.',
  },
  adminSessionMaxTtl: {
    name: 'ADMIN_SESSION_MAX_TTL',
    default: 7 * day,
    parse: wholeSeconds,
    takes: takesSeconds,
    effect: 'The same as SESSION_MAX_TTL, for admins; the shorter of the two holds for them.',
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
export function parseAccountSetting<K extends AccountSettingKey>(
  key: K,
  text: string,
): AccountSettings[K] {
  const { name, parse, takes } = accountSettingTable[key];
  const value = parse(text.trim());
  if (value === undefined)
    throw new AccountSettingRefused(`${name} takes ${takes}, not "${text.slice(0, 40)}".`);
  return value;
}

/** As `parseAccountSetting`, for whom the floors hold: everybody but the environment. @throws AccountSettingRefused */
export function parseChangeableSetting<K extends AccountSettingKey>(
  key: K,
  text: string,
): AccountSettings[K] {
  const value = parseAccountSetting(key, text);
  const { name, floor } = accountSettingTable[key];
  if (floor !== undefined && value !== 0 && Number(value) < floor)
    throw new AccountSettingRefused(
      `${name} takes ${floor} or more, or 0 for ever, not "${text.trim().slice(0, 40)}"; only the environment can set less.`,
    );
  return value;
}

/** Reads settings by their outside names. @throws AccountSettingRefused */
export function readAccountSettings(
  values: Readonly<Record<string, string | undefined>>,
): Partial<AccountSettings> {
  const read: Partial<Record<AccountSettingKey, unknown>> = {};
  for (const key of accountSettingKeys) {
    const text = values[accountSettingTable[key].name];
    if (text !== undefined && text !== '') read[key] = parseAccountSetting(key, text);
  }
  return read as Partial<AccountSettings>;
}

/** Whether somebody with this address may register by themselves. */
export function mayRegister(
  settings: AccountSettings,
  email: string,
): 'yes' | 'closed' | 'other-domain' {
  if (settings.registration === 'open') return 'yes';
  if (settings.registration !== 'domains') return 'closed';
  const host = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return settings.registrationDomains.includes(host) ? 'yes' : 'other-domain';
}
