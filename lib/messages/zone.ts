import { isDay } from '../oauth/day.ts';

/** The time zone with this name, or UTC if there is none: browsers can send any text. */
export function zoneNamed(name: string | undefined): string {
  if (!name || name.length > 64) return 'UTC';
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/**
 * The moment when a day (2026-11-23) begins in a time zone; undefined if the calendar has no such
 * day. Where the clocks skip midnight, the day begins later, and a day that a zone skipped
 * altogether begins with the next one.
 */
export function startOfDay(day: string | undefined, zone: string): Date | undefined {
  if (day === undefined || !isDay(day)) return undefined;
  const utc = Date.parse(`${day}T00:00:00Z`);
  // No zone is further than a day from UTC. The first moment whose day is this one, or a later one.
  let [before, at] = [utc - 26 * 3600_000, utc + 50 * 3600_000];
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (dayOf(new Date(middle), zone) < day) before = middle;
    else at = middle;
  }
  return new Date(at);
}

/** The day of a moment in a time zone, in the format of a date field. */
export function dayOf(at: Date, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at);
}

/** The next day of the calendar; undefined if this is no day of it. */
export function dayAfter(day: string | undefined): string | undefined {
  const start = startOfDay(day, 'UTC');
  return start && new Date(start.getTime() + 24 * 3600_000).toISOString().slice(0, 10);
}
