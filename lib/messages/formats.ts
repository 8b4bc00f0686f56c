import type { Locale } from './locales.ts';

/*
 * How each language writes numbers and dates. Kept apart from its messages, so that browser scripts
 * can import this file without loading a catalogue.
 */

/** Languages that write numbers and dates like another one. */
const likeOthers: Readonly<Partial<Record<Locale, string>>> = { 'ar-XB': 'en' };

/** The tag used to format dates and numbers. */
export const formatsOf = (locale: Locale): string => likeOthers[locale] ?? locale;

/** A count as the language writes it. */
export function countIn(locale: Locale, count: number): string {
  return new Intl.NumberFormat(formatsOf(locale)).format(count);
}
