import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import type { FederatedCredential } from '#lib/oauth/client.ts';
import { readAssertion, signatureFault } from '#lib/oauth/client-assertion.ts';
import { readFederated } from '#lib/oauth/federated-assertion.ts';
import { clientSigningAlgs, keySetFault, keysFor, readKeySet } from '#lib/oauth/key-set.ts';
import { strongAlgs } from '#lib/oauth/strong-client.ts';
import { assertionOf, keySet, newSigningKey, part } from '../support/assertions.ts';

/* Each line breaks one rule of RFC 7523 section 3, or goes exactly up to a limit. */

const now = new Date('2026-11-26T12:00:00Z');
const at = now.getTime() / 1000;
const issuer = 'https://id.example.org';
const client = { id: 'app' };
const key = await newSigningKey();
const stranger = await newSigningKey('ES256', key.kid);
const rsa = await newSigningKey('RS256');

type Told = { claims?: Record<string, unknown>; header?: Record<string, unknown> };
const made = (told: Told = {}, by = key) =>
  assertionOf(client, { issuer }, by, { ...told, claims: { exp: at + 60, ...told.claims } });
const read = async (
  text: string | Promise<string>,
  algs: readonly string[] = clientSigningAlgs,
  clientId = client.id,
) => readAssertion(await text, { clientId, issuer, algs }, now);
type Judged = Awaited<ReturnType<typeof read>>;
const wrongWith = (judged: Judged | ReturnType<typeof readFederated>) =>
  'fault' in judged ? judged.fault.facts.rule : null;
const claiming = async (claims: Record<string, unknown>) => wrongWith(await read(made({ claims })));

test('a valid client assertion is accepted', async () => {
  expect(await read(made())).toMatchObject({
    alg: 'ES256',
    kid: key.kid,
    once: expect.stringMatching(/^client-assertion:/),
    // Its expiry by a clock that is late, plus a minute, because the clocks of processes differ.
    keepUntil: new Date((at + 60 + 30 + 60) * 1000),
  });
});

/** The rules about times for each kind. The kinds differ only in the longest lifetime. */
const times = (longest: number): [string, Record<string, unknown>, string | null][] => [
  ['that has just ended, by a clock that is near', { exp: at - 29 }, null],
  ['that has ended', { exp: at - 30 }, 'expiry'],
  ['that lives as long as it may', { exp: at + longest + 30 }, null],
  ['that lives longer', { exp: at + longest + 31 }, 'expiry'],
  ['without an end', { exp: undefined }, 'expiry'],
  ['whose end is text', { exp: String(at + 60) }, 'expiry'],
  ['whose end is negative', { exp: -1 }, 'expiry'],
  ['that begins now, by a clock that is near', { nbf: at + 30 }, null],
  ['that begins later', { nbf: at + 31 }, 'not-yet'],
  ['whose beginning is text', { nbf: String(at) }, 'not-yet'],
  ['whose beginning is nothing', { nbf: null }, 'not-yet'],
  ['that was made now', { iat: at + 30 }, null],
  ['that will be made', { iat: at + 31 }, 'not-yet'],
  ['that was made at a time in words', { iat: 'now' }, 'not-yet'],
];

