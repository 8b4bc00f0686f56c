/** What the frame of the dashboard says. */
export const frameWords = {
  title: 'Dashboard',
  skip: 'Skip to content',
  notice: { error: 'Error', warning: 'Warning', info: 'Note', success: 'Done' },
  sections: 'Dashboard sections',
  account: 'Account',
  signOut: 'Sign out',
  optional: 'optional',
  working: 'working',
  refused: (count: number) =>
    count === 1
      ? 'Nothing was saved. Fix the highlighted field.'
      : `Nothing was saved. Fix the ${count} highlighted fields.`,
  signInNeeded:
    'Nothing has changed yet. It’s been more than 15 minutes since you signed in, so confirm it’s you: sign in again in a new tab. What you typed stays here.',
  signInAgain: 'Sign in again',
  compare: 'View the saved version (new tab)',
  meanwhile:
    'Someone else saved a change while you were editing. Compare before you save: saving again overwrites it.',
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
