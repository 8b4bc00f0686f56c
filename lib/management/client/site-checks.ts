/** What the check of a guarded site looks at, in this order. */
export const siteChecks = [
  'asks',
  'trusted',
  'host',
  'address',
  'method',
  'browser',
  'names',
  'closed',
  'foreign',
] as const;
