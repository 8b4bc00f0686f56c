/** What the frame of the dashboard says. */
export const frameWords = {
  title: 'Dashboard',
  skip: 'Skip to content',
  notice: { error: 'Error', warning: 'Warning', info: 'Note', success: 'Done' },
  sections: 'Sections of the dashboard',
  account: 'Account',
  signOut: 'Sign out',
  optional: 'optional',
  working: 'working',
  refused: (count: number) =>
    count === 1
      ? 'Nothing was saved: one field needs another look.'
      : `Nothing was saved: ${count} fields need another look.`,
  signInNeeded:
    'Nothing was done yet: it is more than 15 minutes since you signed in, and this asks for more certainty. Sign in again in a new tab; what you typed stays here.',
  signInAgain: 'Sign in again',
  compare: 'See what is stored now (new tab)',
  meanwhile:
    'While you were editing, somebody else saved a change. Compare before you save: saving again replaces it.',
  search: 'Search',
  searchSubmit: 'Search',
  clear: 'Clear',
  all: 'All',
  sort: 'Sort by',
  next: 'Next page',
  firstPage: 'First page',
  pages: 'Pages of the list',
  copy: 'Copy',
  copied: 'Copied',
} as const;
