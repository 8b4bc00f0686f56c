/** What the page about approvals and tokens says. */
export const approvalWords = {
  title: 'Approvals',
  lead: 'Which people gave which apps access. Revoking takes effect immediately.',
  list: 'Approvals',
  one: 'approval',
  several: 'approvals',
  person: 'Person',
  personHint: 'Username or email address',
  client: 'App',
  clientHint: 'Name or client ID',
  find: 'Search',
  none: 'No approvals yet',
  noneText: 'When someone allows an app to use their account, it shows up here.',
  nothingFound: 'No approvals match',
  nothingFoundText: 'Try another person or app.',
  noPerson: (text: string) => `Nobody is called “${text}”.`,
  noClient: (text: string) => `No app is called “${text}”.`,
  which: (text: string) => `“${text}” matches several. Which one?`,
  columnWho: 'Person',
  columnClient: 'App',
  columnScopes: 'Scopes',
  columnFirst: 'Allowed',
  columnLast: 'Last used',
  never: 'never',
  act: 'Action',
  revoke: 'Revoke…',
  revokeLabel: (person: string, client: string) => `Revoke what ${person} allowed ${client}`,
  revokeText: (person: string, client: string) =>
    `${client} loses access to ${person}’s account immediately. It can ask again.`,
  revokeConfirm: 'Yes, revoke',
  revokeAllOfPerson: (person: string) => `Revoke all for ${person}…`,
  revokeAllOfPersonText: (person: string) =>
    `Every app loses access to ${person}’s account immediately. Apps can ask again.`,
  revokeAllOfClient: (client: string) => `Revoke all for ${client}…`,
  revokeAllOfClientText: (client: string) =>
    `${client} loses access to everyone’s account immediately. It can ask again.`,
  revokeAllConfirm: 'Yes, revoke all',
  revoked: (count: number) =>
    count === 0
      ? 'There was nothing left to revoke.'
      : count === 1
        ? 'One approval revoked, along with its tokens.'
        : `${count} approvals revoked, along with their tokens.`,
} as const;
