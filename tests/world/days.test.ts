import { expect, test } from 'vitest';
import { daysIn, isBackwards } from '#app/admin/ui/table/days.ts';
import { auditEventActs } from '#lib/management/audit-event/acts.ts';
import { time } from '#lib/management/values.ts';
import { dayAfter, dayOf, startOfDay } from '#lib/messages/zone.ts';
import { writtenClaims } from '#lib/oauth/claims.ts';
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
  expect(isBackwards({ from: day, to: '2026-01-01' })).toBe(false);
});

test.each(notDays)('neither an act nor a birthdate takes %s', (day) => {
  for (const said of [day, `${day}T12:00:00Z`])
    expect(time.safeParse(said).error?.issues[0]?.message).toBe('takes.moment');
  expect(auditEventActs.list.takes.safeParse({ since: day }).success).toBe(false);
  expect(writtenClaims.safeParse({ birthdate: day }).success).toBe(false);
});

test.each(days)('acts and birthdates take %s', (day) => {
  expect(time.parse(`${day}T12:00:00Z`)).toEqual(new Date(`${day}T12:00:00Z`));
  expect(writtenClaims.parse({ birthdate: day })).toEqual({ birthdate: day });
});

test('days are read in one place', () => {
  expect(filesThatUse('isDay', 'lib/oauth/day.ts')).toEqual([
    'app/admin/ui/table/days.ts',
    'lib/management/values.ts',
    'lib/messages/zone.ts',
    'lib/oauth/claims.ts',
  ]);
});

test('lists ask for days in one place, and so do the last days of forms and of acts', () => {
  expect(filesThatUse('startOfDay', 'lib/messages/zone.ts')).toEqual([
    'app/admin/ui/last-day.ts',
    'app/admin/ui/table/days.ts',
    'lib/management/values.ts',
  ]);
});
