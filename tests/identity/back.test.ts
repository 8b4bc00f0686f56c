import { expect, test } from 'vitest';
import { safeReturnTo } from '#lib/interaction/return-to.ts';

test.each([
  '/account',
  '/account/security',
  '/admin/clients?cursor=a.b&sort=name',
  '/admin/people/a..b',
  '/admin/audit?type=..',
])('the return address after sign-in may be %s', (page) => {
  expect(safeReturnTo(page)).toBe(page);
});

test.each([
  '/account/../oauth/logout?client_id=x',
  '/account/./x',
  '/account/..',
  '/account/..?x=1',
  '/account/%2e%2e/oauth/logout',
  '/account/.%2E/oauth/logout',
  '/account/%2e',
  '//evil.example',
  '/account//evil.example',
  '/login',
  'https://evil.example/account',
])('the return address after sign-in may not be %s', (page) => {
  expect(safeReturnTo(page)).toBeUndefined();
});
