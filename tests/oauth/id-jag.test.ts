import { describe, expect, test } from 'vitest';
import {
  idJagClaims,
  readIdJagRequest,
  receivedIdJag,
  resourcesOf,
  resourcesWithin,
  scopeWithin,
} from '#lib/oauth/id-jag.ts';
import { parseForm } from '#lib/oauth/params.ts';
import { outcome } from './outcome.ts';

/*
 * The rules of cross-app access (draft-ietf-oauth-identity-assertion-authz-grant). Each line breaks
 * one.
 */

const now = new Date('2026-11-26T12:00:00Z');
const there = 'https://there.example';
const client = {
  identityFor: { [there]: 'app-there', 'https://slash.example/': 'app-slash' },
  identityGroups: { [`${there}/`]: 'staff' },
};
const ask = (...pairs: [string, string][]) =>
  outcome(() => readIdJagRequest(parseForm(new URLSearchParams(pairs).toString()), client));

describe('a token exchange request for an ID-JAG', () => {
  test('names an audience that an admin configured, in the admin’s spelling, with resource and scope', () => {
    expect(
      ask(['audience', `${there}/`], ['resource', 'https://a.example/x'], ['scope', 'read']),
    ).toEqual({
      audience: there,
      clientId: 'app-there',
      group: 'staff',
      resources: ['https://a.example/x'],
      scope: 'read',
    });
    expect(ask(['audience', 'https://slash.example'])).toEqual({
      audience: 'https://slash.example/',
      clientId: 'app-slash',
      group: null,
      resources: [],
      scope: undefined,
    });
  });

  const named: [string, string] = ['audience', there];
  const many = (count: number) =>
    Array.from({ length: count }, (_, at): [string, string] => [
      'resource',
      `https://a.example/${at}`,
    ]);
  test.each<[string, [string, string][], string]>([
    ['no server', [], 'invalid_request exchange.parameter'],
    [
      'another server',
      [['audience', 'https://evil.example']],
      'invalid_target identity.not-permitted',
    ],
    [
      'one that begins alike',
      [['audience', `${there}.evil.example`]],
      'invalid_target identity.not-permitted',
    ],
    ['two slashes', [['audience', `${there}//`]], 'invalid_target identity.not-permitted'],
    [
      'what every object has',
      [['audience', 'constructor']],
      'invalid_target identity.not-permitted',
    ],
    ['details', [named, ['authorization_details', '[]']], 'invalid_request exchange.parameter'],
    ['a scope that is none', [named, ['scope', 'a  b']], 'invalid_scope scope.malformed'],
    [
      'an API without an address',
      [named, ['resource', 'api']],
      'invalid_target resource.malformed',
    ],
    [
      'an API with a fragment',
      [named, ['resource', 'https://a.example/#x']],
      'invalid_target resource.malformed',
    ],
    [
      'an API with a space',
      [named, ['resource', 'https://a.example/ x']],
      'invalid_target resource.malformed',
    ],
    ['eleven APIs', [named, ...many(11)], 'invalid_target resource.malformed'],
    [
      'APIs without end',
      [named, ['resource', `https://a.example/${'x'.repeat(2000)}`]],
      'invalid_target resource.malformed',
    ],
  ])('is refused with %s', (_, pairs, refused) => {
    expect(ask(...pairs)).toBe(refused);
  });

  test('may name ten resources', () => {
    expect(ask(named, ...many(10))).toMatchObject({ resources: { length: 10 } });
  });
});

test('the claims of an issued ID-JAG', () => {
  const asked = { audience: there, clientId: 'app-there', group: null, scope: 'read' };
  const about = {
    sub: 'ada',
    authTime: new Date(now.getTime() - 5000),
    amr: 'pwd otp mfa',
    acr: 'x',
    email: null,
  };
  const issuer = 'https://id.example.org';
  const at = now.getTime() / 1000;
  const plain = idJagClaims(
    { issuer, jkt: null, jti: 'j' },
    { ...asked, resources: [] },
    about,
    now,
  );
  expect(plain).toEqual({
    iss: issuer,
    sub: 'ada',
    aud: there,
    client_id: 'app-there',
    jti: 'j',
    scope: 'read',
    iat: at,
    exp: at + 300,
    auth_time: at - 5,
    acr: 'x',
    amr: ['pwd', 'otp', 'mfa'],
  });
  const resources = ['https://a.example', 'https://b.example'];
  const jkt = 'x'.repeat(43);
  const more = { ...about, email: 'ada@example.com' };
  expect(idJagClaims({ issuer, jkt, jti: 'j' }, { ...asked, resources }, more, now)).toEqual({
    ...plain,
    resource: resources,
    email: 'ada@example.com',
    email_verified: true,
    cnf: { jkt },
  });
});

