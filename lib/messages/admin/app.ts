/** What the four pages about an app say. */
export const appWords = {
  title: (name: string, tab: string) => `${name} – ${tab}`,
  sections: 'Sections of this app',
  tabs: { connect: 'Connect', activity: 'Activity', access: 'Access', settings: 'Settings' },

  secretHidden: 'Shown once, when it was made.',
  secretAnother: 'Lost it? Add another.',
  secretNone: 'This app has none. PKCE protects its sign-ins.',
  redirect: 'Redirect URI',
  redirectNumber: (number: number) => `Redirect URI ${number}`,
  redirectAdd: 'Add a redirect URI',
  endpoints: 'Addresses',
  endpointsText: 'Most software only needs the issuer and finds these by itself.',
  docs: 'For developers',
  guide: 'Set-up guide',
  guideText: 'Pick the software you’re connecting to get its settings filled in.',
  guideFor: 'Software',
  guideNone: 'Choose…',
  guideShow: 'Show',
  unregistered: 'This set-up needs redirect URIs that aren’t registered:',

  events: 'Events',
  eventsFilter: 'Search events',

  facts: 'At a glance',
  factPeople: 'People who gave access',
  factSignIns: 'Active sign-ins',
  scopes: 'What it can ask for',
  scopesAll: 'All scopes except sensitive ones.',
  scopesNone: 'No scopes.',
  change: 'Change',
  people: 'People',
  peopleText: 'Revoking access takes effect immediately. The app can ask again.',

  revokeAll: 'Revoke everyone’s access…',

  further: 'Links and sign-out',
  advanced: 'Advanced',
  advancedText:
    'Privacy and terms links, sign-out addresses, scopes, type, protocol and lifetimes.',
} as const;