describe('a client assertion (RFC 7523 section 3)', () => {
  test.each<[string, Record<string, unknown>, string | null]>([
    ['of another issuer', { iss: 'other' }, 'issuer'],
    ['of no issuer', { iss: undefined }, 'issuer'],
    ['of a list of issuers', { iss: [client.id] }, 'issuer'],
    ['about another client', { sub: 'other' }, 'issuer'],
    ['about nobody', { sub: undefined }, 'issuer'],
    ['for the token endpoint', { aud: `${issuer}/oauth/token` }, 'audience'],
    ['for this server with a slash', { aud: `${issuer}/` }, 'audience'],
    ['for another realm of this server', { aud: `${issuer}/realms/acme` }, 'audience'],
    ['for this server in capitals', { aud: issuer.toUpperCase() }, 'audience'],
    ['for a list of this server alone', { aud: [issuer] }, 'audience'],
    ['for this server and another', { aud: [issuer, 'https://evil.example'] }, 'audience'],
    ['for nobody', { aud: undefined }, 'audience'],
    ...times(3600),
    ['with a long jti', { jti: 'j'.repeat(256) }, null],
    ['with a longer jti', { jti: 'j'.repeat(257) }, 'jti'],
    ['with an empty jti', { jti: '' }, 'jti'],
    ['without a jti', { jti: undefined }, 'jti'],
    ['whose jti is a number', { jti: 5 }, 'jti'],
    ['whose jti is a list', { jti: ['x'] }, 'jti'],
  ])('%s', async (_, claims, rule) => {
    expect(await claiming(claims)).toBe(rule && `client-assertion.${rule}`);
  });

  test.each<[string, Record<string, unknown>, string | null]>([
    ['typ JWT', { typ: 'JWT' }, null],
    ['typ of its own', { typ: 'client-authentication+jwt' }, null],
    ['typ in full', { typ: 'application/client-authentication+jwt' }, null],
    ['typ of an access token', { typ: 'at+jwt' }, 'typ'],
    ['typ of a proof', { typ: 'dpop+jwt' }, 'typ'],
    ['typ of an identity assertion', { typ: 'oauth-id-jag+jwt' }, 'typ'],
    ['typ of a logout token', { typ: 'logout+jwt' }, 'typ'],
    ['typ that is no text', { typ: ['JWT'] }, 'typ'],
    ['typ that ends alike', { typ: 'x-jwt' }, 'typ'],
    ['a kid that is no text', { kid: { a: 1 } }, 'malformed'],
    ['no kid', { kid: undefined }, null],
  ])('with %s', async (_, header, rule) => {
    expect(wrongWith(await read(made({ header })))).toBe(rule && `client-assertion.${rule}`);
  });

  test.each(['none', 'HS256', 'toString', '__proto__', 'ES384', 5, null, ['ES256']])(
    'with alg %j is refused',
    async (alg) => {
      const [, body] = (await made()).split('.');
      expect(wrongWith(await read(`${part({ alg })}.${body}.AA`))).toBe('client-assertion.alg');
    },
  );

  test('with RS256 is refused if the client may not use it', async () => {
    expect(wrongWith(await read(made({}, rsa)))).toBeNull();
    expect(wrongWith(await read(made({}, rsa), strongAlgs))).toBe('client-assertion.alg');
  });

  test('is refused if it is from another client', async () => {
    expect(wrongWith(await read(made(), clientSigningAlgs, 'other'))).toBe(
      'client-assertion.issuer',
    );
  });
});

test('the replay key of a client assertion is its jti per client, whatever else it says or who signed it', async () => {
  const claims = { jti: 'same' };
  const onceOf = (judged: Judged) => ('once' in judged ? judged.once : null);
  const one = onceOf(await read(made({ claims })));
  expect(onceOf(await read(made({ claims: { ...claims, exp: at + 90 } }, stranger)))).toBe(one);
  const other = assertionOf({ id: 'other' }, { issuer }, key, {
    claims: { ...claims, exp: at + 60 },
  });
  expect(onceOf(await read(other, clientSigningAlgs, 'other'))).not.toBe(one);
});

