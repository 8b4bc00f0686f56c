import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  checkKey,
  checkProof,
  checkThumbprint,
  type Dpop,
  fitsKey,
  judgeProof,
} from '#lib/oauth/dpop.ts';
import { isNonce, nonceAt } from '#lib/oauth/dpop-nonce.ts';
import type { OAuthRefusal } from '#lib/oauth/errors.ts';
import { part } from '../support/assertions.ts';
import { newDpopKey, proofOf, type ToldProof } from '../support/dpop.ts';

/* Each line breaks one rule of RFC 9449 section 4.3, or goes exactly up to a limit. */

const now = new Date('2026-11-26T12:00:00Z');
const at = now.getTime() / 1000;
const address = 'https://id.example.org/oauth/token';
const token = 'gh_at_abc';
const key = await newDpopKey();
const stranger = await newDpopKey();
const rsa = await newDpopKey('RS256');
const context = {
  method: 'POST',
  addresses: [address],
  accessToken: null as string | null,
  nonces: { isGood: (nonce: string) => nonce === 'good', next: 'next' },
};
const made = (told: ToldProof = {}, by = key) =>
  proofOf(by, { url: address }, { ...told, claims: { iat: at, ...told.claims } });
const judge = async (text: string | Promise<string>, more: Partial<typeof context> = {}) =>
  judgeProof(await text, { ...context, ...more }, now);
/** The rule that a proof breaks; null if it breaks none. */
const wrongWith = (dpop: Dpop) => (dpop && 'fault' in dpop ? dpop.fault.facts.rule : null);
const claiming = async (claims: Record<string, unknown>, more = {}) =>
  wrongWith(await judge(made({ claims }), more));

test('a valid DPoP proof is accepted', async () => {
  expect(await judge(made())).toEqual({
    jkt: key.jkt,
    alg: 'ES256',
    hash: expect.stringMatching(/^dpop:/),
    // As long as any clock that is close enough would accept it.
    expiresAt: new Date((at + 180) * 1000),
    hasNonce: false,
    nextNonce: 'next',
  });
});

test.each([
  [120, null],
  [121, 'dpop.time'],
  [-30, null],
  [-31, 'dpop.time'],
])('a DPoP proof of %d seconds ago: %s', async (age, rule) => {
  expect(await claiming({ iat: at - age })).toBe(rule);
});

test.each([undefined, String(at), [at], { at }, true, null])(
  'a DPoP proof is refused if iat is no number: %j',
  async (iat) => {
    expect(await claiming({ iat })).toBe('dpop.time');
  },
);

test.each<[unknown, string | null]>([
  ['x', null],
  ['x'.repeat(256), null],
  ['x'.repeat(257), 'dpop.jti'],
  ['', 'dpop.jti'],
  [undefined, 'dpop.jti'],
  [5, 'dpop.jti'],
  [['x'], 'dpop.jti'],
])('a DPoP proof with jti %j', async (jti, rule) => {
  expect(await claiming({ jti })).toBe(rule);
});

test.each(['GET', 'post', undefined, ['POST'], ' POST'])(
  'a DPoP proof with htm %j is refused for a POST',
  async (htm) => {
    expect(await claiming({ htm })).toBe('dpop.method');
  },
);

