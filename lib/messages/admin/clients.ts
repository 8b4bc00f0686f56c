import { grantTypes } from '../../oauth/grant-types.ts';

/** What the pages about clients say. */
export const clientWords = {
  title: 'Clients',
  lead: 'Apps and services that may ask this server for tokens.',
  add: 'Add a client',
  search: 'Search clients',
  searchHint: 'Name, description or client ID',
  list: 'Clients',
  none: 'No clients yet',
  noneText: 'Register the first app: it gets an ID, and a secret if it can keep one.',
  nothingFound: 'No client matches',
  nothingFoundText: 'Look for another part of its name or ID, or clear the filters.',
  filterType: 'Type',
  filterState: 'State',
  filterParty: 'Whose',
  sort: 'Order',
  all: 'All',
  confidential: 'Confidential',
  public: 'Public',
  enabled: 'Enabled',
  disabled: 'Disabled',
  ours: 'First-party',
  others: 'Third-party',
  newest: 'Newest first',
  byName: 'By name',
  columnName: 'Client',
  columnType: 'Type',
  columnState: 'State',
  columnMade: 'Added',
  resourceServer: 'Resource server',
  scopeFilter: (name: string) => `Clients that may ask for the scope ${name}`,

  newTitle: 'Add a client',
  newLead:
    'Begin with what the app is. The rest follows from it, and everything can be changed later.',
  kind: 'What is it?',
  kinds: {
    web: {
      label: 'Web app with a server',
      text: 'Its own server signs people in and keeps a secret.',
    },
    public: {
      label: 'Single-page or mobile app',
      text: 'Runs on people’s devices, where no secret stays secret. Uses PKCE.',
    },
    service: { label: 'Service', text: 'A program that acts for itself, with nobody signed in.' },
    oidc: {
      label: 'OpenID Connect sign-in',
      text: 'Software that offers “Sign in with …”, such as a wiki or a forge.',
    },
  },
  name: 'Name',
  nameHint: 'People see it when they sign in and decide what the app may do.',
  redirectUris: 'Redirect URIs',
  redirectUrisHint:
    'Where people are sent back to after signing in, one per line. Compared character by character.',
  redirectUrisHintPublic:
    'Where people are sent back to, one per line: https://app.example.com/callback, com.example.app:/callback, or http://127.0.0.1/callback for a program on a computer.',
  redirectUrisHintEmpty:
    'If you leave it empty, each request names its own address, unless the settings forbid that.',
  judgedFine: 'Fine.',
  acknowledge: 'I understand that plain http lets others read codes on the way',
  acknowledgeHint:
    'Only for addresses that cannot have https. People are asked for consent each time.',
  pkce: 'Require PKCE',
  pkceHint:
    'Ties each code to the browser that asked for it. Tick it once the app sends a code_challenge: many libraries for web apps do so only when told to, and signing in fails for those that do not.',
  authOnRefresh: 'Require the secret on refresh',
  authOnRefreshHint:
    'A stolen refresh token alone is then worth nothing. Most libraries send the secret anyway.',
  homePage: 'Home page',
  homePageHint: 'Linked on the consent page, so that people can see whose app it is.',
  serviceScopes: 'What it may do',
  serviceScopesHint:
    'The scopes its tokens carry. Those about people are not offered: nobody is signed in.',
  serviceScopesNone: 'There are no scopes of your own yet; its tokens will carry none.',
  create: 'Add client',
  madeTitle: 'The client is registered',
  keepSecret: 'Keep the secret now: it cannot be shown again, only replaced.',
  noSecret: 'It has no secret. Give the app this ID; PKCE protects its codes.',
  clientId: 'Client ID',
  clientSecret: 'Client secret',
  issuer: 'Server address (issuer)',
  envLines: 'As lines of a .env file',
  copyEnv: 'Copy lines',
  kept: 'I have kept it',
  toClient: 'Go to the client',

  edit: 'Edit',
  facts: 'About this client',
  factGrants: 'Grants',
  factScopes: 'May ask for',
  factScopesAll: 'Every scope that is not sensitive',
  factScopesNone: 'No scope',
  factMade: 'Added',
  factChanged: 'Last changed',
  factRedirects: 'Redirect URIs',
  factRedirectsNone: 'None registered',
  factLive: 'Signed in now',
  factPeople: 'People who approved it',
  firstPartyFact: 'First-party: people are not asked for consent.',
  resourceServerFact: 'Resource server: it may introspect tokens of other clients.',
  disabledNotice:
    'This client is disabled: it gets no codes and no tokens, and what it had has ended.',
  loose: 'Looser than recommended',
  looseText:
    'Measured by RFC 9700, the best current practice for OAuth security. Each line says how to close the gap.',
  looseNone: 'Nothing is looser than RFC 9700 recommends.',
  looseFixHere: 'Change it',
  looseFixSetting: 'Open settings',
  secrets: 'Secrets',
  secretsText:
    'To rotate without downtime: add a second secret, give it to the app, and delete the old one once it is no longer used.',
  secretsCaption: 'Secrets of this client',
  secretMade: 'Made',
  secretUsed: 'Last used',
  secretNever: 'Never used',
  secretNumber: (number: number) => `Secret ${number}`,
  secretAge: (hash: string) => `Fingerprint ${hash}`,
  secretAdd: 'Add a secret',
  secretReplace: 'Replace all',
  secretReplaceWhat: (count: number) =>
    `A new secret is made, and ${count === 1 ? 'the one there is' : `all ${count} there are`} stop working at once. The app fails until it has the new one.`,
  secretReplaceConfirm: 'Yes, replace',
  secretDelete: 'Delete',
  secretDeleteLabel: (name: string) => `Delete ${name}`,
  secretDeleteWhat: (used: boolean) =>
    used
      ? 'It stops working at once. If the app still uses it, the app fails.'
      : 'It stops working at once. It was never used.',
  secretDeleteConfirm: 'Yes, delete it',
  secretDeleted: 'The secret is deleted.',
  secretNew: 'The new secret',
  people: 'People',
  peopleText: 'Who allowed it to use their account, the latest first.',
  peopleNone: 'Nobody has approved it yet.',
  peopleNoneFirstParty: 'Nobody has signed in to it yet.',
  peopleAll: 'All approvals',
  eventsAll: 'All events',
  person: 'Person',
  allowed: 'Allowed',
  since: 'Since',
  lastUsed: 'Last used',
  never: 'not yet',
  peopleCaption: 'People who approved this client',
  events: 'Recent events',
  eventsCaption: 'Recent events of this client',
  eventsNone: 'Nothing has happened yet.',
  when: 'When (UTC)',
  what: 'What',
  who: 'Who',
  from: 'From',
  danger: 'Disable or delete',
  disable: 'Disable…',
  disableWhat: (ends: string) =>
    `It is shut out at once. ${ends} You can enable it again, but what has ended stays ended.`,
  disableConfirm: 'Yes, disable it',
  disabledDone: 'The client is disabled, and what it had has ended.',
  enable: 'Enable',
  enabledDone: 'The client is enabled. People and the app sign in anew.',
  enableText: 'It may ask for codes and tokens again. What had ended stays ended.',
  delete: 'Delete…',
  deleteWhat: (name: string, ends: string) =>
    `${name} goes for good, with its secrets, approvals and tokens. ${ends}`,
  deleteConfirm: 'Yes, delete it',
  deletedDone: (name: string) => `${name} is deleted, with everything issued to it.`,
  ends: (people: number, signIns: number) =>
    people + signIns === 0
      ? 'Nobody has approved it, and it is signed in nowhere.'
      : `This ends what ${amount(people, 'person', 'people')} approved and signs it out at ${amount(signIns, 'place', 'places')}.`,

  editTitle: (name: string) => `Edit ${name}`,
  save: 'Save changes',
  saved: 'Saved. It holds for every request from now on.',
  cancel: 'Cancel',
  appearance: 'How people see it',
  description: 'Description',
  descriptionHint: 'For the admins of this server.',
  privacyLink: 'Privacy policy',
  termsLink: 'Terms of use',
  linkHint: 'Linked on the consent page.',
  addresses: 'Where it leads',
  postLogout: 'After signing out',
  postLogoutHint:
    'Where people may be sent after signing out of the app (post-logout redirect URIs), one per line.',
  backchannel: 'Back-channel logout',
  backchannelHint:
    'An https address of the app’s server that is told when somebody’s session ends.',
  may: 'What it may ask for',
  grants: 'Grants',
  grantNames: grantTypes,
  scopes: 'Scopes',
  scopesMode: 'Which scopes',
  scopesAll: 'Every scope that is not sensitive',
  scopesAllHint: 'Those that are made later included.',
  scopesListed: 'Only these',
  scopesListedHint: 'Tick below. The less it may ask for, the less a stolen token can do.',
  trust: 'Type and trust',
  type: 'Type',
  confidentialHint: 'Its server keeps a secret.',
  publicHint: 'Runs where no secret stays secret. It must use PKCE, and its refresh tokens rotate.',
  typeWarning:
    'Another type ends everything issued to it so far. One that becomes confidential gets a secret; one that becomes public loses its own.',
  firstParty: 'First-party',
  firstPartyHint: 'Yours: people are not asked for consent. Not for apps of others.',
  resourceServerLabel: 'Resource server',
  resourceServerHint:
    'An API that may ask whether tokens of other clients are valid (introspection).',
  protocol: 'Protocol',
  byServer: (value: string) => `As the server says (${value})`,
  on: 'On',
  off: 'Off',
  requirePkce: 'Require PKCE',
  requirePkceHint:
    'It must send a code_challenge, which many libraries do only when told to. Public clients must in any case.',
  requireAuth: 'Require the secret on refresh',
  requireAuthHint: 'It must authenticate when it refreshes.',
  sendIss: 'Send iss with the answer',
  sendIssHint:
    'Tells the app which server answers (RFC 9207). Untick only for libraries that fail on it.',
  idTokenAlg: 'Signature of ID tokens',
  idTokenOnRefresh: 'Send an ID token with each refresh',
  idTokenOnRefreshHint:
    'With scope openid. Some command-line tools need it; untick only for libraries that fail on it.',
  lifetimes: 'Lifetimes',
  lifetimesText: 'In seconds. Empty: as the server says.',
  accessTokenTtl: 'Access token',
  refreshTokenTtl: 'Refresh token, unused',
  refreshTokenMaxTtl: 'Refresh token, in all',
  serverSays: (seconds: number) =>
    `The server says ${seconds.toLocaleString('en')} (${inWords(seconds)}).`,
  logo: 'Logo',
  logoText: 'Shown when people sign in, on the consent page and in their account.',
  logoFile: 'Picture',
  logoHint:
    'PNG, JPEG, WebP or GIF, square, at most 512 KB. It is kept with at most 512 pixels each way.',
  logoSave: 'Upload',
  logoSaved: 'The logo is in use.',
  logoRemove: 'Remove',
  logoRemoved: 'The logo is removed.',
  logoMissing: 'Choose a picture.',
  logoTooLarge: 'The picture has more than 512 KB.',
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
