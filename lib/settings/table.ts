import type { ProtocolSettings, SecurityProfile } from '../oauth/settings.ts';
import { type Wording, wording } from '../oauth/wording.ts';
import type { SecondFactorRule } from '../people/second-factor.ts';
import {
  choice,
  days,
  daysOrEver,
  daysOrNone,
  daysOrOff,
  documentHosts,
  domains,
  duration,
  groupNames,
  type Kind,
  onOff,
  percent,
  profileKind,
} from './kinds.ts';

/** Each has a card in app/admin/settings/tabs.ts. */
export type AccountSettings = {
  registration: 'off' | 'open' | 'invitation' | 'domains';
  registrationDomains: readonly string[];
  webfingerDomains: readonly string[];
  requireSecondFactor: SecondFactorRule;
  /** Days for which a remembered device replaces a second factor that is not required; 0: never. */
  rememberDevice: number;
  rememberDeviceOfAdmins: 'on' | 'off';
  newDeviceMail: 'on' | 'off';
  passkeyUpgrade: 'on' | 'off';
  mailCode: 'on' | 'off';
  proofOfWork: 'off' | 'attack' | 'always';
  usernameChange: 'on' | 'off';
  appPasswords: 'on' | 'off';
  /** Days between a person's request to delete their account and the deletion. */
  accountDeletion: number | 'off';
  /** Days without use after which an account is disabled; 0: never. */
  unusedDays: number;
  unusedNoticeDays: number;
  unusedExceptGroups: readonly string[];
  /** Percent of the accounts. */
  unusedShare: number;
  auditRetentionDays: number;
  traceRetentionDays: number;
  /** Days for which deleted people, apps and groups can be put back. */
  deletedRetentionDays: number;
  /** Seconds, like the three below. */
  sessionIdleTtl: number;
  sessionMaxTtl: number;
  adminSessionIdleTtl: number;
  adminSessionMaxTtl: number;
};

export type RegistrationSettings = {
  /** Hosts whose metadata documents are accepted. Empty: none; `any`: every host. */
  clientDocumentHosts: readonly string[];
  clientRegistration: 'off' | 'token' | 'open';
  approveNewApps: 'on' | 'off';
};

export type Settings = ProtocolSettings & AccountSettings & RegistrationSettings;
export type SettingKey = keyof Settings;

type SettingRow<T> = Kind<T> & {
  /** Its environment variable, which is also its name on the command line. */
  name: string;
  /** One default for all profiles, or one for each; `fapi` falls back to that of `strict`. */
  default: T | ({ interface: T; strict: T } & { fapi?: T });
  /** Only the environment can set it. */
  operatorOnly?: true;
  /** The minimum for admins; the environment may set less. 0 means "for ever" and is exempt. */
  floor?: number;
  effect: string;
};

type Table<T> = { [K in keyof T]-?: SettingRow<T[K]> };

const hour = 3600;
const day = 24 * hour;

