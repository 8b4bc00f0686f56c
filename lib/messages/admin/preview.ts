import { mostGroups, ownRoom } from '../../oauth/id-token-room.ts';

/** What the page says that shows what an app would be told about somebody. */
export const previewWords = {
  title: 'Claims preview',
  lead: 'What this app would be told about someone. Nothing is issued.',
  person: 'Person',
  personHint: 'Username or email',
  scopes: 'If the app asks for',
  show: 'Show',
  allowed: (username: string, scopes: string) => `${username} has allowed this app: ${scopes}.`,
  none: (username: string) => `${username} hasn’t allowed this app anything yet.`,
  keptOut: {
    'no-access': (username: string) =>
      `${username} can’t use this app: it isn’t for everyone, and lists neither them nor a group of theirs.`,
    approval: (username: string) =>
      `${username} can’t use this app before an administrator approves it.`,
  },
  idToken: 'ID token',
  idTokenText:
    'As if they signed in now with a password. The session, token hash and times are examples.',
  leftOut: {
    groups: `The ID token says nothing of groups: it has room for ${mostGroups}, and for ${ownRoom.toLocaleString('en')} bytes. The app finds all of them in the user information.`,
    fields:
      'The ID token has no room for the fields of your own. The app finds them in the user information.',
  },
  constant: 'The same for everyone.',
  claimsOf: (title: string) => `Claims: ${title}`,
  noIdToken: 'There is none without the openid scope.',
  userinfo: 'User information',
  introspection: 'Introspection',
  noIntrospection: 'A public app can’t ask about tokens.',
} as const;
