/** What Home says about the way to the first sign-in, and about a server at work. */
export const homeWords = {
  title: 'Home',
  lead: 'From here to the first sign-in at an app of yours.',
  leadAtWork: 'Activity, and things that need your attention. Times are UTC.',
  support: 'Find the person who needs help.',
  steps: 'Get started',
  byStep: 'Step by step',
  stepsText: (done: number, of: number) => `${done} of ${of} done. These check themselves off.`,
  left: (open: number) =>
    open === 1 ? 'One step of the set-up is left' : `${open} steps of the set-up are left`,
  states: { done: 'Done', open: 'To do', advice: 'Advice' },
  well: 'All is well',
  wellText: 'No failing apps, locked accounts, old secrets or weakened settings.',
  address: {
    title: 'Public address',
    right: (issuer: string) => `You opened this page at ${issuer}, the address apps are told.`,
    local: (issuer: string) =>
      `${issuer} is reachable from this computer only: fine for trying things out. Before others sign in, set ISSUER to the public https address and restart.`,
    plain: (issuer: string) =>
      `${issuer} isn’t encrypted, so passwords can be read on the network. Put an HTTPS proxy in front, set ISSUER to the https address and restart.`,
    other: (issuer: string, opened: string) =>
      `You opened this page at ${opened}, but ISSUER is ${issuer}. Open ${issuer}, or set ISSUER=${opened} and restart.`,
    unseen: (issuer: string, opened: string) =>
      `Your proxy asks for ${opened || 'no host'}, so this server can’t see the address in your browser. It should be ${issuer}. A proxy that passes the Host header on is checked here.`,
  },
  mail: {
    title: 'Email',
    on: (server: string, from: string) => `Sent by ${server}, from ${from}.`,
    guessed: (server: string, from: string) =>
      `Sent by ${server}, from ${from}. That address is a guess: set MAIL_FROM to one your mail server may use.`,
    test: 'Send a test email',
    outbox: 'Development: email is kept in the outbox and not sent.',
    outboxLink: 'Open the outbox',
    off: 'Email is off. Without it, nobody can reset a forgotten password, confirm an address, register, or hear about changes to their account. Set MAIL_URL and MAIL_FROM, then restart.',
  },
  app: {
    title: 'First app',
    done: 'An app is connected.',
    doneLink: 'View apps',
    open: 'Pick yours from the list: its settings are filled in, and you get the text to paste.',
    openLink: 'Add an app',
  },
  signIn: {
    title: 'First sign-in',
    done: 'Someone has signed in to an app.',
    open: 'Sign in to your app once. Each attempt is recorded; if one fails, it says what arrived and what was expected.',
    openLink: 'Watch sign-in attempts',
  },
  admin: {
    title: 'Second admin',
    done: 'Someone else can help if you lose access.',
    open: 'You’re the only admin. If you lose access, only the command line can let you back in.',
    openLink: 'Add a person',
  },
  factor: {
    title: 'Your second step',
    done: 'You use a passkey or an authenticator app.',
    open: 'A password alone protects this dashboard. Add a passkey or an authenticator app.',
    openLink: 'Set it up',
  },
  backup: {
    title: 'Backup',
    off: 'Set BACKUP_DIR, and the server keeps daily copies of everything there. Keep the server secret in another place, too. This makes one now:',
    on: (folder: string, hours: number, last: string) =>
      `A copy of everything every ${hours === 1 ? 'hour' : `${hours} hours`} in ${folder}, the last one at ${last.slice(0, 16).replace('T', ' ')} UTC.`,
    first: (folder: string) => `The first copy in ${folder} is being made.`,
    late: (folder: string, last?: string) =>
      `${last ? `The last copy in ${folder} is of ${last.slice(0, 16).replace('T', ' ')} UTC` : `There’s no copy in ${folder} yet`}. If that doesn’t change within minutes, the server’s log says why.`,
  },
} as const;
