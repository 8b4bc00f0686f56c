import type { Locale } from './locales.ts';

/*
 * How each language writes numbers and dates, apart from its messages: scripts in the browser read
 * this file and load no catalogue by it.
 */

/** Languages that write numbers and dates as another does. */
const likeOthers: Readonly<Partial<Record<Locale, string>>> = { 'ar-XB': 'en' };

/** The tag used to format dates and numbers. */
export const formatsOf = (locale: Locale): string => likeOthers[locale] ?? locale;

/** A count as the language writes it. */
export function countIn(locale: Locale, count: number): string {
  return new Intl.NumberFormat(formatsOf(locale)).format(count);
}
