import { expect, test } from 'vitest';
import { daysIn, onwardFrom } from '#app/admin/ui/table/days.ts';
import { filtersIn, pageIn, sortIn } from '#app/admin/ui/table/order.ts';
import { readSelection } from '#app/admin/ui/table/selection.ts';

test.each([
  [{ id: ['a', 'b', 'a', ''], q: 'x' }, { ids: ['a', 'b'] }],
  [{ id: 'a' }, { ids: ['a'] }],
  [
    { id: 'a', all: 'on', q: 'x', role: ['admin', 'none'] },
    { matching: { q: 'x', role: 'admin' } },
  ],
  [{ all: ['on'], q: ['x'] }, { matching: { q: 'x' } }],
  [{ all: 'yes', q: 'x' }, null],
  [{}, null],
])('the selection in a dashboard list with the parameters %j', (params, selection) => {
  expect(readSelection(params)).toEqual(selection);
});

test('the selection in a dashboard list is limited to 500 rows', () => {
  const id = Array.from({ length: 2000 }, (_, index) => `${index}`);
  expect(readSelection({ id })).toHaveProperty('ids.length', 500);
});

test.each([
  ['name', { by: 'name', direction: 'ascending' }],
  ['-name', { by: 'name', direction: 'descending' }],
  ['password_hash', { by: 'created', direction: 'descending' }],
  ['name; DROP TABLE users', { by: 'created', direction: 'descending' }],
])('the sort order of a dashboard list for sort=%s', (sort, expected) => {
  const usual = { by: 'created', direction: 'descending' } as const;
  expect(sortIn({ sort }, ['name', 'created'], usual)).toEqual(expected);
});

test.each([
  ['7', 7],
  ['0', 1],
  ['-1', 1],
  ['1e9', 1],
  ['999999999', 1],
  ['', 1],
])('the page number of a dashboard list for page=%s', (page, number) => {
  expect(pageIn({ page })).toBe(number);
});

test('the filters of a dashboard list do not include its order and page', () => {
  expect(filtersIn({ q: 'x', role: '', sort: 'name', page: '2' })).toEqual({ q: 'x' });
});

test('a day in the filter of a dashboard list ends where the next one begins in the reader’s time zone', () => {
  const { since, until } = daysIn({ from: '2026-10-25', to: '2026-10-25' }, 'Europe/Berlin');
  expect([since?.toISOString(), until?.toISOString()]).toEqual([
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ]);
});

test.each([
  [{ person: 'ada', page: '200' }, '/admin/audit?person=ada&to=2026-03-01'],
  [{ sort: 'when', page: '200' }, '/admin/audit?sort=when&from=2026-03-01'],
  [{ to: '2026-04-01' }, '/admin/audit?to=2026-03-01'],
  // The list already ends there, so a link would lead nowhere.
  [{ to: '2026-03-01' }, undefined],
])(
  'a dashboard list with %j that ends continues with the day of its last row in the reader’s time zone',
  (query, href) => {
    const last = new Date('2026-02-28T23:30:00Z');
    const list = { path: '/admin/audit', query, zone: 'Europe/Berlin' };
    expect(onwardFrom(list, last)).toBe(href);
    expect(onwardFrom(list, undefined)).toBeUndefined();
  },
);
