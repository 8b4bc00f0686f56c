import { formatsOf } from '#lib/messages/formats.ts';
import type { Text } from '#lib/messages/text.ts';
import { dayOf, startOfDay } from '#lib/messages/zone.ts';
import { hrefOf } from '../href.ts';
import type { Filter } from './filters.tsx';

type Query = Readonly<Record<string, string>>;
const oneDay = 24 * 3600_000;

/** The time that `from` and `to` of an address mean: whole days where the reader is. */
export function daysIn({ from, to }: Query, zone: string): { since?: Date; until?: Date } {
  const last = startOfDay(to, zone);
  // Noon of the next day is in it, however long the last one is.
  const next = last && dayOf(new Date(last.getTime() + 1.5 * oneDay), zone);
  return { since: startOfDay(from, zone), until: startOfDay(next, zone) };
}

/** The fields for them. */
export const dayFilters = (text: Text, { from = '', to = '' }: Query): Filter[] => [
  { name: 'from', label: text('audit.since'), type: 'date', value: from },
  { name: 'to', label: text('audit.until'), type: 'date', value: to },
];

/**
 * Where a list in order of time goes on that ends before all of it was shown: with the day of its last row.
 * Nowhere, where it is this day's already.
 */
export function onwardFrom(path: string, query: Query, zone: string, last: Date | undefined) {
  const name = query.sort === 'when' ? 'from' : 'to';
  const day = last && dayOf(last, zone);
  return !day || query[name] === day
    ? undefined
    : hrefOf(path, { ...query, [name]: day, page: '' });
}

/** Links to today and each of the six days before it. */
export function dayShortcuts(text: Text, path: string, query: Query, zone: string, now: Date) {
  const name = new Intl.DateTimeFormat(formatsOf(text.locale), {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
  });
  return Array.from({ length: 7 }, (_, index) => {
    const at = new Date(now.getTime() - index * oneDay);
    const day = dayOf(at, zone);
    const label = index === 0 ? text('table.today') : name.format(at);
    return { label, href: hrefOf(path, { ...query, from: day, to: day, page: '' }) };
  });
}
