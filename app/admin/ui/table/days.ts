import { formatsOf } from '#lib/messages/formats.ts';
import type { Text } from '#lib/messages/text.ts';
import { dayAfter, dayOf, startOfDay } from '#lib/messages/zone.ts';
import { isDay } from '#lib/oauth/day.ts';
import { hrefOf } from '../href.ts';
import type { Filter } from './filters.tsx';

type Query = Readonly<Record<string, string>>;
/** A list as it is shown: its page, the query of its address, and the reader's time zone. */
type Shown = { path: string; query: Query; zone: string };
const oneDay = 24 * 3600_000;

/** The period given by `from` and `to` in the address: whole days in the reader's time zone. */
export function daysIn({ from, to }: Query, zone: string): { since?: Date; until?: Date } {
  return { since: startOfDay(from, zone), until: startOfDay(dayAfter(to), zone) };
}

/** Whether the period would end before it begins. */
export const isBackwards = ({ from, to }: Query) =>
  from !== undefined && to !== undefined && isDay(from) && isDay(to) && from > to;

/** The filter fields for `from` and `to`. */
export const dayFilters = (text: Text, { from = '', to = '' }: Query): Filter[] => [
  { name: 'from', label: text('audit.since'), type: 'date', value: from },
  { name: 'to', label: text('audit.until'), type: 'date', value: to },
];

/**
 * Where to continue a chronological list that ended before everything was shown: at the day of its
 * last row. Undefined if the list already starts at that day.
 */
export function onwardFrom({ path, query, zone }: Shown, last: Date | undefined) {
  const name = query.sort === 'when' ? 'from' : 'to';
  const day = last && dayOf(last, zone);
  return !day || query[name] === day
    ? undefined
    : hrefOf(path, { ...query, [name]: day, page: '' });
}

/** Links to today and to each of the six days before it. */
export function dayShortcuts(text: Text, { path, query, zone }: Shown, now: Date) {
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
