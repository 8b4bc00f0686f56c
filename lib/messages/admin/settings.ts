import { keptWords } from './kept.ts';

const on = 'On';
const off = 'Off';

/** What the pages about settings say. */
export const settingWords = {
  title: 'Settings',
  titleOf: (tab: string) => `${tab} – Settings`,
  pages: 'Settings pages',
  tabs: {
    general: { label: 'General', lead: 'This server: where it is, and what it keeps.' },
    'sign-in': { label: 'Sign-in', lead: 'Who gets an account, and how people sign in.' },
    permissions: { label: 'Permissions', lead: 'What apps can ask people for.' },
    'new-apps': {
      label: 'New apps',
      lead: 'Which apps may introduce themselves, without an admin adding each.',
    },
    look: { label: 'Look', lead: 'How this server looks on every page and in every email.' },
    security: { label: 'Security', lead: 'What apps must do. Changes take effect immediately.' },
    api: { label: 'API', lead: 'Programs can do what admins do here.' },
  },
  server: {
    title: 'This server',
    name: 'Name',
    rename: 'Change',
    version: 'Version',
    address: 'Public address',
    check: 'Check this',
    listens: 'Listens on',
    database: 'Database',
    databases: {
      sqlite: (file: string) => `SQLite, ${file}`,
      postgresql: (place: string) => (place ? `PostgreSQL, ${place}` : 'PostgreSQL'),
    },
  },
  keys: {
    text: 'They sign ID tokens, and protect codes and access tokens.',
    manage: 'View and rotate keys',
    signing: 'For ID tokens',
    tokens: 'For codes and tokens',
    since: 'In use since',
    none: 'None yet. They’re created when they’re first needed.',
  },
  records: 'Records',
  recordsText: 'Enter a time such as 30 days. Leave blank for the default.',
  signIn: {
    title: 'Always on',
    text: 'Part of every server. None of it can be turned off here.',
    passkeys: 'Passkeys',
    passkeysOn: 'People can add passkeys in their account and sign in with them.',
    passkeysOff: (issuer: string) =>
      `Not possible here: browsers need a name, and the address of this server is ${issuer}. Set ISSUER to an address with a name.`,
    tries: 'Wrong passwords',
    triesText:
      'After 10 wrong passwords in 15 minutes, that account waits: one minute at first, up to 15. A browser the person has used before counts separately, so strangers can’t lock people out.',
    failed: 'Failed requests of apps',
    failedText: ({ perClient, perAddress }: { perClient: number; perAddress: number }) =>
      `${perClient ? `After ${perClient} failures in 15 minutes, an app at one address` : 'No app at one address'} is slowed down (FAILED_REQUESTS_PER_CLIENT)${perAddress ? `; after ${perAddress}, everything at that address` : ''} (FAILED_REQUESTS_PER_ADDRESS). Set these in the environment and restart.`,
  },
  permissions: {
    title: 'Scopes',
    all: 'Number of scopes',
    byDefault: 'Given by default',
    sensitive: 'Sensitive',
    none: 'None',
    manage: 'Manage scopes',
    approvals: 'What people have allowed',
  },
  profile: {
    legend: 'Compatible or Strict',
    text: 'Chooses the defaults for all apps. Each detail can still be set by itself, here or for one app.',
    interface: {
      label: 'Compatible',
      hint: 'Works with older apps and libraries. PKCE and the app’s secret on refresh are optional for apps that keep a secret.',
    },
    strict: {
      label: 'Strict',
      hint: 'OAuth 2.1 and RFC 9700: every app uses PKCE, registered redirect URIs and its secret, and sends no token in a URL. Older apps may stop working.',
    },
    fixed: (name: string, other: string) =>
      `The environment decides: ${name} is set. To change it, set ${name}=${other} there and restart the server, or remove it to choose here.`,
    other: (profile: 'interface' | 'strict') =>
      profile === 'strict' ? 'Choosing Strict changes:' : 'Choosing Compatible changes:',
    change: (name: string, before: string, after: string) => `${name}: ${before} → ${after}`,
    also: {
      strict: [
        'Requests to the token endpoint in multipart form: accepted → refused',
        'redirect_uri on the token request: can be left out where the app uses PKCE',
      ],
      interface: ['Requests to the token endpoint in multipart form: refused → accepted'],
    },
    keeps: (names: string) => `These stay as they’re set now: ${names}.`,
  },
  looseTitle: 'Less secure than your profile',
  looseText: (names: string) =>
    `${names}. Set these back to the profile’s default once no app needs them.`,
  requests: 'Details',
  requestsText: 'What apps must do, one by one. The default is what your profile says.',
  hosts: {
    hint: 'Choose whose apps may introduce themselves. Their client ID is the address of a document that says who they are, and this server reads it there. Nothing chosen turns this off.',
    others: 'Other hosts',
    othersHint:
      'Separated by commas, such as apps.example.org or *.example.org for all below it. any lets in apps of every host, including ones nobody here knows.',
  },
  introductions: 'Apps that introduce themselves',
  introductionsText:
    'AI clients and other programs that nobody can add one by one. People still allow each of them, and see who it is by proof.',
  lifetimes: 'Lifetimes',
  lifetimesText: 'Enter a time such as 90 minutes, 1 hour or 30 days. Leave blank for the default.',
  accounts: 'Accounts',
  sessions: 'How long people stay signed in',
  names: {
    profile: 'Security profile',
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
    refuseUnknownResource: 'Refuse an unknown resource',
    clientDocumentHosts: 'Hosts of apps with a metadata document',
    clientRegistration: 'Dynamic registration',
    approveNewApps: 'Ask an admin first',
    registration: 'Registration',
    registrationDomains: 'Registration domains',
    requireSecondFactor: 'Require two-step sign-in',
    usernameChange: 'People can change their username',
    auditRetentionDays: 'Keep the audit log',
    traceRetentionDays: 'Keep the sign-in attempts of apps',
    sessionIdleTtl: 'People, without activity',
    sessionMaxTtl: 'People, at most',
    adminSessionIdleTtl: 'Admins, without activity',
    adminSessionMaxTtl: 'Admins, at most',
  } as Record<string, string>,
  /** Said instead of what the command line says, which names variables. */
  hints: {
    registration: 'Who can create an account.',
    clientDocumentHosts:
      'Apps of these hosts may introduce themselves: their client ID is the address of a document that says who they are. Blank turns this off; any accepts every host.',
    clientRegistration: 'Whether apps can register themselves (RFC 7591).',
    approveNewApps:
      'Whether an admin must approve an app that added itself before anyone can use it.',
    registrationDomains: 'Email domains whose people can register. List subdomains separately.',
    adminSessionIdleTtl: 'For admins, support and auditors, the shorter of the two applies.',
    adminSessionMaxTtl: 'For admins, support and auditors, the shorter of the two applies.',
  } as Record<string, string>,
  byDefault: (value: string) => `Default (${value.charAt(0).toLowerCase()}${value.slice(1)})`,
  defaultIs: (value: string) => `Default: ${value}.`,
  on,
  off,
  loose: 'Less secure than your profile',
  changed: 'Changed',
  fixedBy: {
    environment: 'Set by the environment',
    file: keptWords.badge,
    operator: 'Environment only',
  },
  fixedHow: (name: string) =>
    `To change it, set ${name} in the environment and restart the server.`,
  inForce: 'Current value',
  save: 'Save settings',
  reset: 'Reset details and lifetimes…',
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
    clientRegistration: { off: 'Off', token: 'With a token from an admin', open: 'Any app' },
    approveNewApps: { on: 'Yes', off: 'No' },
    requireSecondFactor: { off: 'Not required', admins: 'Admins', everyone: 'Everyone' },
    usernameChange: { on: 'Yes', off: 'No, only admins can' },
  } as Record<string, Record<string, string>>,
  takes: (text: string) => `Accepts ${text}. Leave blank for the default.`,
} as const;
