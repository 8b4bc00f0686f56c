import { grantTypes } from '../../oauth/grant-types.ts';

/** What the pages about clients say. */
export const clientWords = {
  title: 'Apps',
  lead: 'Apps and services that use this server.',
  add: 'Add an app',
  search: 'Search apps',
  searchHint: 'Name, description or client ID',
  list: 'Apps',
  none: 'No apps yet',
  noneText: 'Add your first app. It gets a client ID, and a secret if it can keep one.',
  nothingFound: 'No apps match',
  nothingFoundText: 'Try another part of the name or ID, or clear the filters.',
  filterType: 'Type',
  filterState: 'Status',
  filterParty: 'Party',
  sort: 'Sort by',
  all: 'All',
  confidential: 'Confidential',
  public: 'Public',
  enabled: 'Enabled',
  disabled: 'Disabled',
  ours: 'First-party',
  others: 'Third-party',
  newest: 'Newest',
  byName: 'Name',
  columnName: 'App',
  columnType: 'Type',
  columnState: 'Status',
  columnMade: 'Added',
  resourceServer: 'Resource server',
  scopeFilter: (name: string) => `Apps that can ask for the scope ${name}`,

  newTitle: 'Add an app',
  newLead: 'Choose a type to get started. You can change everything later.',
  kind: 'What kind of app is it?',
  kinds: {
    web: {
      label: 'Web app with a server',
      text: 'Its own server signs people in and keeps a secret.',
    },
    public: {
      label: 'Single-page or mobile app',
      text: 'Runs in the browser or on a device and can’t keep a secret. Uses PKCE.',
    },
    service: {
      label: 'Service',
      text: 'A program that acts on its own behalf, with nobody signed in.',
    },
    oidc: {
      label: 'OpenID Connect sign-in',
      text: 'Software with a “Sign in with …” button, such as a wiki or a code host.',
    },
  },
  name: 'Name',
  nameHint: 'People see this when they sign in and allow access.',
  redirectUris: 'Redirect URIs',
  redirectUrisHint: 'Where people go after signing in, one per line. Must match exactly.',
  redirectUrisHintPublic:
    'Where people go after signing in, one per line: https://app.example.com/callback, com.example.app:/callback, or http://127.0.0.1/callback for a program on a computer.',
  redirectUrisHintEmpty:
    'If you leave this blank, each request can name its own address, unless the settings forbid it.',
  judgedFine: 'Looks good.',
  acknowledge: 'I understand that anyone on the network can intercept codes sent over plain http',
  acknowledgeHint:
    'Only for addresses that can’t use https. People are asked for consent every time.',
  pkce: 'Require PKCE',
  pkceHint:
    'Ties each code to the browser that asked for it. Turn it on once the app sends a code_challenge: many libraries for web apps only do so when told to, and sign-in fails for apps that don’t.',
  authOnRefresh: 'Require the secret on refresh',
  authOnRefreshHint:
    'A stolen refresh token is useless without the secret. Most libraries send it anyway.',
  homePage: 'Home page',
  homePageHint: 'Linked on the consent page, so people can see whose app it is.',
  serviceScopes: 'What it can do',
  serviceScopesHint:
    'The scopes its tokens carry. Scopes about people aren’t offered, because nobody is signed in.',
  serviceScopesNone: 'You haven’t added any scopes yet, so its tokens won’t carry any.',
  create: 'Add app',
  madeTitle: 'App created',
  keepSecret: 'Copy this secret now. You won’t see it again.',
  noSecret: 'It has no secret. Give the app this client ID; PKCE protects its codes.',
  clientId: 'Client ID',
  clientSecret: 'Client secret',
  issuer: 'Server address (issuer)',
  envLines: 'As lines for a .env file',
  copyEnv: 'Copy lines',
  kept: 'I’ve saved it',
  toClient: 'Go to the app',

  edit: 'Edit',
  facts: 'About this app',
  factGrants: 'Grants',
  factScopes: 'Allowed scopes',
  factScopesAll: 'All except sensitive',
  factScopesNone: 'None',
  factMade: 'Added',
  factChanged: 'Last changed',
  factRedirects: 'Redirect URIs',
  factRedirectsNone: 'None registered',
  factLive: 'Active sign-ins',
  factPeople: 'People who allowed it',
  firstPartyFact: 'First-party: people aren’t asked for consent.',
  resourceServerFact: 'Resource server: it can introspect other apps’ tokens.',
  disabledNotice:
    'This app is disabled. It can’t get codes or tokens, and everything issued to it has been revoked.',
  loose: 'Less secure than recommended',
  looseText:
    'Compared with RFC 9700, the best current practice for OAuth security. Each line says how to fix it.',
  looseNone: 'Meets the recommendations of RFC 9700.',
  looseFixHere: 'Change it',
  looseFixSetting: 'Open settings',
  secrets: 'Secrets',
  secretsText:
    'To rotate without downtime, add a second secret, give it to the app, then delete the old one once it’s no longer used.',
  secretsCaption: 'Secrets of this app',
  secretMade: 'Created',
  secretUsed: 'Last used',
  secretNever: 'Never used',
  secretNumber: (number: number) => `Secret ${number}`,
  secretAge: (hash: string) => `Fingerprint ${hash}`,
  secretAdd: 'Add a secret',
  secretReplace: 'Replace all',
  secretReplaceWhat: (count: number) =>
    `This creates a new secret. ${count === 1 ? 'The current one stops' : `All ${count} current ones stop`} working immediately, and the app fails until it has the new one.`,
  secretReplaceConfirm: 'Yes, replace',
  secretDelete: 'Delete',
  secretDeleteLabel: (name: string) => `Delete ${name}`,
  secretDeleteWhat: (used: boolean) =>
    used
      ? 'It stops working immediately. If the app still uses it, the app will fail.'
      : 'It stops working immediately. It has never been used.',
  secretDeleteConfirm: 'Yes, delete it',
  secretDeleted: 'Secret deleted.',
  secretNew: 'New secret',
  people: 'People',
  peopleText: 'Who allowed it to use their account, most recent first.',
  peopleNone: 'Nobody has allowed it yet.',
  peopleNoneFirstParty: 'Nobody has signed in to it yet.',
  peopleAll: 'All approvals',
  eventsAll: 'All events',
  person: 'Person',
  allowed: 'Allowed',
  since: 'Since',
  lastUsed: 'Last used',
  never: 'never',
  peopleCaption: 'People who allowed this app',
  events: 'Recent events',
  eventsCaption: 'Recent events of this app',
  eventsNone: 'No events yet.',
  when: 'When (UTC)',
  what: 'Event',
  who: 'Actor',
  from: 'IP address',
  danger: 'Disable or delete',
  disable: 'Disable…',
  disableWhat: (ends: string) =>
    `The app stops working immediately. ${ends} You can enable it again, but existing sign-ins won’t come back.`,
  disableConfirm: 'Yes, disable it',
  disabledDone: 'App disabled. Everything issued to it has been revoked.',
  enable: 'Enable',
  enabledDone: 'App enabled. People need to sign in to it again.',
  enableText: 'It can get codes and tokens again. Earlier sign-ins won’t come back.',
  delete: 'Delete…',
  deleteWhat: (name: string, ends: string) =>
    `This permanently deletes ${name} and revokes all its access. ${ends}`,
  deleteConfirm: 'Yes, delete it',
  deletedDone: (name: string) => `${name} deleted, along with everything issued to it.`,
  ends: (people: number, signIns: number) =>
    people + signIns === 0
      ? 'Nobody has allowed it, and it has no active sign-ins.'
      : `This affects ${amount(people, 'person', 'people')} who allowed it and ends ${amount(signIns, 'active sign-in', 'active sign-ins')}.`,

  editTitle: (name: string) => `Edit ${name}`,
  save: 'Save changes',
  saved: 'Saved. Changes take effect immediately.',
  cancel: 'Cancel',
  appearance: 'How people see it',
  description: 'Description',
  descriptionHint: 'Only admins see this.',
  privacyLink: 'Privacy policy',
  termsLink: 'Terms of use',
  linkHint: 'Linked on the consent page.',
  addresses: 'URLs',
  postLogout: 'After signing out',
  postLogoutHint:
    'Where people can be sent after signing out of the app (post-logout redirect URIs), one per line.',
  backchannel: 'Back-channel logout',
  backchannelHint:
    'An https address on the app’s server that’s notified when someone’s session ends.',
  may: 'What it can ask for',
  grants: 'Grants',
  grantNames: grantTypes,
  scopes: 'Scopes',
  scopesMode: 'Allowed scopes',
  scopesAll: 'All except sensitive',
  scopesAllHint: 'Includes scopes added later.',
  scopesListed: 'Only these',
  scopesListedHint: 'Select below. The less an app can ask for, the less a stolen token can do.',
  trust: 'Type and trust',
  type: 'Type',
  confidentialHint: 'Its server keeps a secret.',
  publicHint: 'Runs where no secret is safe. It must use PKCE, and its refresh tokens rotate.',
  typeWarning:
    'Changing the type revokes everything issued to the app. If it becomes confidential, it gets a secret; if it becomes public, it loses its secrets.',
  firstParty: 'First-party',
  firstPartyHint:
    'Your own app: people aren’t asked for consent. Don’t use this for other people’s apps.',
  resourceServerLabel: 'Resource server',
  resourceServerHint: 'An API that can check whether other apps’ tokens are valid (introspection).',
  protocol: 'Protocol',
  byServer: (value: string) => `Server default (${value})`,
  on: 'On',
  off: 'Off',
  requirePkce: 'Require PKCE',
  requirePkceHint:
    'It must send a code_challenge, which many libraries only do when told to. Public clients always must.',
  requireAuth: 'Require the secret on refresh',
  requireAuthHint: 'It must authenticate to refresh.',
  sendIss: 'Send iss with responses',
  sendIssHint:
    'Tells the app which server is responding (RFC 9207). Turn off only for libraries that fail on it.',
  idTokenAlg: 'ID token signature',
  idTokenOnRefresh: 'Send an ID token with each refresh',
  idTokenOnRefreshHint:
    'With scope openid. Some command-line tools need it. Turn off only for libraries that fail on it.',
  lifetimes: 'Lifetimes',
  lifetimesText: 'In seconds. Leave blank for the server default.',
  accessTokenTtl: 'Access token',
  refreshTokenTtl: 'Refresh token, idle',
  refreshTokenMaxTtl: 'Refresh token, maximum',
  serverSays: (seconds: number) =>
    `Server default: ${seconds.toLocaleString('en')} (${inWords(seconds)}).`,
  logo: 'Logo',
  logoText: 'Shown at sign-in, on the consent page and in people’s accounts.',
  logoFile: 'Picture',
  logoHint:
    'Square PNG, JPEG, WebP or GIF, up to 512 KB. Larger ones are scaled down to 512 pixels.',
  logoSave: 'Upload',
  logoSaved: 'Logo saved.',
  logoRemove: 'Remove',
  logoRemoved: 'Logo removed.',
  logoMissing: 'Choose a picture.',
  logoTooLarge: 'The picture is larger than 512 KB.',
} as const;

const amount = (number: number, one: string, many: string) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** A number of seconds as people say it. */
export function inWords(seconds: number): string {
  const units: [number, string][] = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ];
  const [size, unit] = units.find(([each]) => seconds >= each && seconds % each === 0) ?? [
    1,
    'second',
  ];
  return amount(seconds / size, unit, `${unit}s`);
}
