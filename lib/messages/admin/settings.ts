import { inWords } from './clients.ts';

/** What the page about settings says. */
export const settingWords = {
  title: 'Settings',
  lead: 'What this server requires and allows. A change holds, in every process, for each request that begins after it.',
  profile: (name: string) =>
    name === 'strict'
      ? 'The profile is strict: the defaults are those of OAuth 2.1 and RFC 9700.'
      : 'The profile is interface: the defaults are those that this server’s interface promises, some looser than RFC 9700. SECURITY_PROFILE=strict in the environment tightens all of them at once.',
  requests: 'What requests must and may hold',
  requestsText: 'Looser than RFC 9700 where it says so.',
  lifetimes: 'Lifetimes',
  lifetimesText: 'In seconds. Empty: the default.',
  accounts: 'People’s accounts',
  names: {
    enforceRedirectUri: 'Require redirect_uri',
    enforceState: 'Require state',
    alwaysIssueNewRefreshToken: 'Always issue a new refresh token',
    requirePkce: 'Require PKCE',
    requireClientAuthOnRefresh: 'Require client authentication on refresh',
    acceptRefreshParamsInQuery: 'Accept refresh parameters in the URL',
    acceptAccessTokenInQuery: 'Accept access tokens in the URL',
    allowUnregisteredRedirectUri: 'Allow unregistered redirect URIs',
    codeTtl: 'Authorization code',
    accessTokenTtl: 'Access token',
    refreshTokenTtl: 'Refresh token, unused',
    refreshTokenMaxTtl: 'Refresh token, in all',
    registration: 'Registration',
    registrationDomains: 'Registration domains',
    requireSecondFactor: 'Require a second factor',
    usernameChange: 'People may change their user name',
    auditRetentionDays: 'Days the audit log is kept',
    sessionIdleTtl: 'Session, unused (seconds)',
    sessionMaxTtl: 'Session, in all (seconds)',
    adminSessionIdleTtl: 'Session of an admin, unused (seconds)',
    adminSessionMaxTtl: 'Session of an admin, in all (seconds)',
  } as Record<string, string>,
  byDefault: (value: string) => `Default (${value})`,
  defaultIs: (value: number) => `Default: ${value.toLocaleString('en')} (${inWords(value)}).`,
  on: 'On',
  off: 'Off',
  loose: 'Looser than strict',
  changed: 'Changed',
  fixedEnvironment: 'Fixed by the environment',
  fixedOperator: 'Set in the environment only',
  fixedHow: (name: string) => `Change ${name} in the environment and restart the server.`,
  inForce: 'In force',
  strictSays: (value: string) => `Strict: ${value}.`,
  seconds: (value: number) => `${value.toLocaleString('en')} seconds (${inWords(value)})`,
  save: 'Save settings',
  reset: 'Reset all to their defaults…',
  resetWhat: (names: string) => `These go back to their defaults at once: ${names}.`,
  resetConfirm: 'Yes, reset',
  saved: (count: number) =>
    count === 0
      ? 'Nothing was changed.'
      : `${count === 1 ? 'One setting is' : `${count} settings are`} changed, in every process.`,
  choices: {
    registration: {
      off: 'Nobody but admins make accounts',
      open: 'Everybody may register',
      invitation: 'Whom an admin invites',
      domains: 'Whom an admin invites, and addresses at the domains below',
    },
    requireSecondFactor: { off: 'Nobody has to', admins: 'Admins', everyone: 'Everyone' },
    usernameChange: { on: 'Yes', off: 'No, admins do' },
  } as Record<string, Record<string, string>>,
  takes: (text: string) => `Takes ${text}. Empty: the default.`,
} as const;
