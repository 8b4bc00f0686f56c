/** What the pages about APIs say. */
export const apiWords = {
  title: 'APIs',
  lead: 'APIs and MCP servers that accept tokens from this server.',
  add: 'Add an API',
  list: 'APIs',
  one: 'API',
  several: 'APIs',
  search: 'Search APIs',
  searchHint: 'Part of the name or identifier',
  columnName: 'API',
  columnTokens: 'Tokens',
  columnAccess: 'Who can ask',
  columnScopes: 'Scopes',
  none: 'No APIs yet',
  noneText:
    'An app that asks for an API gets tokens that only this API accepts, and people read its name and scopes before they allow it. Add one for each MCP server or API that should trust this server.',
  nothingFound: 'No APIs match',
  nothingFoundText: 'Try another part of the name or identifier.',
  newTitle: 'Add an API',
  newLead: 'Nothing changes for the apps you have until they ask for it.',
  identifier: 'Identifier',
  identifierHint:
    'The address of the API, such as https://mcp.example.org/mcp. Apps send it as “resource”, and tokens name it as their audience. You can’t change it later.',
  name: 'Name',
  nameHint: 'People read it on the consent page.',
  description: 'Description',
  descriptionHint: 'One sentence for people whom an app asks.',
  scopes: 'Scopes',
  scopesHint:
    'One per line, as name = what an app can do with it, such as files:read = Read your files. Start the text with a verb.',
  scopesEdit:
    'A scope you remove here is withdrawn: people’s approvals of it and the tokens that carry it end immediately.',
  strangeScope: (name: string) => `“${name}” isn’t one of the scopes above.`,
  translations: 'In other languages',
  translationsHint: 'Lines as above, for people who use this server in that language.',
  tokenFormat: 'Tokens',
  formats: {
    opaque: {
      label: 'Opaque',
      short: 'Opaque',
      hint: 'The API asks this server about each token, so what is withdrawn stops working at once.',
    },
    jwt: {
      label: 'JWT (RFC 9068)',
      short: 'JWT',
      hint: 'The API checks the signature itself, without asking. A token works until it expires, whatever happens meanwhile.',
    },
    'plain-jwt': {
      label: 'JWT with the type JWT',
      short: 'JWT (typ JWT)',
      hint: 'The same for what takes no token of type at+jwt, such as Spring’s settings alone. Looser: ID tokens have this type too, so the API has to check the audience.',
    },
  },
  plain: 'Its tokens have the type of ID tokens',
  plainText:
    'The header says typ JWT in place of at+jwt (RFC 9068), which keeps the two apart by itself. Whatever checks these tokens must check aud and client_id. Once it takes at+jwt, choose JWT (RFC 9068).',
  lifetime: 'Lifetime of its tokens',
  lifetimeHint: 'Such as 10 minutes. Empty: ten minutes for a JWT, else as for the app.',
  access: 'Who can ask for its tokens',
  accesses: {
    listed: {
      label: 'Only listed apps',
      short: 'Listed apps',
      hint: 'You add each of them on the page of this API.',
    },
    admins: {
      label: 'Apps that admins added',
      short: 'Apps of admins',
      hint: 'And listed ones, also if they added themselves.',
    },
    anyone: {
      label: 'Any app',
      short: 'Any app',
      hint: 'Apps that added themselves too. What MCP clients need that you don’t add one by one.',
    },
  },
  create: 'Add API',
  created: (name: string) =>
    `API ${name} added. Its developer finds below what to put in front of it.`,
  details: 'Settings',
  save: 'Save',
  saved: 'Saved. Changes take effect immediately.',
  withdrawal: 'When something is withdrawn',
  withdrawalText: (life: string) =>
    `A JWT is checked without asking this server. When a person removes an app, or you end something here, refreshing stops at once, but a token that’s already out works until it expires, at most ${life}.`,
  facts: (people: number, signIns: number) =>
    `${counted(people, 'person has', 'people have')} allowed an app to use it. ${counted(signIns, 'sign-in is', 'sign-ins are')} for it now.`,
  askers: 'Apps that can ask for it',
  askersText: {
    listed: 'Only these can ask for its tokens.',
    admins: 'Every app that admins added can ask for its tokens, and these.',
    anyone: 'Every app can ask for its tokens. This list counts once you choose otherwise.',
  },
  askersNone: 'No app is listed.',
  servers: 'The API itself',
  serversText:
    'The app whose client ID and secret the API uses to ask this server about its tokens (introspection).',
  serversNone: 'None yet. The API needs one if its tokens are opaque.',
  app: 'App',
  appHint: 'Client ID or name',
  addApp: 'Add',
  addAppLabel: (name: string) => `Add ${name}`,
  removeApp: 'Remove',
  removeAppLabel: (name: string) => `Remove ${name}`,
  appAdded: 'Added. It’s in force now.',
  appRemoved: 'Removed. What it could do by this ended.',
  whichApp: (text: string) => `Which app do you mean by “${text}”?`,
  noApp: (text: string) => `No app has “${text}” in its name or client ID.`,
  candidates: 'Apps that may be meant',
  developer: 'For its developer',
  developerText:
    'What the API publishes about itself, so that apps find this server, and a program that checks its tokens.',
  checker: 'Check its tokens',
  checkerText: 'Put one of these in front of the API.',
  checkerIn: (language: string) => `In ${language}`,
  checkerNeeds: 'It needs',
  checkerSecret:
    'Set API_CLIENT_ID and API_CLIENT_SECRET to those of the app under “The API itself”.',
  remove: 'Delete this API',
  removeText: 'Apps can no longer get tokens for it.',
  removeButton: 'Delete…',
  removeWhat: (name: string, people: number, signIns: number) =>
    `This permanently deletes ${name}. ${counted(people, 'person has', 'people have')} allowed an app to use it, and ${counted(signIns, 'sign-in', 'sign-ins')} for it will end.`,
  removeJwt: (life: string) =>
    `Tokens that are already out work until they expire, at most ${life}.`,
  removeConfirm: 'Yes, delete it',
  removed: (name: string, people: number, signIns: number) =>
    `API ${name} deleted. ${counted(people, 'person', 'people')} had allowed it; ${counted(signIns, 'sign-in', 'sign-ins')} ended.`,
  ofApp: 'APIs',
  ofAppText: 'Those it can ask for tokens for, and those that it is.',
  ofAppNone: 'It can’t ask for tokens for any API.',
  ofAppServes: 'Is this API',
  ofAppAsks: 'Can ask',
  ofAppMore: (more: number) => `and ${more.toLocaleString('en')} more.`,
  ofAppAll: 'View all',
} as const;

function counted(number: number, one: string, many: string): string {
  return number === 0
    ? `No ${many}`
    : `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}
