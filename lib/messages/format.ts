import { formatsOf } from './formats.ts';
import type { Locale } from './locales.ts';

/** A date in the reader's format. In UTC, since the server doesn't know the reader's time zone. */
export function dayIn(locale: Locale, at: Date): string {
  return new Intl.DateTimeFormat(formatsOf(locale), {
    dateStyle: 'medium',
    timeZone: 'UTC',
  }).format(at);
}

/** A date and time in the reader's format, marked as UTC. */
export function momentIn(locale: Locale, at: Date): string {
  const style = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(formatsOf(locale), style).format(at)} UTC`;
}

/**
 * A date and time in the reader's format and time zone, followed by the same in UTC: the full form
 * of a relative time.
 */
export function momentsIn(locale: Locale, at: Date, zone: string): string {
  if (zone === 'UTC') return momentIn(locale, at);
  const style = { dateStyle: 'long', timeStyle: 'medium', timeZone: zone } as const;
  return `${new Intl.DateTimeFormat(formatsOf(locale), style).format(at)} (${momentIn(locale, at)})`;
}

/** A date and time to the second in the reader's format and time zone, marked if that is UTC. */
export function shortMomentIn(locale: Locale, at: Date, zone: string): string {
  const style = { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone } as const;
  const said = new Intl.DateTimeFormat(formatsOf(locale), style).format(at);
  return zone === 'UTC' ? `${said} UTC` : said;
}

/** A number of minutes with its unit, in the right plural form. */
export function minutesIn(locale: Locale, minutes: number): string {
  return new Intl.NumberFormat(formatsOf(locale), {
    style: 'unit',
    unit: 'minute',
    unitDisplay: 'long',
  }).format(minutes);
}

/** A length of time in its largest whole unit, such as "1 hour" or "90 minutes". */
export function periodIn(locale: Locale, seconds: number): string {
  const sizes = [
    ['day', 24 * 3600],
    ['hour', 3600],
    ['minute', 60],
  ] as const;
  const [unit, size] =
    sizes.find(([, length]) => seconds % length === 0) ?? (['second', 1] as const);
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(formatsOf(locale), style).format(seconds / size);
}

/** A length of time in exact words that fields read again: "1 hour 30 minutes", "30 Tage". */
export function durationIn(locale: Locale, seconds: number): string {
  let left = seconds;
  const parts = (['day', 'hour', 'minute', 'second'] as const).flatMap((unit) => {
    const size = sizes[unit];
    const count = Math.floor(left / size);
    left -= count * size;
    const style = { style: 'unit', unit, unitDisplay: 'long', useGrouping: false } as const;
    const isShown = count > 0 || (seconds === 0 && unit === 'second');
    return isShown ? [new Intl.NumberFormat(formatsOf(locale), style).format(count)] : [];
  });
  return parts.join(' ');
}

const sizes = { day: 86_400, hour: 3600, minute: 60, second: 1 };

const units = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Relative time, such as "3 days ago". */
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

/** Relative time in the future, such as "in 3 days". */
export function untilIn(locale: Locale, at: Date, now: Date): string {
  const seconds = Math.max(0, (at.getTime() - now.getTime()) / 1000);
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? (['second', 1] as const);
  return new Intl.RelativeTimeFormat(formatsOf(locale), { numeric: 'auto' }).format(
    Math.round(seconds / size),
    unit,
  );
}

/** Names as a list, with the language's "and". */
export function listIn(locale: Locale, names: readonly string[]): string {
  return new Intl.ListFormat(formatsOf(locale), { type: 'conjunction' }).format(names);
}

/** Possibilities as a list, with the language's "or". */
export function orIn(locale: Locale, named: readonly string[]): string {
  return new Intl.ListFormat(formatsOf(locale), { type: 'disjunction' }).format(named);
}
