import { expect, test } from 'vitest';
import { daysIn } from '#app/admin/ui/table/days.ts';
import { dayAfter, dayOf, startOfDay } from '#lib/messages/zone.ts';
import { days, notDays } from './days.ts';
import { filesThatUse } from './doors.ts';

test.each(days)('%s begins in %s at %s (%s)', (day, zone, begins) => {
  const start = startOfDay(day, zone);
  expect(start?.toISOString()).toBe(begins);
  expect(dayOf(new Date((start?.getTime() ?? 0) - 1), zone) < day).toBe(true);
});

test.each(days)('a filter from %s to that day in %s has all of it', (day, zone, begins) => {
  const { since, until } = daysIn({ from: day, to: day }, zone);
  expect(since?.toISOString()).toBe(begins);
  expect(until).toEqual(startOfDay(dayAfter(day), zone));
});

test.each(notDays)('the calendar has no %s', (day) => {
  expect(startOfDay(day, 'UTC')).toBeUndefined();
  expect(daysIn({ from: day, to: day }, 'UTC')).toEqual({});
});

test('lists ask for days in one place', () => {
  expect(filesThatUse('startOfDay', 'lib/messages/zone.ts')).toEqual([
    'app/admin/ui/table/days.ts',
  ]);
});