describe('htu of a DPoP proof', () => {
  const here = (more: string) => `https://id.example.org${more}`;
  test.each([
    address,
    `${address}?a=b`,
    `${address}#a`,
    `${address}?`,
    'HTTPS://ID.EXAMPLE.ORG/oauth/token',
    'https://id.example.org:443/oauth/token',
    here('/oauth/%74oken'),
    here('/./oauth/x/../token'),
    here('/oauth/token?htu=https://evil.example/'),
  ])('%s is the same URL', async (htu) => {
    expect(await claiming({ htu })).toBeNull();
  });

  test.each([
    here('/oauth/token/'),
    here('/oauth//token'),
    here('/OAUTH/token'),
    here('/oauth/me'),
    here('/oauth%2Ftoken'),
    here('/oauth%2ftoken'),
    here('/oauth/token%00'),
    here('/oauth/token;x'),
    here('/oauth/token\\'),
    here('\\oauth\\token'),
    'http://id.example.org/oauth/token',
    'https://id.example.org:8443/oauth/token',
    'https://id.example.org./oauth/token',
    'https://id.example.org.evil.example/oauth/token',
    'https://evil.example\\@id.example.org/oauth/token',
    'https://evil.example@id.example.org/oauth/token',
    'https://evil.example:x@id.example.org/oauth/token',
    'https://:x@id.example.org/oauth/token',
    'https:///id.example.org/oauth/token',
    'https:/id.example.org/oauth/token',
    'https:id.example.org/oauth/token',
    'https:\\\\id.example.org/oauth/token',
    '//id.example.org/oauth/token',
    '/oauth/token',
    'https://id.example.org/oauth/to\nken',
    'https://id.example.org/oauth/to\tken',
    ` ${address}`,
    `${address} `,
    'https://ｉd.example.org/oauth/token',
    'https://id.ex%61mple.org/oauth/tokeń',
    `${address}?${'x'.repeat(2000)}`,
    'blob:https://id.example.org/oauth/token',
    'x'.repeat(50),
    '',
  ])('%j is another URL, or none', async (htu) => {
    expect(await claiming({ htu })).toBe('dpop.address');
  });

  test.each([undefined, null, 5, [address], { href: address }])('%j is no text', async (htu) => {
    expect(await claiming({ htu })).toBe('dpop.address');
  });
});

describe('ath of a DPoP proof beside an access token', () => {
  const ath = createHash('sha256').update(token).digest('base64url');
  test.each<[unknown, string | null]>([
    [ath, null],
    [undefined, 'dpop.token'],
    [createHash('sha256').update('x').digest('base64url'), 'dpop.token'],
    [token, 'dpop.token'],
    [[ath], 'dpop.token'],
    [`${ath}=`, 'dpop.token'],
  ])('%j: %s', async (told, rule) => {
    expect(await claiming({ ath: told }, { accessToken: token })).toBe(rule);
  });
});

test.each<[unknown, string | null]>([
  ['good', null],
  ['other', 'dpop.nonce'],
  ['', 'dpop.nonce'],
  [null, 'dpop.nonce'],
  [['good'], 'dpop.nonce'],
])('a DPoP proof with nonce %j: %s', async (nonce, rule) => {
  const dpop = await judge(made({ claims: { nonce } }));
  expect(wrongWith(dpop)).toBe(rule);
  if (rule === null) expect(dpop).toMatchObject({ hasNonce: true });
});

