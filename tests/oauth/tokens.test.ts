import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newId } from '#lib/oauth/secrets.ts';
import {
  accessDetail,
  clientTokenDetail,
  longestToken,
  makeToken,
  readAccessDetail,
  readClientTokenDetail,
  type Token,
  type TokenKind,
  tokenKey,
  verifyToken,
} from '#lib/oauth/tokens.ts';

const now = new Date('2026-01-01T00:00:00.123Z');
const bytes = randomBytes(32);
const key = tokenKey(7, bytes);
const keys = new Map([[7, key]]);
const said: Token = {
  kind: 'accessToken',
  id: newId(now),
  counter: 4_294_967_295,
  expiresAt: now,
  life: 3600,
  detail: 'email profile',
  jkt: null,
};
const kinds: TokenKind[] = ['code', 'accessToken', 'refreshToken', 'clientToken'];
const encoded = (text: string) => text.slice(text.indexOf('_', 3) + 1);

test.each(kinds)('a %s opens to the values it was made of', (kind) => {
  const text = makeToken({ ...said, kind }, key);
  expect(text).toMatch(/^gh_(code|at|rt)_[A-Za-z0-9_-]{68,}$/);
  expect(verifyToken(text, keys)).toEqual({ ...said, kind, keyId: 7 });
  expect(makeToken({ ...said, kind }, key)).toBe(text);
});

test('the MAC of a token is the first 144 bits of HMAC-SHA-256 over the rest', () => {
  const raw = Buffer.from(encoded(makeToken(said, key)), 'base64url');
  const mac = createHmac('sha256', bytes).update(raw.subarray(0, -18)).digest().subarray(0, 18);
  expect(raw.subarray(-18)).toEqual(mac);
});

describe('a token is refused', () => {
  const text = makeToken(said, key);
  const raw = Buffer.from(encoded(text), 'base64url');

  test('with any bit changed', () => {
    for (let bit = 0; bit < raw.length * 8; bit += 1) {
      const changed = Buffer.from(raw);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const opened = verifyToken(`gh_at_${changed.toString('base64url')}`, keys);
      expect(opened === null || opened === 'unknown-key', `bit ${bit}`).toBe(true);
    }
  });

  test('in another spelling, so that a revoked token has no second form', () => {
    const short = makeToken({ ...said, detail: 'x' }, key);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(short.slice(-1));
    const spelled = [
      `${short.slice(0, -1)}${alphabet[last ^ 1]}`,
      `${text}=`,
      `${text} `,
      `${text}\n`,
      `${text}.`,
      text.replace(/(?<=^gh_at_.{9})/, ' '),
      text
        .replaceAll('-', '+')
        .replace(/(?<=^gh_at_.*)_/g, '/')
        .concat('+'),
    ];
    for (const other of spelled) expect(verifyToken(other, keys), JSON.stringify(other)).toBeNull();
  });

  test('under the prefix of another kind', () => {
    for (const prefix of ['gh_rt_', 'gh_code_', 'gh_cs_', '', 'gh_AT_'])
      expect(verifyToken(prefix + encoded(text), keys)).toBeNull();
  });

  test('made with another key of the same id, or with an unknown key', () => {
    expect(verifyToken(text, new Map([[7, tokenKey(7, randomBytes(32))]]))).toBeNull();
    expect(verifyToken(text, new Map([[8, key]]))).toBe('unknown-key');
  });

  test('cut, empty, or far too long', () => {
    for (const length of [0, 3, 6, 20, text.length - 1])
      expect(verifyToken(text.slice(0, length), keys)).toBeNull();
    expect(verifyToken(`gh_at_${'A'.repeat(longestToken)}`, keys)).toBeNull();
  });
});

test('a client token has the client, its epoch, its scope and its audience', () => {
  const detail = { clientId: 'client "ü"', clientEpoch: 2 ** 30, scope: 'a b', audience: [] };
  expect(clientTokenDetail(detail)).toBe('["client \\"ü\\"",1073741824,"a b"]');
  const audiences = [[], ['https://a.example'], ['https://a.example', 'https://b.example/']];
  for (const audience of audiences)
    expect(readClientTokenDetail(clientTokenDetail({ ...detail, audience }))).toEqual({
      ...detail,
      audience,
    });
});

test('an access token has the scope and audience where they are narrower than its authorization', () => {
  const whole = { scope: 'a b', audience: ['https://a.example', 'https://b.example'] };
  expect(readAccessDetail('', whole)).toEqual(whole);
  expect(readAccessDetail('a', whole)).toEqual({ ...whole, scope: 'a' });
  for (const scope of ['', 'a'])
    for (const audience of [['https://a.example'], whole.audience])
      expect(readAccessDetail(accessDetail({ scope, audience }), whole)).toEqual({
        scope,
        audience,
      });
  expect(accessDetail({ scope: 'a', audience: [] })).toBe('a');
});
