/** What the pages about apps that added themselves say. */
export const newAppWords = {
  filter: 'Added',
  byAdmins: 'By admins',
  byThemselves: 'By themselves',
  byDocument: 'By a document',
  byRegistration: 'By registration',
  badge: 'Introduced itself',
  origins: {
    document: 'Metadata document',
    registration: 'Dynamic registration',
  },

  factsTitle: 'Introduced itself',
  factsDocument:
    'Nobody added this app. Its client ID is the address of a document that says who it is; its host vouches for it.',
  factsRegistration:
    'Nobody added this app. It registered itself, so its name and its links are what it says; only where it leads back to is known.',
  factHost: 'Host',
  factOrigin: 'How it came',
  factSince: 'First allowed',
  factRead: 'Document read',
  factStale: 'Read again from',
  allOfHost: 'All apps of this host',

  decided: 'What its document decides',
  decidedText:
    'These follow the document and change with it; people are then asked again. To change them, its publisher changes the document.',
  decidedFault: 'The app’s document decides that. It can’t be changed here.',
  none: 'None',
  openDocument: 'Open the document',
  comesBack:
    'It can introduce itself again when somebody uses it. To keep it out, block its host instead.',
  staysAway:
    'It can’t come back under this client ID, but it can register anew. To keep it out, block its host.',

  waiting: 'Waiting for you',
  waitingText:
    'People want to use these apps. Nobody can use them until you approve. Each person still chooses whether to allow access.',
  waitingList: 'Apps that wait for approval',
  columnApp: 'App',
  columnBy: 'Asked by',
  columnSince: 'Since',
  columnAct: 'Decide',
  refusedOnes: (count: number) => (count === 1 ? 'One refused app' : `${count} refused apps`),
  refusedList: 'Refused apps',
  saysItIs: (name: string) => `It says it is called “${name}”.`,
  approve: 'Approve',
  approveLabel: (host: string) => `Approve the app of ${host}`,
  refuse: 'Refuse',
  refuseLabel: (host: string) => `Refuse the app of ${host}`,
  approved: (host: string) => `Approved. People can now allow the app of ${host}.`,
  refused: (host: string) => `Refused. Nobody can use the app of ${host}.`,

  attention: {
    title: 'Apps wait for approval',
    why: 'People want to use apps that added themselves.',
  },
  attentionNote: (username: string) => `asked by ${username}`,

  hosts: 'Hosts',
  hostsText:
    'Block a host to keep its apps out, and those of every host below it. What they were given ends at once, for good.',
  host: 'Host',
  hostHint: 'Such as apps.example.org',
  look: 'Look up',
  found: (apps: number, people: number, signIns: number) =>
    apps === 0
      ? 'No app of it has added itself yet.'
      : `${apps === 1 ? 'One app' : `${apps.toLocaleString('en')} apps`}, allowed by ${people === 1 ? 'one person' : `${people.toLocaleString('en')} people`}, with ${signIns === 1 ? 'one active sign-in' : `${signIns.toLocaleString('en')} active sign-ins`}.`,
  block: 'Block it…',
  blockText: (host: string) =>
    `Apps of ${host} and of every host below it are shut out, and everything they were given ends now.`,
  blockConfirm: 'Yes, block it',
  blocked: (host: string) => `Blocked ${host}.`,
  isBlocked: 'It is blocked.',
  removeApps: 'Remove its apps…',
  removeAppsText: (host: string) =>
    `All apps of ${host} are deleted with everything issued to them. They can introduce themselves again unless it is blocked.`,
  removeAppsConfirm: 'Yes, remove them all',
  removedApps: (host: string, apps: number) =>
    `Removed ${apps === 1 ? 'one app' : `${apps.toLocaleString('en')} apps`} of ${host}.`,
  blockedList: 'Blocked hosts',
  noneBlocked: 'No host is blocked.',
  columnHost: 'Host',
  columnBlocked: 'Blocked',
  columnApps: 'Apps',
  unblock: 'Unblock',
  unblockLabel: (host: string) => `Unblock ${host}`,
  unblocked: (host: string) => `Unblocked ${host}. Revoked access stays revoked.`,
} as const;
