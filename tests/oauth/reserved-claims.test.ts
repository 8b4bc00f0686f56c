import { expect, test } from 'vitest';
import { claimsByScope } from '#lib/oauth/claims.ts';
import { newClient } from '#lib/oauth/client.ts';
import { idTokenClaims } from '#lib/oauth/id-token.ts';
import { claimName, groupClaims, isReservedClaim } from '#lib/oauth/reserved-claims.ts';
import { userInformation } from '#lib/oauth/userinfo.ts';

const now = new Date('2026-11-22T00:00:00Z');
const user = {
  id: 'u',
  username: 'ada',
  email: 'ada@example.org',
  emailVerified: true,
  name: 'Ada',
  picture: 'https://x.example/a.png',
  claims: JSON.stringify({ nickname: 'A', phone_number: '1', address: { country: 'x' } }),
  updatedAt: now,
};
const shaped = { ...newClient, claimShape: 'wp-oauth-server' } as const;
const further = { groups: [], fields: [], registeredAt: now };
const granted = { scopes: ['openid', 'profile', 'email', 'phone', 'address'], asked: [] };
const facts = { authTime: now, amr: 'pwd', scope: 'openid', nonce: 'n', sessionHash: 's' };

const beside = { issuer: 'https://i.example', accessToken: 'at', asked: null, own: {} };

test('every claim that this server issues is a reserved name', () => {
  const told = [
    ...Object.values(claimsByScope).flat(),
    ...Object.keys(userInformation(user, shaped, further, granted)),
    ...Object.keys(idTokenClaims({ client: { id: 'c' }, user, ...facts }, beside, now)),
    ...groupClaims,
  ];
  expect(told.filter((name) => !isReservedClaim(name))).toEqual([]);
});

test('claim names of the IANA registry and of WP OAuth Server are reserved, in any case', () => {
  for (const name of ['iss', 'cnf', 'vct#integrity', '...', 'title', 'user_login', 'ID', 'Email'])
    expect(isReservedClaim(name), name).toBe(true);
  for (const name of ['department', 'https://example.org/plan', 'employee_number', 'x', 'name2'])
    expect(isReservedClaim(name), name).toBe(false);
});

test('a claim name is visible ASCII, up to 100 characters', () => {
  for (const name of ['a', 'cognito:groups', 'https://example.org/x', 'a'.repeat(100)])
    expect(claimName.test(name), name).toBe(true);
  for (const name of [
    '',
    ' ',
    'a b',
    'ä',
    'a\n',
    'a'.repeat(101),
    'a\u0000',
    '.',
    '..',
    '///',
    'a=b',
  ])
    expect(claimName.test(name), name).toBe(false);
});
