/** What the pages that connect an app say. */
export const connectWords = {
  title: 'Add an app',
  lead: 'Pick what you’re connecting. Its settings are filled in for you.',
  back: 'Apps',
  search: 'Search apps and frameworks',
  searchSubmit: 'Search',
  clear: 'Show all',
  groups: {
    program: 'Apps you run',
    stack: 'Apps you write',
    plain: 'Any other kind',
  },
  found: (count: number) => (count === 1 ? '1 match' : `${count} matches`),
  foundNone: (typed: string) => `Nothing matches “${typed}”.`,
  foundNoneText: 'Most software that speaks OpenID Connect or OAuth 2.0 works. Set it up yourself:',
  elseLabel: 'Something else',
  elseText: 'Choose a type and enter the addresses yourself.',

  recipeTitle: (name: string) => `Connect ${name}`,
  recipeLead: (questions: number) =>
    questions === 1
      ? 'One question. The rest is filled in for you.'
      : 'A few questions. The rest is filled in for you.',
  nameHint: 'People see this name when they sign in.',
  other: '← Choose a different app',
  create: 'Add app',
  insecure: 'I accept that plain http isn’t encrypted',
  insecureHint:
    'Anyone on the network can intercept a sign-in. People are asked for consent every time.',

  kindTitle: 'Set up another app',
  kindLead: 'Choose a type to get started. You can change everything later.',
  kind: 'Type',
  advanced: 'Advanced',
  noRedirect: 'Let each request name its own redirect URI',
  noRedirectHint:
    'Without a list, anyone can start a sign-in that ends at an address they choose. People are warned each time.',
  noRedirectAsked:
    'No redirect URI is listed. Enter at least one, or confirm below that each request may name its own.',

  madeTitle: (name: string) => `Connect ${name}: your credentials`,
  madeHeading: (name: string) => `${name} is ready to connect`,
  madeText: 'Put these values into the app. You’ll find everything but the secret on its page.',
  keepSecret: 'Copy the secret now. You won’t see it again.',
  keepSecretPlain: 'Once you leave or reload this page, it can only be replaced, not shown again.',
  noSecret: 'This app has no secret. PKCE protects its sign-ins.',
  values: 'Credentials',
  issuer: 'Issuer',
  clientId: 'Client ID',
  clientSecret: 'Client secret',
  steps: 'Steps',
  blocks: 'Paste this',
  trap: 'Common pitfall',
  field: 'Field',
  value: 'Value',
  copyBlock: (title: string) => `Copy “${title}”`,
  copyValue: (label: string) => `Copy ${label}`,
  sourceRun: (version: string) => `Run against this server in our tests, with ${version}.`,
  sourceByHand: (version: string, day: string) =>
    `Run by hand against this server on ${day}, with ${version}.`,
  sourceRead: (version: string) => `Taken from the documentation of ${version}. We haven’t run it.`,
  sourcePages: 'Where this comes from',
  notChecked: 'What we couldn’t check',
  done: 'I’ve saved it',
  toApp: 'Continue',
  leaveSecret: 'You haven’t copied the client secret. It can’t be shown again. Leave anyway?',
  leaveForm: 'You have unsaved changes. Leave anyway?',
} as const;