describe('the key that signed a client assertion', () => {
  const signedBy = async (text: Promise<string>, keys: readonly unknown[]) => {
    const judged = await read(text);
    if ('fault' in judged) throw new Error(judged.fault.reason);
    return (await signatureFault(judged, keys as never))?.facts.rule ?? null;
  };
  const { kid: _, ...unnamed } = key.jwk;
  test.each<[string, () => Promise<string>, readonly unknown[], string | null]>([
    ['is the client’s', () => made(), [rsa.jwk, key.jwk], null],
    [
      'has no name, and nor has the client’s',
      () => made({ header: { kid: undefined } }),
      [unnamed],
      null,
    ],
    ['has a name, and the client’s has none', () => made(), [unnamed], null],
    [
      'has no name, and the client’s has one',
      () => made({ header: { kid: undefined } }),
      [key.jwk],
      null,
    ],
    ['has another name', () => made({ header: { kid: 'other' } }), [key.jwk], 'key'],
    ['is somebody else’s by this name', () => made({}, stranger), [key.jwk], 'signature'],
    [
      'comes along',
      () => made({ header: { jwk: stranger.jwk } }, stranger),
      [key.jwk],
      'signature',
    ],
    ['is of another kind', () => made(), [{ ...rsa.jwk, kid: key.kid }], 'key'],
    ['is for another algorithm', () => made({}, rsa), [{ ...rsa.jwk, alg: 'PS256' }], 'key'],
    ['is there twice', () => made(), [stranger.jwk, key.jwk], null],
    ['is gone', () => made(), [], 'key'],
  ])('%s', async (_, make, keys, rule) => {
    expect(await signedBy(make(), keys)).toBe(rule && `client-assertion.${rule}`);
  });

  test('does not verify a PS256 signature as RS256, though the RSA key has the same kid', async () => {
    const [, body] = (await made({}, rsa)).split('.');
    const pss = await newSigningKey('PS256', rsa.kid);
    const forged = (await made({}, pss)).split('.')[2];
    const text = `${part({ alg: 'RS256', kid: rsa.kid })}.${body}.${forged}`;
    expect(await signedBy(Promise.resolve(text), [rsa.jwk, pss.jwk])).toBe(
      'client-assertion.signature',
    );
  });

  test('may be named EdDSA or Ed25519, for the same curve', async () => {
    const ed = await newSigningKey('EdDSA');
    for (const alg of ['EdDSA', 'Ed25519']) {
      const found = keysFor([{ ...ed.jwk, alg } as never], { alg: 'Ed25519' });
      expect(found).toHaveLength(1);
    }
    expect(keysFor([{ ...ed.jwk, alg: 'ES256' } as never], { alg: 'EdDSA' })).toHaveLength(0);
  });
});

describe('a key set of a client', () => {
  const setOf = (...keys: unknown[]) => JSON.stringify({ keys });
  const n = (length: number) => (rsa.jwk.n ?? '').repeat(3).slice(0, length);
  test.each<[string, string]>([
    ['that is no JSON', 'x'],
    ['that is a list', JSON.stringify([key.jwk])],
    ['whose keys are none', JSON.stringify({ keys: key.jwk })],
    ['without keys', setOf()],
    ['of nothing that signs', setOf({ ...key.jwk, use: 'enc' })],
    ['of a key that does not check', setOf({ ...key.jwk, key_ops: ['sign'] })],
    ['of a shared secret', setOf({ kty: 'oct', kid: 'x' })],
    ['of another curve', setOf({ ...key.jwk, crv: 'P-384' })],
    ['of a point off the curve', setOf({ ...key.jwk, x: key.jwk.y })],
    ['of a kid that is no text', setOf({ ...key.jwk, kid: 5 })],
    ['of a kid without end', setOf({ ...key.jwk, kid: 'x'.repeat(201) })],
    ['of an algorithm that nobody knows', setOf({ ...key.jwk, alg: 'HS256' })],
    ['of an algorithm of other keys', setOf({ ...key.jwk, alg: 'RS256' })],
    ['of a short RSA key', setOf({ ...rsa.jwk, n: n(171) })],
    ['of a long RSA key', setOf({ ...rsa.jwk, n: n(690) })],
    ['of a longer RSA key', setOf({ ...rsa.jwk, n: n(800) })],
    ['of an RSA exponent of 1', setOf({ ...rsa.jwk, e: 'AQ' })],
    ['of an RSA exponent without end', setOf({ ...rsa.jwk, e: `AQ${'A'.repeat(9)}B` })],
    ['with a private key', setOf(key.jwk, { ...rsa.jwk, d: 'AAAA' })],
    ['with a secret among them', setOf(key.jwk, { kty: 'oct', k: 'AAAA' })],
    ['of 21', setOf(...Array.from({ length: 21 }, () => key.jwk))],
    ['that is too long', JSON.stringify({ keys: [key.jwk], x: 'x'.repeat(16_384) })],
  ])('%s is refused', (_, text) => {
    expect(keySetFault(text)).not.toBeNull();
  });

  test('may have 20 keys, and unknown ones beside a usable one', () => {
    expect(keySetFault(setOf(...Array.from({ length: 20 }, () => key.jwk)))).toBeNull();
    const others = [{ kty: 'new' }, null, 5, { ...key.jwk, use: 'enc' }];
    const read = readKeySet(
      setOf(...others, key.jwk, { ...rsa.jwk, use: 'sig', key_ops: ['verify'] }),
    );
    expect('keys' in read && read.keys.map(({ kty }) => kty)).toEqual(['EC', 'RSA']);
    expect(keySetFault(keySet(key, rsa))).toBeNull();
  });
});

