/** What the search of the whole dashboard says. */
export const searchWords = {
  title: 'Search',
  results: (text: string) => `Results for “${text}”`,
  lead: 'Finds apps by any part of their name, description or client ID; people by the start of their name, last name, username or email address; groups by the start of their name; scopes, APIs and settings by any part of theirs; sign-in attempts by the request ID from an error page or log.',
  field: 'Name, email address or ID',
  /** The field at the top of every page, and its button. */
  anywhere: 'Find anything',
  hint: 'Apps, people, groups, request IDs…',
  go: 'Find',
  apps: 'Apps',
  people: 'People',
  groups: 'Groups',
  scopes: 'Scopes',
  apis: 'APIs',
  settings: 'Settings',
  more: {
    apps: 'All apps that match',
    people: 'All people who match',
    groups: 'All groups that match',
    apis: 'All APIs that match',
  },
  nothing: (text: string) => `Nothing matches “${text}”`,
  nothingText:
    'No app, person, group, scope, API or setting has it in its name, and no sign-in attempt with this request ID is kept. People and groups are found by the start of a name, people by that of a username or email address too.',
} as const;

/** What differs for support, who finds people alone. */
export const supportSearchWords = {
  lead: 'Finds people by the start of their name, last name, username or email address.',
  field: 'Name or email address',
  anywhere: 'Find people',
  hint: 'Name or email address…',
  nothingText: 'People are found by the start of a name, username or email address.',
} as const;
