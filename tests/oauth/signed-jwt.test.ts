import { generateKeyPairSync } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { type ClientKey, clientSigningAlgs } from '#lib/oauth/key-set.ts';
import { isSignedBy } from '#lib/oauth/signed-jwt.ts';
import { verifyingKeyOf } from '#lib/oauth/verifying-key.ts';

async function signed(alg: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  const text = await new SignJWT({ a: 1 }).setProtectedHeader({ alg }).sign(privateKey);
  return { text, jwk: (await exportJWK(publicKey)) as ClientKey };
}

test.each(clientSigningAlgs)(
  'RFC 7515 section 5.2: a JWS that jose signed by %s is verified with its key, and with no other',
  async (alg) => {
    const { text, jwk } = await signed(alg);
    const other = await signed(alg);
    expect(isSignedBy(text, alg, [jwk])).toBe(true);
    expect(isSignedBy(text, alg, [other.jwk, jwk])).toBe(true);
    expect(isSignedBy(text, alg, [other.jwk])).toBe(false);
    expect(isSignedBy(text, alg, [])).toBe(false);
    const [header, claims, signature = ''] = text.split('.');
    const changed = [
      `${header}.${claims}x.${signature}`,
      `${header}x.${claims}.${signature}`,
      `${header}.${claims}.`,
      `${header}.${claims}.${signature.slice(0, -4)}`,
      `${header}.${claims}.${signature}AAAA`,
      `${header}.${claims}.${'A'.repeat(signature.length)}`,
    ];
    for (const each of changed) expect(isSignedBy(each, alg, [jwk]), each).toBe(false);
  },
);

test('RFC 7518 section 3.5: a PS256 signature is not accepted as RS256, nor the reverse', async () => {
  const ps = await signed('PS256');
  const rs = await signed('RS256');
  expect(isSignedBy(ps.text, 'RS256', [ps.jwk])).toBe(false);
  expect(isSignedBy(rs.text, 'PS256', [rs.jwk])).toBe(false);
});

test('RFC 7638: the thumbprint of a key is the one of jose, whatever else its JWK says', async () => {
  for (const alg of ['ES256', 'RS256', 'EdDSA']) {
    const { jwk } = await signed(alg);
    const thumbprint = await calculateJwkThumbprint(jwk, 'sha256');
    expect(verifyingKeyOf(jwk).thumbprint).toBe(thumbprint);
    expect(verifyingKeyOf({ kid: 'k', use: 'sig', ...jwk, x5c: [] }).thumbprint).toBe(thumbprint);
  }
});

test.each([
  ['no point of its curve', { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' }],
  ['of another kind', { kty: 'oct', k: 'AAAA' }],
  ['of the kind of a member of every object', { kty: 'constructor' }],
  ['nothing', {}],
])('a JWK is refused: %s', (_, jwk) => {
  expect(() => verifyingKeyOf(jwk)).toThrow();
});

test('verifying keys are cached, and only the last thousand are kept', () => {
  const newKey = () => generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const first = newKey();
  const made = verifyingKeyOf(first);
  for (let index = 0; index < 999; index += 1) verifyingKeyOf(newKey());
  expect(verifyingKeyOf(first)).toBe(made);
  verifyingKeyOf(newKey());
  expect(verifyingKeyOf(first)).not.toBe(made);
});
