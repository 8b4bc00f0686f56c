import { describe, expect, test } from 'vitest';
import {
  isOfDomains,
  issuerFault,
  verifiedAddressOf,
} from '#lib/identity/upstream/provider-kinds.ts';

describe('an email address counts as verified only by the claim of its provider kind', () => {
  const email = 'ada@example.com';
  test.each([
    ['google', { email, email_verified: true }, true],
    ['google', { email, email_verified: 'true' }, false],
    ['apple', { email, email_verified: 'true' }, true],
    ['gitlab', { email }, false],
    ['gitlab', { email, email_verified: false }, false],
    ['openid', { email, email_verified: 1 }, false],
    ['microsoft', { email, email_verified: true }, false],
    ['microsoft', { email, xms_edov: '1' }, true],
    ['microsoft', { email, xms_edov: 0 }, false],
    ['openid', { email: [email], email_verified: true }, false],
    ['openid', { email_verified: true }, false],
  ] as const)('%s: %j', (kind, claims, counts) => {
    expect(verifiedAddressOf(kind, claims)).toBe(counts ? email : null);
  });
});

test('the domains of a provider are those of the verified email address, or hd at Google', () => {
  const domains = ['example.com'];
  const ada = { email: 'ada@Example.com', email_verified: true };
  expect(isOfDomains({ kind: 'openid', domains }, ada)).toBe(true);
  expect(isOfDomains({ kind: 'openid', domains }, { ...ada, email_verified: false })).toBe(false);
  expect(isOfDomains({ kind: 'openid', domains }, { ...ada, email: 'a@b@sub.example.com' })).toBe(
    false,
  );
  expect(isOfDomains({ kind: 'google', domains }, ada)).toBe(false);
  expect(isOfDomains({ kind: 'google', domains }, { ...ada, hd: 'example.com' })).toBe(true);
  expect(isOfDomains({ kind: 'openid', domains: [] }, {})).toBe(true);
});

test.each([
  ['openid', 'https://idp.example.com/realms/one', null],
  ['openid', 'http://idp.example.com', 'not-https'],
  ['openid', 'http://127.0.0.1:8080', null],
  ['openid', 'idp.example.com', 'not-an-address'],
  ['openid', 'https://idp.example.com?x=1', 'has-more'],
  ['openid', 'https://a:b@idp.example.com', 'has-more'],
  ['google', 'https://accounts.example.com', 'fixed'],
  ['microsoft', 'https://login.microsoftonline.com/common/v2.0', 'many-tenants'],
  ['microsoft', 'https://login.microsoftonline.com/8a1f/v2.0', null],
] as const)('the issuer of a %s provider at %s: %s', (kind, issuer, fault) => {
  expect(issuerFault(kind, issuer)).toBe(fault);
});
