/** What the overview says. */
export const overviewWords = {
  title: 'Overview',
  lead: 'What is going on, and what wants a look. Times are UTC.',
  untrustedProxies: (peers: string) =>
    `X-Forwarded-For comes from ${peers}, which TRUSTED_PROXIES does not list. If that is your proxy, set TRUSTED_PROXIES to its address and restart: until then nobody’s address is known, and sign-in is limited per account only.`,
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
    refusal: 'Refusals',
    'sign-in-failed': 'Failed sign-ins',
  },
  chart: (label: string, total: number, period: string, most: number) =>
    `${label}: ${total.toLocaleString('en')} ${period}; at most ${most.toLocaleString('en')} in one bar`,
  most: (most: number) => `peak ${most.toLocaleString('en')}`,
  numbers: 'Numbers',
  columnFrom: 'From',
  busiest: 'Busiest clients',
  busiestTable: 'Busiest clients in numbers',
  busiestNone: 'No client got a token in this time.',
  columnClient: 'Client',
  columnIssued: 'Tokens',
  columnRefused: 'Refused',
  attention: 'Needs attention',
  attentionNone: 'Nothing just now',
  attentionNoneText:
    'Old secrets, loose settings, failing clients and stopped accounts would be listed here.',
  settings: {
    title: 'Server settings looser than OAuth 2.1 and RFC 9700',
    why: 'Each makes something easier, and something riskier.',
    fix: 'Open the settings',
  },
  settingNow: (name: string, value: string) => `${name} is ${value}`,
  on: 'on',
  off: 'off',
  loose: {
    title: 'Clients with loose settings of their own',
    why: 'Their own settings ask for less than the server does, or an address is not encrypted.',
  },
  noPkce: 'PKCE not required',
  noAuthOnRefresh: 'refreshes without its secret',
  insecureUri: 'plain http address',
  unused: {
    title: 'Secrets never used',
    why: 'Made more than 30 days ago. Whoever finds one can use it: remove it.',
  },
  old: {
    title: 'Old secrets',
    why: 'In use for more than a year. Give the app a new one, then remove the old.',
  },
  since: 'since',
  failing: {
    title: 'Failing clients',
    why: 'More of their requests were refused than answered in the last 24 hours.',
  },
  refused: (refused: number, issued: number) =>
    `${refused.toLocaleString('en')} refused, ${issued.toLocaleString('en')} answered`,
  stopped: {
    title: 'Stopped accounts',
    why: 'Too many wrong passwords. Forgotten, or somebody is guessing.',
  },
  unfit: {
    title: 'User names that break the rules',
    why: 'They could be taken for an address or a link. Give these people another one, and tell them.',
  },
  until: 'until',
  more: 'and more',
} as const;
