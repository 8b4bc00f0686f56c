import { inWords } from './clients.ts';

/** What the page about settings says. */
export const settingWords = {
  title: 'Settings',
  lead: 'What this server requires and allows. Changes take effect immediately.',
  profile: (name: string) =>
    name === 'strict'
      ? 'Strict profile: the defaults follow OAuth 2.1 and RFC 9700.'
      : 'Compatible profile: some defaults are less secure than RFC 9700 recommends. Set SECURITY_PROFILE=strict in the environment for the defaults of OAuth 2.1.',
  requests: 'Request rules',
  requestsText: 'Marked where they’re less secure than RFC 9700 recommends.',
  lifetimes: 'Lifetimes',
  lifetimesText: 'In seconds. Leave blank for the default.',
  accounts: 'Accounts',
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
    refreshTokenTtl: 'Refresh token, idle',
    refreshTokenMaxTtl: 'Refresh token, maximum',
    registration: 'Registration',
    registrationDomains: 'Registration domains',
    requireSecondFactor: 'Require two-step sign-in',
    usernameChange: 'People can change their username',
    auditRetentionDays: 'Days to keep the audit log',
    traceRetentionDays: 'Days to keep the sign-in attempts of apps',
    sessionIdleTtl: 'Session, idle (seconds)',
    sessionMaxTtl: 'Session, maximum (seconds)',
    adminSessionIdleTtl: 'Admin session, idle (seconds)',
    adminSessionMaxTtl: 'Admin session, maximum (seconds)',
  } as Record<string, string>,
  byDefault: (value: string) => `Default (${value})`,
  defaultIs: (value: number) => `Default: ${value.toLocaleString('en')} (${inWords(value)}).`,
  on: 'On',
  off: 'Off',
  loose: 'Less secure',
  changed: 'Changed',
  fixedEnvironment: 'Set by the environment',
  fixedOperator: 'Environment only',
  fixedHow: (name: string) =>
    `To change it, set ${name} in the environment and restart the server.`,
  inForce: 'Current value',
  strictSays: (value: string) => `Strict: ${value}.`,
  seconds: (value: number) => `${value.toLocaleString('en')} seconds (${inWords(value)})`,
  save: 'Save settings',
  reset: 'Reset all to defaults…',
  resetWhat: (names: string) => `These go back to their defaults immediately: ${names}.`,
  resetConfirm: 'Yes, reset',
  saved: (count: number) =>
    count === 0
      ? 'Nothing was changed.'
      : `${count === 1 ? 'One setting' : `${count} settings`} changed.`,
  choices: {
    registration: {
      off: 'Admins only',
      open: 'Anyone',
      invitation: 'Invitation only',
      domains: 'Invitation, or an address at the domains below',
    },
    requireSecondFactor: { off: 'Not required', admins: 'Admins', everyone: 'Everyone' },
    usernameChange: { on: 'Yes', off: 'No, only admins can' },
  } as Record<string, Record<string, string>>,
  takes: (text: string) => `Accepts ${text}. Leave blank for the default.`,
} as const;
