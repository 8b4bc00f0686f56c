/** What the steps of the set-up say, once there is an account. */
export const setUpWords = {
  nav: 'Steps of the set-up',
  titleOf: (title: string, step: number, of: number) => `${title} – Set-up, step ${step} of ${of}`,
  steps: {
    you: { label: 'You', title: 'Protect your account', text: 'Your account is ready.' },
    server: {
      label: 'This server',
      title: 'This server',
      text: 'What people see, and how apps and mail reach it. Everything can be changed later.',
    },
    app: {
      label: 'Connect an app',
      title: 'Connect an app',
      text: 'Choose what you want to sign in to. Its settings are filled in, and you get the text to paste.',
    },
  },
  next: 'Continue',
  skip: 'Skip for now',
  save: 'Save and continue',
  saved: 'Saved.',
  unchanged: 'Nothing was changed.',
  finish: 'Finish without an app',
  later: 'You can leave at any time: what’s left to do is on',
  home: 'Home',
  you: {
    account: 'Your account',
    signedIn: 'You’re an admin, signed in as',
    passkey: 'Add a passkey',
    why: 'A password alone protects this server. With a passkey you sign in with your fingerprint, your face or your device’s PIN, and nobody can steal it.',
    has: 'You use a passkey or an authenticator app.',
    impossible:
      'Passkeys need an address with a name, and this server has only a number. You can add an authenticator app in your account.',
  },
  look: 'Name and colour',
  browser: {
    same: (origin: string) => `Checked from your browser: it’s at ${origin} too.`,
    differs: (origin: string, issuer: string) =>
      `Your browser is at ${origin}, but ISSUER is ${issuer}. If ${origin} is right, set ISSUER=${origin} and restart.`,
  },
} as const;