describe('a JWT of another issuer as a client assertion (RFC 7521 section 4.2)', () => {
  const forge = 'https://forge.example';
  const sub = 'repo:acme/site:ref:refs/heads/main';
  const rule = (more: Partial<FederatedCredential> = {}): FederatedCredential => ({
    issuer: forge,
    claims: { sub },
    keys: null,
    reusable: false,
    ...more,
  });
  const jwt = ({ claims = {}, header = {} }: Told = {}, by = key) =>
    new SignJWT({ iss: forge, sub, aud: issuer, exp: at + 60, jti: randomUUID(), ...claims })
      .setProtectedHeader({ alg: by.alg, kid: by.kid, typ: 'JWT', ...header } as { alg: string })
      .sign(by.privateKey);
  const judge = async (
    text: string | Promise<string>,
    credentials: FederatedCredential[] = [rule()],
    clientId = client.id,
  ) => readFederated(await text, { clientId, issuer, credentials }, now);
  const onceOf = (judged: ReturnType<typeof readFederated>) =>
    'read' in judged ? judged.read.once : judged.fault.facts.rule;

  test('is accepted if it is valid, with the credential rule that it matches', async () => {
    const two = [rule({ claims: { sub: 'other' } }), rule()];
    expect(await judge(jwt(), two)).toMatchObject({
      read: { alg: 'ES256', once: expect.stringMatching(/^federated:/) },
      credential: two[1],
    });
  });

  test.each<[string, Record<string, unknown>, string | null]>([
    ['of an issuer with a slash', { iss: `${forge}/` }, 'issuer'],
    ['of a list of issuers', { iss: [forge] }, 'issuer'],
    ['of another issuer', { iss: 'https://evil.example' }, 'issuer'],
    ['of no issuer', { iss: undefined }, 'issuer'],
    ['for a list of this server alone', { aud: [issuer] }, null],
    ['for the token endpoint', { aud: `${issuer}/oauth/token` }, null],
    ['for a list of the token endpoint', { aud: [`${issuer}/oauth/token`] }, null],
    ['for both', { aud: [issuer, `${issuer}/oauth/token`] }, 'audience'],
    ['for another endpoint', { aud: `${issuer}/oauth/introspect` }, 'audience'],
    ['for this server twice', { aud: [issuer, issuer] }, 'audience'],
    ['for this server and another', { aud: [issuer, 'https://x.example'] }, 'audience'],
    ['for another and this server', { aud: ['https://x.example', issuer] }, 'audience'],
    ['for a list in a list', { aud: [[issuer]] }, 'audience'],
    ['for nobody', { aud: [] }, 'audience'],
    ['for this server with a slash', { aud: `${issuer}/` }, 'audience'],
    ['that is bound to a key', { cnf: { jkt: 'x' } }, 'claims'],
    ['that is bound to nothing', { cnf: null }, 'claims'],
    ['of another subject', { sub: `${sub}2` }, 'claims'],
    ['of a subject in a list', { sub: [sub] }, 'claims'],
    ['of no subject', { sub: undefined }, 'claims'],
    ...times(86_400),
    ['with an empty jti', { jti: '' }, 'jti'],
    ['with a jti without end', { jti: 'j'.repeat(257) }, 'jti'],
    ['whose jti is nothing', { jti: null }, 'jti'],
    ['without a jti', { jti: undefined }, null],
  ])('%s', async (_, claims, rule) => {
    expect(wrongWith(await judge(jwt({ claims })))).toBe(rule && `client-assertion.${rule}`);
  });

  test.each<[string, Record<string, unknown>, string | null]>([
    ['typ of an access token', { typ: 'at+jwt' }, null],
    ['no typ', { typ: undefined }, null],
    ['typ of an identity assertion', { typ: 'oauth-id-jag+jwt' }, 'typ'],
    ['typ of a proof', { typ: 'dpop+jwt' }, 'typ'],
    ['typ of a logout token', { typ: 'logout+jwt' }, 'typ'],
    ['typ that is no text', { typ: 5 }, 'typ'],
    ['a kid that is no text', { kid: 5 }, 'malformed'],
  ])('with %s', async (_, header, rule) => {
    expect(wrongWith(await judge(jwt({ header })))).toBe(rule && `client-assertion.${rule}`);
  });

  test.each(['none', 'HS256', 'toString', 'ES384', ['ES256']])('with the alg %j', async (alg) => {
    const [, body] = (await jwt()).split('.');
    expect(wrongWith(await judge(`${part({ alg })}.${body}.AA`))).toBe('client-assertion.alg');
  });

  test('must have every claim of one rule, and no inherited properties count', async () => {
    const both = rule({ claims: { sub, environment: 'production' } });
    expect(wrongWith(await judge(jwt(), [both]))).toBe('client-assertion.claims');
    const right = jwt({ claims: { environment: 'production' } });
    expect(wrongWith(await judge(right, [both]))).toBeNull();
    // A property that every object inherits is not a claim.
    const inherited = rule({ claims: { constructor: 'x*', sub } });
    expect(wrongWith(await judge(jwt(), [inherited]))).toBe('client-assertion.claims');
  });

  test('is judged only by the rules for its issuer', async () => {
    const elsewhere = rule({ issuer: 'https://other.example' });
    const strict = rule({ claims: { sub: 'nobody' } });
    expect(wrongWith(await judge(jwt(), [elsewhere, strict]))).toBe('client-assertion.claims');
    expect(wrongWith(await judge(jwt(), [elsewhere]))).toBe('client-assertion.issuer');
  });

  test('has as replay key its jti, or all that is signed, per client and issuer', async () => {
    const claims = { jti: 'same' };
    const one = onceOf(await judge(jwt({ claims })));
    expect(onceOf(await judge(jwt({ claims: { ...claims, x: 1 } })))).toBe(one);
    expect(onceOf(await judge(jwt({ claims }), [rule()], 'other'))).not.toBe(one);
    const other = 'https://other.example';
    const ofOther = await judge(jwt({ claims: { ...claims, iss: other } }), [
      rule({ issuer: other }),
    ]);
    expect(onceOf(ofOther)).not.toBe(one);
    const without = await jwt({ claims: { jti: undefined } });
    const signedAgain = `${without.slice(0, without.lastIndexOf('.'))}.AAAA`;
    expect(onceOf(await judge(without))).toMatch(/^federated:/);
    expect(onceOf(await judge(signedAgain))).toBe(onceOf(await judge(without)));
    // No one can spend another assertion by using its signed part as a jti.
    const header = { kid: undefined, typ: undefined };
    const short = await jwt({ claims: { jti: undefined }, header });
    const jti = short.slice(0, short.lastIndexOf('.'));
    const named = onceOf(await judge(jwt({ claims: { jti } })));
    expect(named).toMatch(/^federated:/);
    expect(named).not.toBe(onceOf(await judge(short)));
    expect(onceOf(await judge(jwt(), [rule({ reusable: true })]))).toBeNull();
  });
});
