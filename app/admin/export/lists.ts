/** The lists of the dashboard that can be exported. Each has a route `export` below it. */
export const exportedLists = [
  'audit',
  'people',
  'approvals',
  'approvals/matrix',
  'clients',
  'traces',
  'terms',
] as const;
export type ExportedList = (typeof exportedLists)[number];