const protocol: Table<ProtocolSettings> = {
  profile: {
    name: 'SECURITY_PROFILE',
    ...profileKind,
    default: 'interface',
    effect:
      'Compatible (interface) keeps what older apps rely on; strict is OAuth 2.1 and RFC 9700; fapi is the FAPI 2.0 Security Profile. It chooses the defaults of the settings below.',
  },
  enforceRedirectUri: {
    name: 'ENFORCE_REDIRECT_URI',
    ...onOff,
    default: { interface: false, strict: true },
    effect: 'redirect_uri is required on the authorization request and on the token request.',
  },
  enforceState: {
    name: 'ENFORCE_STATE',
    ...onOff,
    default: false,
    effect: 'state is required on the token request of the authorization code grant.',
  },
  alwaysIssueNewRefreshToken: {
    name: 'ALWAYS_ISSUE_NEW_REFRESH_TOKEN',
    ...onOff,
    default: true,
    operatorOnly: true,
    effect: 'A refresh returns a new refresh token, and the old one stops working.',
  },
  requirePkce: {
    name: 'REQUIRE_PKCE',
    ...onOff,
    default: { interface: false, strict: true },
    effect: 'Every client must send a code_challenge. Public clients always must.',
  },
  requireClientAuthOnRefresh: {
    name: 'REQUIRE_CLIENT_AUTH_ON_REFRESH',
    ...onOff,
    default: { interface: false, strict: true },
    effect: 'A confidential client must authenticate when it refreshes.',
  },
  acceptRefreshParamsInQuery: {
    name: 'ACCEPT_REFRESH_PARAMS_IN_QUERY',
    ...onOff,
    default: { interface: true, strict: false },
    effect: 'Parameters of the refresh grant may be sent in the URL, where logs can keep them.',
  },
  acceptAccessTokenInQuery: {
    name: 'ACCEPT_ACCESS_TOKEN_IN_QUERY',
    ...onOff,
    default: { interface: true, strict: false },
    effect: '/oauth/me accepts the access token in the URL, where logs can keep it.',
  },
  allowUnregisteredRedirectUri: {
    name: 'ALLOW_UNREGISTERED_REDIRECT_URI',
    ...onOff,
    default: { interface: true, strict: false },
    effect: 'A confidential client with no registered redirect URI may name one in the request.',
  },
  refuseUnknownResource: {
    name: 'REFUSE_UNKNOWN_RESOURCE',
    ...onOff,
    default: { interface: false, strict: true },
    effect:
      'A request that names a resource that is not an API of this server is refused. Otherwise the parameter is ignored.',
  },
  requirePushedAuthorizationRequests: {
    name: 'REQUIRE_PUSHED_AUTHORIZATION_REQUESTS',
    ...onOff,
    default: { interface: false, strict: false, fapi: true },
    effect:
      'Every client must push its authorization requests to /oauth/par (RFC 9126): none of the request is in the URL, and no one can change it.',
  },
  requireDpopNonce: {
    name: 'REQUIRE_DPOP_NONCE',
    ...onOff,
    default: false,
    effect:
      'Every DPoP proof must hold a nonce of this server (RFC 9449), so that none can be made before it is needed. Clients get it with their first request.',
  },
  requireStrongClients: {
    name: 'REQUIRE_STRONG_CLIENTS',
    ...onOff,
    default: { interface: false, strict: false, fapi: true },
    effect:
      'Every client is a strong one (FAPI 2.0): it proves itself by a key, pushes its requests with PKCE, returns only to https addresses, and gets tokens that are bound to a key (DPoP).',
  },
  codeTtl: {
    name: 'CODE_TTL',
    ...duration(1),
    default: 30,
    effect: 'Lifetime of an authorization code.',
  },
  accessTokenTtl: {
    name: 'ACCESS_TOKEN_TTL',
    ...duration(1),
    default: hour,
    effect: 'Lifetime of an access token.',
  },
  refreshTokenTtl: {
    name: 'REFRESH_TOKEN_TTL',
    ...duration(1),
    default: 30 * day,
    effect: 'How long a refresh token can go unused before it expires.',
  },
  refreshTokenMaxTtl: {
    name: 'REFRESH_TOKEN_MAX_TTL',
    ...duration(1),
    default: 180 * day,
    effect: 'Time until the user must sign in again, however often the refresh token was used.',
  },
};

