/** What the card about the rules of an app says. */
export const rulesWords = {
  title: 'Rules',
  text: 'What this app needs beyond a normal sign-in. Changes apply right away, to people who are already signed in, too.',
  badge: 'Rules',
  requireSecondFactor: 'Require two-step sign-in',
  requireSecondFactorHint:
    'People sign in with a passkey or a second step. Anyone without one sets it up on the way.',
  maxSignInAge: 'Sign-in no older than',
  maxSignInAgeHint:
    'How old a sign-in can be when the app asks for one, such as 30 minutes. After that, people sign in again. Leave blank for any age.',
  signInLife: 'Access ends after',
  signInLifeHint:
    'Time after the sign-in, such as 12 hours. Then the app’s access ends, and people sign in again. Leave blank for no limit.',
  networks: 'Networks',
  networksHint:
    'People can sign in to it only from these, such as 203.0.113.0/24 or 2001:db8:12::/48. One per line. Leave blank for anywhere.',
  youAreAt: (address: string) => `You’re at ${address} now.`,
  noAddress:
    'This server can’t see where people are, so a list here would keep everyone out. If it’s behind a proxy, set TRUSTED_PROXIES first.',
  save: 'Save rules',
  saved: 'Rules saved.',
} as const;
