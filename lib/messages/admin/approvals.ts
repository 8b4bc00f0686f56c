/** What the page about approvals and tokens says. */
export const approvalWords = {
  title: 'Approvals and tokens',
  lead: 'Who allowed which app to do what. Taking an approval back ends its codes and tokens at once.',
  list: 'Approvals',
  person: 'Person',
  personHint: 'User name or email address',
  client: 'Client',
  clientHint: 'Name or client ID',
  find: 'Search',
  none: 'No approvals yet',
  noneText: 'When somebody allows an app to use their account, it appears here.',
  nothingFound: 'No approval matches',
  nothingFoundText: 'Nobody allowed that so far.',
  noPerson: (text: string) => `Nobody is called “${text}”.`,
  noClient: (text: string) => `No client is called “${text}”.`,
  which: (text: string) => `“${text}” fits several. Which one?`,
  columnWho: 'Person',
  columnClient: 'Client',
  columnScopes: 'Scopes',
  columnFirst: 'Allowed',
  columnLast: 'Last used',
  never: 'not yet',
  act: 'Act',
  revoke: 'Revoke…',
  revokeLabel: (person: string, client: string) => `Revoke what ${person} allowed ${client}`,
  revokeText: (person: string, client: string) =>
    `${client} loses access to the account of ${person} at once. It has to ask again.`,
  revokeConfirm: 'Yes, revoke',
  revokeAllOfPerson: (person: string) => `Revoke all of ${person}…`,
  revokeAllOfPersonText: (person: string) =>
    `Every app loses access to the account of ${person} at once, and has to ask again.`,
  revokeAllOfClient: (client: string) => `Revoke all of ${client}…`,
  revokeAllOfClientText: (client: string) =>
    `Everybody who allowed ${client} is asked again; its codes and tokens for people end at once.`,
  revokeAllConfirm: 'Yes, revoke all',
  revoked: (count: number) =>
    count === 0
      ? 'There was nothing left to revoke.'
      : count === 1
        ? 'One approval is revoked; its tokens have ended.'
        : `${count} approvals are revoked; their tokens have ended.`,
} as const;