const accounts: Table<AccountSettings> = {
  registration: {
    name: 'REGISTRATION',
    default: 'off',
    ...choice('off', 'open', 'invitation', 'domains'),
    effect:
      'Who can create an account without an admin’s invitation: nobody (off, or invitation, where the registration page says how to come in), anyone (open), or anyone with an address at one of REGISTRATION_DOMAINS (domains). Invitations work with each.',
  },
  registrationDomains: {
    name: 'REGISTRATION_DOMAINS',
    default: [],
    ...domains,
    effect:
      'Email domains that can register when REGISTRATION is domains. List subdomains separately.',
  },
  webfingerDomains: {
    name: 'WEBFINGER_DOMAINS',
    default: [],
    ...domains,
    effect:
      'Domains of email addresses whose people sign in here. WebFinger names this server as their issuer, as Tailscale asks. Each domain has to forward /.well-known/webfinger to here.',
  },
  requireSecondFactor: {
    name: 'REQUIRE_SECOND_FACTOR',
    default: 'off',
    ...choice('off', 'admins', 'everyone'),
    effect:
      'Who must use two-step sign-in. Those who have no second step yet, you included, have to sign in again and set one up.',
  },
  rememberDevice: {
    name: 'REMEMBER_DEVICE',
    default: 30,
    ...daysOrNone(365),
    effect:
      'How many days people can have a device remembered, so that they are not asked for their second step there again, unless it is required of them; 0 never offers it.',
  },
  rememberDeviceOfAdmins: {
    name: 'REMEMBER_DEVICE_OF_ADMINS',
    default: 'off',
    ...choice('on', 'off'),
    effect: 'Whether REMEMBER_DEVICE applies to admins, support and auditors too.',
  },
  newDeviceMail: {
    name: 'NEW_DEVICE_MAIL',
    default: 'on',
    ...choice('on', 'off'),
    effect:
      'Whether people get an email when someone signs in to their account with a browser that was not used for it before. It says how to end everything if it was not them. Each person can turn it off.',
  },
  mailCode: {
    name: 'MAIL_CODE',
    default: 'off',
    ...choice('on', 'off'),
    effect:
      'Whether people can sign in with six digits that they get by email instead of their password. A second step follows as usual.',
  },
  proofOfWork: {
    name: 'PROOF_OF_WORK',
    default: 'attack',
    ...choice('off', 'attack', 'always'),
    effect:
      'Whether browsers compute something before a form to register, to reset a password or to get a code by email is sent: never (off), while more than 200 such forms come in 15 minutes (attack), or always. Without scripts people wait for half a minute instead. Unless it is off, browsers that are new to a person also compute it before a password is checked, while many wait for that.',
  },
  passkeyUpgrade: {
    name: 'PASSKEY_UPGRADE',
    default: 'on',
    ...choice('on', 'off'),
    effect:
      'Whether browsers may make a passkey on their own for people who sign in with a password and a second step, and have no passkey. Their password manager keeps it; they are told by email.',
  },
  usernameChange: {
    name: 'USERNAME_CHANGE',
    default: 'on',
    ...choice('on', 'off'),
    effect:
      'Whether people can change their own username. Some apps may treat them as a new user; the old name stays reserved for a year.',
  },
  appPasswords: {
    name: 'APP_PASSWORDS',
    default: 'on',
    ...choice('on', 'off'),
    effect:
      'Whether app passwords work: passwords for one app alone, for programs that cannot open a browser. Only apps that accept them have any. Off refuses them all from the next request; on makes those that were not ended work again.',
  },
  accountDeletion: {
    name: 'ACCOUNT_DELETION',
    default: 7,
    ...daysOrOff(365),
    effect:
      'How many days after a person’s request their account is deleted; until then they can keep it. 0 deletes immediately; off lets only admins delete accounts. Requests made before a change keep their date.',
  },
  unusedDays: {
    name: 'UNUSED_ACCOUNT_DAYS',
    default: 0,
    ...daysOrNone(3650),
    floor: 30,
    effect:
      'After how many days without use an account is disabled; 0 never does. Everything counts as use: a sign-in, a session, a token, an app password, LDAP. Nothing counts as unused from before the rule was set. Admins, people of a directory and people who answer for an agent are left out. Less than 30 days can only be set in the environment.',
  },
  unusedNoticeDays: {
    name: 'UNUSED_ACCOUNT_NOTICE',
    default: 14,
    ...days(90),
    effect:
      'How many days before that the person is warned by email; at most half of UNUSED_ACCOUNT_DAYS. Using the account in time keeps it.',
  },
  unusedExceptGroups: {
    name: 'UNUSED_ACCOUNT_EXCEPT',
    default: [],
    ...groupNames,
    effect:
      'Groups whose members keep their accounts, used or not, separated by commas. While one of them does not exist, nobody is warned or disabled.',
  },
  unusedShare: {
    name: 'UNUSED_ACCOUNT_SHARE',
    default: 5,
    ...percent,
    effect:
      'Which share of all accounts, in percent, may be warned and disabled at once. If more are unused, nothing happens until an admin says so; admins are told by email.',
  },
  auditRetentionDays: {
    name: 'AUDIT_RETENTION_DAYS',
    default: 400,
    ...daysOrEver,
    // An admin must not be able to erase the traces of their own actions.
    floor: 30,
    effect:
      'How long the audit log is kept; 0 keeps it forever. Older events are deleted. Less than 30 days can only be set in the environment.',
  },
  traceRetentionDays: {
    name: 'TRACE_RETENTION_DAYS',
    default: 7,
    ...days(90),
    effect:
      'How long the sign-in attempts of apps are kept, with the reason for each refusal. At most 200 are kept per app.',
  },
  deletedRetentionDays: {
    name: 'DELETED_RETENTION_DAYS',
    default: 14,
    ...daysOrNone(365),
    effect:
      'How many days people, apps and groups that an admin deleted can be put back; 0 deletes them for good at once. A person who deletes their own account is deleted for good in any case.',
  },
  sessionIdleTtl: {
    name: 'SESSION_IDLE_TTL',
    default: 14 * day,
    ...duration(60),
    effect: 'Time without activity until people must sign in again.',
  },
  sessionMaxTtl: {
    name: 'SESSION_MAX_TTL',
    default: 90 * day,
    ...duration(60),
    effect: 'Time until people must sign in again, whether or not they were active.',
  },
  adminSessionIdleTtl: {
    name: 'ADMIN_SESSION_IDLE_TTL',
    default: 12 * hour,
    ...duration(60),
    effect: 'The same as SESSION_IDLE_TTL, for admins. The shorter of the two applies.',
  },
  adminSessionMaxTtl: {
    name: 'ADMIN_SESSION_MAX_TTL',
    default: 7 * day,
    ...duration(60),
    effect: 'The same as SESSION_MAX_TTL, for admins. The shorter of the two applies.',
  },
};

