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

/** The sign before the decimals of a number. */
export const pointIn = (locale: Locale): string => countIn(locale, 0.5).charAt(1);

/** A stored date of birth as the language writes it, if fields can read that again; else as stored. */
export function birthdateIn(locale: Locale, stored: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(stored)) return stored;
  const style = { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' } as const;
  const said = new Intl.DateTimeFormat(formatsOf(locale), style).format(new Date(stored));
  return /^\d\d\.\d\d\.\d{4}$/.test(said) ? said : stored;
}
