import { describe, expect, test } from 'vitest';
import {
  amrOfIdJag,
  readAssertionHeader,
  trustedIssuer,
} from '#lib/identity/upstream/assertion.ts';
import type { Provider } from '#lib/store/providers.ts';
import { part } from '../../support/assertions.ts';
import { aProvider } from '../../support/providers.ts';

/*
 * Which providers' assertions are accepted, before anything in them is read
 * (draft-ietf-oauth-identity-assertion-authz-grant).
 */

const issuer = 'https://idp.example';
const provider = (more: Partial<Provider> = {}): Provider =>
  ({
    id: 'p',
    updatedAt: new Date(),
    ...aProvider({ issuer, acceptsAssertions: true }),
    ...more,
  }) as Provider;

describe('the issuer of an identity assertion', () => {
  test('is trusted if an admin allows it for its provider', () => {
    const one = provider();
    expect(trustedIssuer(issuer, [provider({ issuer: 'https://other.example' }), one])).toBe(one);
  });

  test.each<[string, Partial<Provider>]>([
    ['one that is off', { enabled: false }],
    ['one that gives apps no tokens', { acceptsAssertions: false }],
    ['one that does not speak OpenID Connect', { kind: 'github' }],
    ['another one', { issuer: 'https://other.example' }],
    ['one with a slash', { issuer: `${issuer}/` }],
    ['one in capitals', { issuer: issuer.toUpperCase() }],
    ['one below it', { issuer: `${issuer}/realms/a` }],
  ])('is not trusted if the provider is %s', (_, more) => {
    expect(trustedIssuer(issuer, [provider(more)])).toBeNull();
  });
});

test.each<[string, Record<string, unknown>, Record<string, unknown>, unknown]>([
  [
    'its issuer and its type',
    { typ: 'oauth-id-jag+jwt' },
    { iss: issuer },
    { issuer, typ: 'oauth-id-jag+jwt' },
  ],
  ['the usual type', {}, { iss: issuer }, { issuer, typ: 'JWT' }],
  ['no issuer', {}, {}, null],
  ['an issuer that is no text', {}, { iss: [issuer] }, null],
])('the header of an assertion with %s', (_, header, claims, said) => {
  expect(readAssertionHeader(`${part({ alg: 'RS256', ...header })}.${part(claims)}.AA`)).toEqual(
    said,
  );
  expect(readAssertionHeader('x')).toBeNull();
});

test.each([
  [true, ['pwd', 'mfa'], 'fed mfa'],
  [true, ['pwd'], 'fed'],
  [true, undefined, 'fed'],
  [false, ['pwd', 'mfa'], 'fed'],
])(
  'a second factor at a provider counts if it is trusted with second factors (%s): %j',
  (trusts, amr, methods) => {
    expect(amrOfIdJag(provider({ trustsSecondFactor: trusts }), { amr } as never)).toBe(methods);
  },
);