describe('a DPoP proof is refused for its header or signature', () => {
  const changed = async (change: (parts: string[]) => string[]) =>
    change((await made()).split('.')).join('.');
  const heading = (header: Record<string, unknown>) => made({ header });
  test.each<[string, () => Promise<string>, string]>([
    ['another typ', () => heading({ typ: 'JWT' }), 'typ'],
    ['its typ in capitals', () => heading({ typ: 'DPOP+JWT' }), 'typ'],
    ['its typ in full', () => heading({ typ: 'application/dpop+jwt' }), 'typ'],
    ['no typ', () => heading({ typ: undefined }), 'typ'],
    ['no key', () => heading({ jwk: undefined }), 'key'],
    ['a list of keys', () => heading({ jwk: [key.jwk] }), 'key'],
    ['a private key', () => heading({ jwk: { ...key.jwk, d: 'AAAA' } }), 'key'],
    ['a secret', () => heading({ jwk: { kty: 'oct', k: 'AAAA' } }), 'key'],
    ['a public key with a secret', () => heading({ jwk: { ...key.jwk, k: 'AAAA' } }), 'key'],
    ['a key for encryption', () => heading({ jwk: { ...key.jwk, use: 'enc' } }), 'key'],
    ['a key that only signs', () => heading({ jwk: { ...key.jwk, key_ops: ['sign'] } }), 'key'],
    ['a key for another algorithm', () => heading({ jwk: { ...key.jwk, alg: 'RS256' } }), 'key'],
    ['a key of another kind', () => heading({ jwk: rsa.jwk }), 'key'],
    ['a point off the curve', () => heading({ jwk: { ...key.jwk, x: key.jwk.y } }), 'key'],
    ['another one’s key', () => heading({ jwk: stranger.jwk }), 'signature'],
    [
      'no algorithm',
      () =>
        changed(([, body = '']) => [
          part({ typ: 'dpop+jwt', alg: 'none', jwk: key.jwk }),
          body,
          'AA',
        ]),
      'alg',
    ],
    [
      'one that nobody knows',
      () =>
        changed(([, body = '']) => [
          part({ typ: 'dpop+jwt', alg: 'HS256', jwk: key.jwk }),
          body,
          'AA',
        ]),
      'alg',
    ],
    [
      'one by the name of something in every object',
      () =>
        changed(([, body = '']) => [
          part({ typ: 'dpop+jwt', alg: 'toString', jwk: key.jwk }),
          body,
          'AA',
        ]),
      'alg',
    ],
    ['no signature', () => changed(([head = '', body = '']) => [head, body, '']), 'malformed'],
    [
      'other claims under the signature',
      () =>
        changed(([head = '', , sign = '']) => [
          head,
          part({ htm: 'POST', htu: address, iat: at, jti: 'x' }),
          sign,
        ]),
      'signature',
    ],
    ['a fourth part', () => changed((parts) => [...parts, 'AA']), 'malformed'],
    ['a fifth part', () => changed((parts) => [...parts, 'AA', 'AA']), 'malformed'],
    ['white space', async () => `${await made()} `, 'malformed'],
    ['padding', async () => `${await made()}=`, 'malformed'],
    [
      'an extension that has to be understood',
      () =>
        changed(([, ...rest]) => [
          part({ typ: 'dpop+jwt', alg: 'ES256', jwk: key.jwk, crit: [] }),
          ...rest,
        ]),
      'malformed',
    ],
    [
      'claims that are a list',
      () => changed(([head = '', , sign = '']) => [head, part([1]), sign]),
      'malformed',
    ],
    ['claims without end', () => made({ claims: { x: 'x'.repeat(8000) } }), 'malformed'],
  ])('%s', async (_, make, part) => {
    expect(wrongWith(await judge(make()))).toBe(`dpop.${part}`);
  });

  test.each([171, 690, 800])('an RSA key with %d characters in its modulus', async (length) => {
    const n = (rsa.jwk.n ?? '').repeat(3).slice(0, length);
    expect(wrongWith(await judge(made({ header: { jwk: { ...rsa.jwk, n } } }, rsa)))).toBe(
      'dpop.key',
    );
  });

  test('an RSA key with an exponent of 1, or one that is too long', async () => {
    for (const e of ['AQ', 'A'.repeat(12)])
      expect(wrongWith(await judge(made({ header: { jwk: { ...rsa.jwk, e } } }, rsa)))).toBe(
        'dpop.key',
      );
  });
});

test('the replay key of a DPoP proof is its jti per key', async () => {
  const claims = { jti: 'same' };
  const onceOf = (dpop: Dpop) => (dpop && 'hash' in dpop ? dpop.hash : null);
  const one = onceOf(await judge(made({ claims })));
  const again = onceOf(await judge(made({ claims: { ...claims, x: 1 } })));
  const others = onceOf(await judge(made({ claims }, await newDpopKey())));
  expect(one).toBe(again);
  expect(one).not.toBe(others);
});

const good = await judge(made());
const withNonce = await judge(made({ claims: { nonce: 'good' } }));

