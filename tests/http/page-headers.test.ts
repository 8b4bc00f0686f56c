import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeNonce, pageHeaders } from '#lib/http/page-headers.ts';

const policyOf = (formTargets?: string[]) =>
  pageHeaders({ path: '/login', nonce: 'abc', formTargets })['content-security-policy'];

test('the CSP of pages allows scripts by nonce only, and no framing', () => {
  const policy = policyOf();
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'nonce-abc' 'strict-dynamic';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
});

test.each([
  'https://app.example',
  'https://app.example:8443',
  'http://127.0.0.1:4000',
  'com.example.app:',
])('form-action in the CSP of pages may be %s', (target) => {
  expect(policyOf([target])).toContain(`form-action 'self' ${target};`);
});

test.each([
  '',
  '*',
  'https://a.example; script-src *',
  'https://a.example *',
  "'unsafe-inline'",
  'https://a.example\r\nx: y',
  'https://*.example',
])('form-action in the CSP of pages ignores %j', (target) => {
  expect(policyOf([target])).toContain("form-action 'self';");
});

test('each nonce is new', () => {
  expect(new Set(Array.from({ length: 100 }, makeNonce)).size).toBe(100);
});

const openerPolicyAt = (path: string) =>
  pageHeaders({ path, nonce: 'abc' })['cross-origin-opener-policy'];

const pages = globSync('app/**/page.tsx').map(
  (file) => `/${file.replaceAll('\\', '/').split('/').slice(1, -1).join('/')}`,
);
const onTheWay = ['/account/security/codes'];
const isAtHome = (path: string) => /^\/(account|admin|setup)\b/.test(path);

test.each(pages.filter((path) => !isAtHome(path) || onTheWay.includes(path)))(
  'the page %s can be on the way to an app, and leaves a popup its opener',
  (path) => {
    expect(openerPolicyAt(path)).toBeUndefined();
  },
);

test.each(pages.filter((path) => isAtHome(path) && !onTheWay.includes(path)))(
  'the page %s is separated from the window that opened it',
  (path) => {
    expect(openerPolicyAt(path)).toBe('same-origin');
  },
);

test.each(['/accounts', '/administration', '/account/security/codesx', '/oauth/authorize'])(
  'the path %s belongs to none of the rooms it resembles',
  (path) => {
    expect(openerPolicyAt(path)).toBe(path.startsWith('/account/') ? 'same-origin' : undefined);
  },
);