describe('the claims of an ID-JAG of another server', () => {
  const said = {
    iss: 'https://idp.example',
    sub: 'ada',
    aud: 'https://id.example.org',
    client_id: 'app',
    jti: 'j',
    iat: 1,
    exp: 2,
  };
  const isFine = (more: Record<string, unknown>) =>
    receivedIdJag.safeParse({ ...said, ...more }).success;
  const jkt = 'x'.repeat(43);

  test.each([
    {},
    { aud: ['https://id.example.org'] },
    { resource: 'https://a.example', scope: 'read', amr: ['mfa'], auth_time: 1, x: 5 },
    { amr: 'mfa', auth_time: '1' },
    { resource: ['https://a.example', 'https://b.example'], act: { sub: 'x' } },
    { cnf: { jkt } },
  ])('are accepted: %j', (more) => {
    expect(isFine(more)).toBe(true);
  });

  test.each([
    { aud: [] },
    { aud: ['https://id.example.org', 'https://id.example.org'] },
    { aud: undefined },
    { sub: undefined },
    { sub: '' },
    { sub: ['ada'] },
    { sub: 'a\0b' },
    { jti: 'j\ud800' },
    { client_id: undefined },
    { client_id: ['app'] },
    { jti: undefined },
    { jti: '' },
    { jti: 'j'.repeat(257) },
    { iat: undefined },
    { iat: '1' },
    { exp: undefined },
    { exp: Number.POSITIVE_INFINITY },
    { scope: ['read'] },
    { resource: { a: 1 } },
    { cnf: null },
    { cnf: {} },
    { cnf: { jkt: 'x' } },
    { cnf: { jkt, 'x5t#S256': 'x' } },
    { cnf: { 'x5t#S256': 'x' } },
    { authorization_details: [] },
    { authorization_details: null },
  ])('are refused: %j', (more) => {
    expect(isFine(more)).toBe(false);
  });
});

test.each<[string | undefined, string | undefined, string | undefined]>([
  [undefined, undefined, undefined],
  [undefined, '', undefined],
  [undefined, 'read write', 'read write'],
  ['read', undefined, 'read'],
  ['read', 'read write', 'read'],
  ['read write', 'read', 'invalid_scope scope.wider'],
  ['rea', 'read', 'invalid_scope scope.wider'],
  ['read', '', 'invalid_scope scope.wider'],
])('scope of an ID-JAG: asked %s, in the assertion %s', (asked, has, given) => {
  expect(outcome(() => scopeWithin(asked, has))).toBe(given);
});

test.each<[string[], string[], string[] | string]>([
  [[], [], []],
  [[], ['https://a.example'], ['https://a.example']],
  [['https://a.example'], [], ['https://a.example']],
  [['https://a.example/'], ['https://a.example'], ['https://a.example/']],
  [['https://a.example'], ['https://a.example', 'https://b.example'], ['https://a.example']],
  [['https://b.example'], ['https://a.example'], 'invalid_target resource.not-granted'],
  [
    ['https://a.example', 'https://b.example'],
    ['https://a.example'],
    'invalid_target resource.not-granted',
  ],
  [['https://a.example.evil'], ['https://a.example'], 'invalid_target resource.not-granted'],
])('resource of an ID-JAG: asked %j, in the assertion %j', (asked, has, given) => {
  expect(outcome(() => resourcesWithin(asked, has))).toEqual(given);
});

test('resource of an ID-JAG may be missing, a text or a list', () => {
  expect(resourcesOf({ resource: undefined })).toEqual([]);
  expect(resourcesOf({ resource: 'a' })).toEqual(['a']);
  expect(resourcesOf({ resource: ['a', 'b'] })).toEqual(['a', 'b']);
});
