import { expect, test } from 'vitest';
import { dayOf, startOfDay } from '#lib/messages/zone.ts';

test.each([
  ['2026-11-23', 'UTC', '2026-11-23T00:00:00.000Z'],
  ['2026-11-23', 'Europe/Berlin', '2026-11-22T23:00:00.000Z'],
  ['2026-07-01', 'America/New_York', '2026-07-01T04:00:00.000Z'],
  ['2026-11-23', 'Asia/Kathmandu', '2026-11-22T18:15:00.000Z'],
  // The clocks change on that day.
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
  ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
])('the day %s begins in %s at %s', (day, zone, moment) => {
  expect(startOfDay(day, zone)?.toISOString()).toBe(moment);
  expect(dayOf(new Date(moment), zone)).toBe(day);
});

test.each([undefined, '', '2026-13-01', '23.11.2026', '2026-11-23T00:00'])(
  '%s is not a day',
  (day) => {
    expect(startOfDay(day, 'UTC')).toBeUndefined();
  },
);