const registration: Table<RegistrationSettings> = {
  clientDocumentHosts: {
    name: 'CLIENT_DOCUMENT_HOSTS',
    default: [],
    ...documentHosts,
    effect:
      'Hosts whose apps may have a client metadata document as their client_id. Blank turns this off; any accepts every host.',
  },
  clientRegistration: {
    name: 'CLIENT_REGISTRATION',
    default: 'off',
    ...choice('off', 'token', 'open'),
    effect:
      'Whether apps can register themselves: not at all (off), with a token that an admin gave (token), or any app (open).',
  },
  approveNewApps: {
    name: 'APPROVE_NEW_APPS',
    default: 'off',
    ...choice('on', 'off'),
    effect: 'Whether an admin must approve an app that added itself before anyone can use it.',
  },
};

/** Every setting that can be changed at run time or fixed in the environment: one row each. */
export const settingTable: Table<Settings> = {
  ...protocol,
  ...accounts,
  ...registration,
};

export const settingKeys = Object.keys(settingTable) as SettingKey[];

export type SettingArea = 'protocol' | 'accounts' | 'registration';

export function areaOf(key: SettingKey): SettingArea {
  if (Object.hasOwn(accounts, key)) return 'accounts';
  return Object.hasOwn(registration, key) ? 'registration' : 'protocol';
}

/** Finds a setting by its environment name, ignoring case; null if there is none. */
export function findSettingKey(name: string): SettingKey | null {
  const wanted = name.toUpperCase();
  return settingKeys.find((key) => settingTable[key].name === wanted) ?? null;
}

export class SettingRefused extends Error {
  readonly fault: Wording;

  constructor(fault: Wording) {
    super(fault.english);
    this.fault = fault;
  }
}

/** Parses the value of a setting. @throws SettingRefused naming the setting and what it accepts */
export function parseSetting<K extends SettingKey>(key: K, text: string): Settings[K] {
  const { name, parse, takes, fault } = settingTable[key] as SettingRow<Settings[K]>;
  const typed = text.trim();
  const value = parse(typed);
  if (value !== undefined) return value;
  const said = { name, takes, text: text.slice(0, 40) };
  const why = fault?.(typed);
  throw new SettingRefused(
    why
      ? wording('refused.setting.valueWhy', '{name} is "{text}", and has to be {takes}. {why}', {
          ...said,
          why,
        })
      : wording('refused.setting.value', '{name} is "{text}", and has to be {takes}.', said),
  );
}

/** A value in words that `parseSetting` can read back. */
export function saySetting<K extends SettingKey>(key: K, value: Settings[K]): string {
  const { say } = settingTable[key] as SettingRow<Settings[K]>;
  if (say) return say(value);
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}

/** Like `parseSetting`, but also enforces the minimum for admins. @throws SettingRefused */
export function parseAdminSetting<K extends SettingKey>(key: K, text: string): Settings[K] {
  const value = parseSetting(key, text);
  const { name, floor } = settingTable[key];
  if (floor !== undefined && value !== 0 && Number(value) < floor)
    throw new SettingRefused(
      wording(
        'refused.setting.floor',
        '{name} is "{text}", and has to be {floor} or more, or 0 for no limit; only the environment can set less.',
        { name, floor: String(floor), text: text.trim().slice(0, 40) },
      ),
    );
  return value;
}

/**
 * Reads settings by their environment names; a blank value counts as unset.
 * @throws SettingRefused
 */
export function readSettingTexts(
  texts: Readonly<Record<string, string | undefined>>,
): Partial<Settings> {
  const given = settingKeys.flatMap((key) => {
    const text = texts[settingTable[key].name];
    return text === undefined || text === '' ? [] : [[key, parseSetting(key, text)] as const];
  });
  return Object.fromEntries(given) as Partial<Settings>;
}

export function defaultSetting<K extends SettingKey>(
  key: K,
  profile: SecurityProfile,
): Settings[K] {
  const value: unknown = settingTable[key].default;
  const perProfile = typeof value === 'object' && !Array.isArray(value);
  if (!perProfile) return value as Settings[K];
  const each = value as Partial<Record<SecurityProfile, Settings[K]>>;
  return (each[profile] ?? each.strict) as Settings[K];
}

/**
 * The settings in force: the environment's value, else the one an admin stored, else the default of
 * the profile. The profile itself is resolved in the same way.
 */
export function resolveSettings(fixed: Partial<Settings>, stored: Partial<Settings>): Settings {
  const profile = fixed.profile ?? stored.profile ?? defaultSetting('profile', 'interface');
  const pick = (key: SettingKey) =>
    fixed[key] ?? notBelowFloor(key, stored[key]) ?? defaultSetting(key, profile);
  return Object.fromEntries(settingKeys.map((key) => [key, pick(key)])) as Settings;
}

/** A value stored before the minimum existed is raised to it. */
function notBelowFloor<T>(key: SettingKey, value: T): T | number {
  const { floor = 0 } = settingTable[key];
  return typeof value === 'number' && value !== 0 ? Math.max(value, floor) : value;
}
