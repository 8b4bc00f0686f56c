import type { Total } from '../../store/engine/page.ts';

/** "1 app", "1,204 people", or "10,000+ events" where no more were counted. */
export function totalOf({ count, more }: Total, one: string, several: string): string {
  return `${countOf({ count, more })} ${count === 1 && !more ? one : several}`;
}

/** The same without what was counted. */
export function countOf({ count, more }: Total): string {
  return `${count.toLocaleString('en')}${more ? '+' : ''}`;
}

/** What the frame of the dashboard says. */
export const frameWords = {
  title: 'Dashboard',
  skip: 'Skip to content',
  notice: { error: 'Error', warning: 'Warning', info: 'Note', success: 'Done' },
  yourRole: {
    support: 'You’re here as support: you help people sign in. Admins do everything else.',
    auditor: 'You’re here as an auditor: you see everything and change nothing.',
  },
  sections: 'Dashboard sections',
  menu: 'Menu',
  account: 'Account',
  signOut: 'Sign out',
  optional: 'optional',
  working: 'working',
  refused: (count: number) =>
    count === 1
      ? 'Nothing was saved. Fix the highlighted field.'
      : `Nothing was saved. Fix the ${count} highlighted fields.`,
  signInNeeded:
    'Confirm it’s you to continue. Nothing has changed yet, and what you typed stays here.',
  notAllowed: 'Your role doesn’t allow this. Nothing has changed.',
  compare: 'View the saved version (new tab)',
  meanwhile:
    'Someone else saved a change while you were editing. Compare before you save: saving again overwrites it.',
  search: 'Search',
  searchSubmit: 'Search',
  clear: 'Clear',
  all: 'All',
  sort: 'Sort by',
  next: 'Next page',
  previousPage: 'Previous page',
  firstPage: 'First page',
  pages: 'Pages of the list',
  copy: 'Copy',
  copied: 'Copied',
} as const;
