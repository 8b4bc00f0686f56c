/** What the card says that decides which claims an app gets. */
export const claimsWords = {
  title: 'Claims',
  text: 'What this app is told beyond the standard claims, and under which names.',
  preview: 'Preview',
  groupsClaim: 'Claim for groups',
  groupsClaimHint:
    'If the app asks for the scope “groups”, it gets the names of a person’s groups in this claim. Some apps read “roles” or “cognito:groups” instead.',
  groupsPrefix: 'Only groups that start with',
  groupsPrefixHint:
    'Such as “app-”. The app isn’t told about other groups. Leave blank for all groups.',
  groupNames: 'Names this app uses',
  groupNamesHint:
    'One per line: group = name in the app, such as “editors = admin”. Groups that aren’t listed keep their names. Several can share one.',
  constantClaims: 'The same for everyone',
  constantClaimsHint:
    'One per line: claim = value, such as “plan = pro”. Numbers, true, false and lists such as ["a", "b"] are sent as such. The app gets them in the ID token and the user information.',
  claimShape: 'User information',
  shapes: {
    standard: { label: 'Standard', hint: 'The claims of OpenID Connect.' },
    'wp-oauth-server': {
      label: 'WP OAuth Server',
      hint: 'Adds ID, user_login, user_email and the others that apps made for this WordPress plugin read.',
    },
  },
  example: (groups: string) => `For someone in ${groups}, the app gets:`,
  room: (groups: number) =>
    `An ID token has room for ${groups} groups. For someone in more, it leaves the claim out, and the app finds all of them in the user information.`,
  cannotAsk: 'This app can’t ask for the scope “groups”, so it isn’t told about any.',
  unknown: (names: string) => `No group has this exact name: ${names}.`,
  save: 'Save claims',
  saved: 'Claims saved.',
} as const;
