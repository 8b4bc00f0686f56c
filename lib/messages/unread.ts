import { isUnread, type Locale } from './locales.ts';
import { textIn } from './text.ts';

/** Says below a page that nobody who grew up with its language has read it yet, if so. */
export const unreadLinks = (locale: Locale): { label: string; href: string }[] =>
  isUnread(locale) ? [{ label: textIn(locale)('page.unread'), href: '/docs/languages' }] : [];
