/** What the overview says. */
export const overviewWords = {
  title: 'Overview',
  lead: 'Activity, and things that need your attention. Times are UTC.',
  untrustedProxies: (peers: string) =>
    `X-Forwarded-For comes from ${peers}, which TRUSTED_PROXIES doesn’t list. If that’s your proxy, set TRUSTED_PROXIES to its address and restart. Until then, IP addresses are unknown and sign-in is limited per account only.`,
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
  numbers: 'As a table',
  columnFrom: 'From',
  busiest: 'Busiest apps',
  busiestTable: 'Busiest apps as a table',
  busiestNone: 'No activity in this period.',
  columnClient: 'App',
  columnIssued: 'Tokens',
  columnRefused: 'Refused',
  attention: 'Needs attention',
  attentionNone: 'All good',
  attentionNoneText:
    'Old secrets, weak settings, failing apps and locked accounts would show up here.',
  settings: {
    title: 'Settings less secure than OAuth 2.1 and RFC 9700',
    why: 'These settings trade security for compatibility.',
    fix: 'Open settings',
  },
  settingNow: (name: string, value: string) => `${name} is ${value}`,
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
    why: 'More of their requests were refused than succeeded in the last 24 hours.',
  },
  refused: (refused: number, issued: number) =>
    `${refused.toLocaleString('en')} refused, ${issued.toLocaleString('en')} succeeded`,
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
