/** What Home says about activity and trouble. */
export const overviewWords = {
  untrustedProxies: (peers: string, othersAreTrusted: boolean) =>
    `X-Forwarded-For comes from ${peers}, which TRUSTED_PROXIES doesn’t list, so it isn’t believed. ${
      othersAreTrusted
        ? 'Everyone who comes from there counts as one address. If that’s your proxy, add it to TRUSTED_PROXIES and restart. If you don’t know it, somebody there pretends to be elsewhere, in vain.'
        : 'Everyone who comes from there counts as one address, with ten times its tries. If that’s your proxy, set TRUSTED_PROXIES to its address and restart.'
    }`,
  period: 'Period',
  periods: { '24h': '24 hours', '7d': '7 days', '30d': '30 days' },
  inPeriod: {
    '24h': 'in the last 24 hours',
    '7d': 'in the last 7 days',
    '30d': 'in the last 30 days',
  },
  series: {
    'sign-in': 'Sign-ins',
    approval: 'Approvals',
    'tokens-issued': 'Tokens issued',
    refresh: 'Refreshes',
    refusal: 'Refused requests',
    'sign-in-failed': 'Failed sign-ins',
  },
  chart: (label: string, total: number, period: string, most: number) =>
    `${label}: ${total.toLocaleString('en')} ${period}, with a peak of ${most.toLocaleString('en')}`,
  most: (most: number) => `peak ${most.toLocaleString('en')}`,
  eachBar: { '24h': 'each hour', '7d': 'every 6 hours', '30d': 'each day' },
  bar: (from: string, value: number) => `${from}: ${value.toLocaleString('en')}`,
  numbers: 'As a table',
  columnFrom: 'From (UTC)',
  toFailed: 'View failed attempts',
  apps: 'Apps',
  appsText: (period: string) => `Those with refused requests first, ${period}.`,
  appsNone: 'No activity in this period.',
  columnClient: 'App',
  columnIssued: 'Tokens',
  columnRefused: 'Refused',
  failedOf: (count: number, name: string) =>
    `${count.toLocaleString('en')} refused: failed attempts of ${name}`,
  reasons: 'Why requests were refused',
  reasonsText: 'Each refused request counts once. When someone presses Deny, that’s no failure.',
  attention: 'Needs attention',
  settings: {
    title: 'Settings less secure than your profile',
    why: 'They were changed from the profile’s defaults, at the cost of security.',
  },
  on: 'on',
  off: 'off',
  loose: {
    title: 'Apps with weaker settings of their own',
    why: 'They require less than the server does, or use an unencrypted address.',
  },
  noPkce: 'PKCE not required',
  noAuthOnRefresh: 'can refresh without its secret',
  insecureUri: 'plain http address',
  unused: {
    title: 'Secrets never used',
    why: 'Created more than 30 days ago. Delete any you don’t need.',
  },
  old: {
    title: 'Old secrets',
    why: 'In use for more than a year. Give the app a new one, then delete the old one.',
  },
  since: 'since',
  failing: {
    title: 'Failing apps',
    why: 'Their latest attempt failed because of how they’re set up, in the app or here.',
  },
  unproved: {
    title: 'Wrong requests that anyone could have sent',
    why: 'They named these apps, and nothing shows that they came from there: no secret, and no two people who may use the app. If an app doesn’t work, look here; if it does, there is nothing to do.',
  },
  stopped: {
    title: 'Locked accounts',
    why: 'Too many failed sign-ins: a forgotten password, or someone guessing.',
  },
  unfit: {
    title: 'Usernames that break the rules',
    why: 'They look like an address or a link. Give these people new ones and let them know.',
  },
  until: 'until',
  more: 'and more',
} as const;
