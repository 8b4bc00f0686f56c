import { describe, expect, test } from 'vitest';
import { OAuthRefusal } from '#lib/oauth/errors.ts';
import { checkVerifier } from '#lib/oauth/pkce.ts';
import { judgeAge, narrowScope, replayWindow } from '#lib/oauth/refresh-grant.ts';
import { isWithin, parseScope } from '#lib/oauth/scope.ts';
import { newId, newSecret, sameDigest } from '#lib/oauth/secrets.ts';
import { earlier } from '#lib/oauth/token-request.ts';
import { newPkce } from '../support/pkce.ts';

const now = new Date('2026-01-01T00:00:00Z');
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
const codeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof OAuthRefusal) return error.code;
    throw error;
  }
  return null;
};

describe('a refresh token that is presented: current, repeated or reused (section 4)', () => {
  const token = {
    clientId: 'c',
    scope: 'a b',
    resources: '',
    redirectUri: 'https://app.example/cb',
    stateHash: null,
    codeChallenge: null,
    redeemedAt: ago(5000),
    revokedAt: null,
    rotation: 3,
    rotatedAt: ago(1000),
    rotatedScope: null,
    idleUntil: new Date(now.getTime() + 1000),
    alive: true,
    lineage: [],
    counter: 2,
    jkt: null,
    expiresAt: new Date(now.getTime() + 1000),
  };

  test.each([
    ['the one that works', { counter: 3 }, 'current'],
    ['the one before, a second later', {}, 'repeat'],
    ['at once', { rotatedAt: now }, 'repeat'],
    ['a clock that runs behind', { rotatedAt: ago(-2000) }, 'repeat'],
    ['at the end of the window', { rotatedAt: ago(replayWindow) }, 'repeat'],
    ['after it', { rotatedAt: ago(replayWindow + 1) }, 'reuse'],
    ['when its successor was used', { counter: 1 }, 'reuse'],
    ['when its successor was used without rotation', { rotatedAt: null }, 'reuse'],
    ['the very first', { counter: 0 }, 'reuse'],
    ['of a rotation that is not known', { counter: 4 }, 'unknown'],
  ] as const)('%s: %s', (_, change, judgement) => {
    expect(judgeAge({ ...token, ...change }, now)).toBe(judgement);
  });
});

test.each([
  [undefined, 'a b', 'a b'],
  ['a', 'a b', 'a'],
  ['b a', 'a b', 'b a'],
  ['a a', 'a b', 'a'],
])('scope %s of %s is %s', (asked, scope, narrowed) => {
  expect(narrowScope(asked, { scope })).toBe(narrowed);
});

test.each(['c', 'a c', 'A', ' a', 'a  b', 'a\tb', '"'])(
  'scope %j of "a b" is invalid_scope',
  (asked) => {
    expect(codeOf(() => narrowScope(asked, { scope: 'a b' }))).toBe('invalid_scope');
  },
);

test('parseScope accepts the characters of RFC 6749 section 3.3, and no others', () => {
  for (let code = 0; code < 0x100; code += 1) {
    const right = code === 0x21 || (code >= 0x23 && code <= 0x5b) || (code >= 0x5d && code <= 0x7e);
    const character = String.fromCharCode(code);
    if (character !== ' ')
      expect([code, codeOf(() => parseScope(`a${character}`))]).toEqual([
        code,
        right ? null : 'invalid_scope',
      ]);
  }
  expect(isWithin([], ['a'])).toBe(true);
});

describe('code_verifier (RFC 7636)', () => {
  test('fits the example of appendix B', () => {
    checkVerifier(
      'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    );
  });

  const { verifier, challenge } = newPkce();
  test.each([
    ['missing', undefined, challenge.code_challenge],
    ['another', newPkce().verifier, challenge.code_challenge],
    ['of 42 characters', 'a'.repeat(42), challenge.code_challenge],
    ['of 129 characters', 'a'.repeat(129), challenge.code_challenge],
    ['with a space', `${verifier} `, challenge.code_challenge],
    ['where none was asked for', verifier, null],
  ])('%s: invalid_grant', (_, sent, stored) => {
    expect(codeOf(() => checkVerifier(sent, stored))).toBe('invalid_grant');
  });

  test('may be missing if the request had no code_challenge', () => {
    expect(codeOf(() => checkVerifier(undefined, null))).toBeNull();
  });
});

test('secrets are random and have 256 bits; ids sort by time, also within a millisecond', () => {
  expect(newSecret('clientSecret')).toMatch(/^gh_cs_[A-Za-z0-9_-]{43}$/);
  expect(new Set(Array.from({ length: 100 }, () => newSecret('mailedLink'))).size).toBe(100);
  expect(newId(ago(1)) < newId(now)).toBe(true);
  const ids = Array.from({ length: 1000 }, () => newId(now));
  expect(new Set(ids).size).toBe(1000);
  expect(ids).toEqual(ids.toSorted());
  expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  expect(newId(ago(1)) < (ids[0] ?? '')).toBe(true);
  expect([
    sameDigest('a', 'a'),
    sameDigest('a', 'b'),
    sameDigest('a', 'ab'),
    sameDigest('', ''),
  ]).toEqual([true, false, false, true]);
  expect(earlier(now, ago(1))).toEqual(ago(1));
});