describe('the DPoP settings of a client', () => {
  const usual = {
    dpopBoundAccessTokens: false,
    requireDpopNonce: null,
    strong: false,
    type: 'confidential' as const,
    jwks: '{}',
    jwksUri: null,
    federatedCredentials: [],
    guardedSites: [],
  } as const;
  const off = { requireDpopNonce: false };
  const ruleOf = (run: () => unknown) => {
    try {
      run();
      return null;
    } catch (error) {
      return (error as OAuthRefusal).facts?.rule;
    }
  };
  test('by default a proof is accepted, and none is needed', () => {
    expect(checkProof(good, usual, off)).toBe(good);
    expect(checkProof(null, usual, off)).toBeNull();
  });

  test('dpopBoundAccessTokens requires a proof', () => {
    const client = { ...usual, dpopBoundAccessTokens: true };
    expect(ruleOf(() => checkProof(null, client, off))).toBe('dpop.missing');
    expect(checkProof(good, client, off)).toBe(good);
    expect(checkProof(null, client, off, true)).toBeNull();
  });

  test('requireDpopNonce of the client, or else REQUIRE_DPOP_NONCE, requires a nonce', () => {
    const own = { ...usual, requireDpopNonce: true };
    const spared = { ...usual, requireDpopNonce: false };
    const on = { requireDpopNonce: true };
    expect(ruleOf(() => checkProof(good, own, off))).toBe('dpop.nonce');
    expect(ruleOf(() => checkProof(good, usual, on))).toBe('dpop.nonce');
    expect(checkProof(good, spared, on)).toBe(good);
    expect(checkProof(withNonce, own, on)).toBe(withNonce);
  });

  test('a strong client is refused RS256, and needs a key', async () => {
    const strong = { ...usual, strong: true };
    const weak = await judge(made({}, await newDpopKey('RS256')));
    expect(wrongWith(weak)).toBeNull();
    expect(ruleOf(() => checkProof(weak, strong, off))).toBe('dpop.alg');
    expect(checkProof(good, strong, off)).toBe(good);
    expect(ruleOf(() => checkProof(good, { ...strong, jwks: null }, off))).toBe('client.no-key');
  });

  test('a faulty proof is refused, though none is needed', async () => {
    const faulty = await judge(made({ claims: { htm: 'GET' } }));
    expect(ruleOf(() => checkProof(faulty, usual, off))).toBe('dpop.method');
  });
});

test('a code that is bound to a DPoP key needs a proof with that key', async () => {
  const proof = await judge(made());
  if (!proof || 'fault' in proof) throw new Error('It is good.');
  expect([fitsKey(null, null), fitsKey(null, proof), fitsKey(key.jkt, proof)]).toEqual([
    true,
    true,
    true,
  ]);
  const other = 'x'.repeat(43);
  expect([fitsKey(key.jkt, null), fitsKey(other, proof)]).toEqual([false, false]);
  for (const [jkt, by] of [
    [key.jkt, null],
    [other, proof],
  ] as const)
    expect(() => checkKey(jkt, by, 'code')).toThrow('The code is bound to another key.');
});

test.each(['', 'x', 'x'.repeat(42), 'x'.repeat(44), '='.repeat(43), `${'x'.repeat(42)}\n`])(
  'dpop_jkt %j is no thumbprint',
  (jkt) => {
    expect(() => checkThumbprint(jkt)).toThrow('dpop_jkt');
  },
);

describe('a DPoP nonce', () => {
  const secret = new Uint8Array(32).fill(1);
  const other = new Uint8Array(32).fill(2);
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const isGood = (nonce: string, when = now, keys = [secret]) => isNonce(nonce, keys, when);
  const nonce = nonceAt(now, secret);
  test.each([
    [299, true],
    [300, false],
    [-60, true],
    [-61, false],
    [86_400, false],
  ])('is good %d seconds after it was made: %s', (seconds, expected) => {
    expect(isGood(nonce, later(seconds))).toBe(expected);
  });

  test('is valid for this server only, also with a previous secret', () => {
    expect(isGood(nonceAt(now, other))).toBe(false);
    expect(isGood(nonceAt(now, other), now, [secret, other])).toBe(true);
    expect(isGood(nonce, now, [])).toBe(false);
  });

  test('has one spelling, and its MAC covers its minute', () => {
    const next = nonceAt(later(60), secret);
    expect(next).not.toBe(nonce);
    // 27 characters contain two bits without meaning.
    expect(nonce.slice(0, 5) + next.slice(5)).not.toBe(nonce);
    expect(isGood(nonce.slice(0, 6) + next.slice(6))).toBe(false);
    for (const text of ['', 'x', `${nonce}A`, nonce.slice(1), `${nonce}=`, ` ${nonce}`])
      expect(isGood(text)).toBe(false);
  });
});
