/** What the developers of an app are shown who aren’t admins. */
export const developerWords = {
  title: 'Apps you develop',
  lead: 'You’re a developer contact of these apps: you can see how to connect them and what their sign-in attempts did.',
  none: 'You’re not a developer contact',
  noneText: 'An admin can make you one, on the app’s Access tab.',
  app: (name: string) => `${name} – for developers`,
  appText: 'How to connect the app, and its latest sign-in attempts. Names of people are hidden.',
  back: 'Apps you develop',
  backToApp: 'Back to the app',
  find: 'Find by request ID',
  findButton: 'Find',
  notFound: 'No attempt of this app has this request ID',
  mendable: (what: string) => `An admin can change this: “${what}”.`,
  copyTitle: 'Copy for the administrator',
} as const;

/** The developer contacts on an app's Access tab. */
export const contactWords = {
  title: 'Developer contacts',
  text: 'They see this app’s sign-in attempts, with names of people hidden, and how to connect it. Nothing else.',
  none: 'No one yet.',
  person: 'Username or email',
  add: 'Add',
  added: 'Developer contact added.',
  remove: 'Remove',
  removeLabel: (name: string) => `Remove ${name} as a developer contact`,
  removed: 'Developer contact removed.',
  disabled: 'disabled',
} as const;
