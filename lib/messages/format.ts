import { formatsOf, type Locale } from './locales.ts';

/** A day as people write it. In UTC: the server does not know where the reader is. */
export function dayIn(locale: Locale, at: Date): string {
  return new Intl.DateTimeFormat(formatsOf(locale), {
    dateStyle: 'medium',
    timeZone: 'UTC',
  }).format(at);
}

/** A moment as people write it, in UTC, and saying so. */
export function momentIn(locale: Locale, at: Date): string {
  const style = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(formatsOf(locale), style).format(at)} UTC`;
}

/** A number of minutes with its word, in the form that the number asks for. */
export function minutesIn(locale: Locale, minutes: number): string {
  return new Intl.NumberFormat(formatsOf(locale), {
    style: 'unit',
    unit: 'minute',
    unitDisplay: 'long',
  }).format(minutes);
}

const units = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** How long ago something was, as people say it. */
export function agoIn(locale: Locale, at: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - at.getTime()) / 1000);
  const [unit, size] =
    units.find(([, length]) => seconds >= length) ??
    (['second', Number.POSITIVE_INFINITY] as const);
  return new Intl.RelativeTimeFormat(formatsOf(locale), { numeric: 'auto' }).format(
    -Math.floor(seconds / size),
    unit,
  );
}

/** Names in a row, with the word that a language puts before the last. */
export function listIn(locale: Locale, names: readonly string[]): string {
  return new Intl.ListFormat(formatsOf(locale), { type: 'conjunction' }).format(names);
}
