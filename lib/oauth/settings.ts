import { z } from 'zod';

/** The server settings that change protocol behaviour. Times are whole seconds. */
export type Settings = {
  enforceRedirectUri: boolean;
  enforceState: boolean;
  alwaysIssueNewRefreshToken: boolean;
  requirePkce: boolean;
  requireClientAuthOnRefresh: boolean;
  acceptRefreshParamsInQuery: boolean;
  acceptAccessTokenInQuery: boolean;
  allowUnregisteredRedirectUri: boolean;
  codeTtl: number;
  accessTokenTtl: number;
  refreshTokenTtl: number;
  refreshTokenMaxTtl: number;
};

export type Profile = 'interface' | 'strict';
export type SettingKey = keyof Settings;

export type SettingRow = {
  /** Environment variable, and the name on the command line. */
  name: string;
  interface: boolean | number;
  strict: boolean | number;
  /** Can be set in the environment only. */
  operatorOnly?: true;
  effect: string;
};

/** One row per setting: its name outside, its default in each profile, what it does. */
export const settingTable: Record<SettingKey, SettingRow> = {
  enforceRedirectUri: {
    name: 'ENFORCE_REDIRECT_URI',
    interface: false,
    strict: true,
    effect: 'redirect_uri is required on the authorization request and on the token request.',
  },
  enforceState: {
    name: 'ENFORCE_STATE',
    interface: false,
    strict: false,
    effect: 'state is required on the token request of the authorization code grant.',
  },
  alwaysIssueNewRefreshToken: {
    name: 'ALWAYS_ISSUE_NEW_REFRESH_TOKEN',
    interface: true,
    strict: true,
    operatorOnly: true,
    effect: 'A refresh answer carries a new refresh token, and the old one ends.',
  },
  requirePkce: {
    name: 'REQUIRE_PKCE',
    interface: false,
    strict: true,
    effect: 'Every client must send a code_challenge. Public clients always must.',
  },
  requireClientAuthOnRefresh: {
    name: 'REQUIRE_CLIENT_AUTH_ON_REFRESH',
    interface: false,
    strict: true,
    effect: 'A confidential client must authenticate when it refreshes.',
  },
  acceptRefreshParamsInQuery: {
    name: 'ACCEPT_REFRESH_PARAMS_IN_QUERY',
    interface: true,
    strict: false,
    effect: 'Parameters of the refresh grant may stand in the URL, where logs can keep them.',
  },
  acceptAccessTokenInQuery: {
    name: 'ACCEPT_ACCESS_TOKEN_IN_QUERY',
    interface: true,
    strict: false,
    effect: '/oauth/me accepts the access token in the URL, where logs can keep it.',
  },
  allowUnregisteredRedirectUri: {
    name: 'ALLOW_UNREGISTERED_REDIRECT_URI',
    interface: true,
    strict: false,
    effect: 'A confidential client with no registered redirect URI may name one in the request.',
  },
  codeTtl: {
    name: 'CODE_TTL',
    interface: 30,
    strict: 30,
    effect: 'Life of an authorization code, in seconds.',
  },
  accessTokenTtl: {
    name: 'ACCESS_TOKEN_TTL',
    interface: 3600,
    strict: 3600,
    effect: 'Life of an access token, in seconds.',
  },
  refreshTokenTtl: {
    name: 'REFRESH_TOKEN_TTL',
    interface: 2592000,
    strict: 2592000,
    effect: 'A refresh token that is not used for this many seconds ends.',
  },
  refreshTokenMaxTtl: {
    name: 'REFRESH_TOKEN_MAX_TTL',
    interface: 15552000,
    strict: 15552000,
    effect: 'After this many seconds the person must sign in again, however often it was used.',
  },
};

export const settingKeys = Object.keys(settingTable) as SettingKey[];

const switchText = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['on', 'off', 'true', 'false', '1', '0']))
  .transform((text) => text === 'on' || text === 'true' || text === '1');

/** Ten years: longer lives are a typing error, and seconds stay exact in every database. */
const secondsText = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
  .pipe(z.number().int().min(1).max(315_360_000));

/** The key of a setting named as in the environment, in either case; null: no such setting. */
export function findSettingKey(name: string): SettingKey | null {
  const wanted = name.toUpperCase();
  return settingKeys.find((key) => settingTable[key].name === wanted) ?? null;
}

/** A value that a setting cannot have; the message is a sentence. */
export class SettingRefused extends Error {}

/**
 * The value that a text stands for: `on`/`off`, `true`/`false`, `1`/`0`, or whole seconds.
 * @throws SettingRefused naming the setting and what it takes
 */
export function parseSetting(key: SettingKey, text: string): boolean | number {
  const isSwitch = typeof settingTable[key].interface === 'boolean';
  const parsed = (isSwitch ? switchText : secondsText).safeParse(text.trim());
  if (parsed.success) return parsed.data;
  const takes = isSwitch ? 'on or off' : 'whole seconds from 1 to 315360000';
  throw new SettingRefused(`${settingTable[key].name} takes ${takes}, not "${text.slice(0, 40)}".`);
}

/** The settings in force: the environment's, else what an admin stored, else the profile's default. */
export function resolveSettings(
  profile: Profile,
  fixed: Partial<Settings>,
  stored: Partial<Settings>,
): Settings {
  const pick = (key: SettingKey) => fixed[key] ?? stored[key] ?? settingTable[key][profile];
  return Object.fromEntries(settingKeys.map((key) => [key, pick(key)])) as Settings;
}
