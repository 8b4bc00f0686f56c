import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** A client's key: the private half signs, the public half is registered. */
export type SigningKey = { alg: string; kid: string; privateKey: CryptoKey; jwk: JWK };

export async function newSigningKey(
  alg = 'ES256',
  kid: string = randomUUID(),
): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid } };
}

export const keySet = (...keys: SigningKey[]): string =>
  JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });

/** One part of a JWT. */
export const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

type Told = { claims?: Record<string, unknown>; header?: Record<string, unknown> };

/**
 * A valid assertion of a client, changed by `claims` and `header`; `undefined` leaves a claim out.
 */
export function assertionOf(
  client: { id: string },
  { issuer }: { issuer: string },
  key: SigningKey,
  { claims = {}, header = {} }: Told = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const usual = { iss: client.id, sub: client.id, aud: issuer, exp: now + 60, jti: randomUUID() };
  return new SignJWT({ ...usual, ...claims })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header } as { alg: string })
    .sign(key.privateKey);
}

/** What a client sends in place of a secret. */
export const byAssertion = (client_assertion: string) => ({
  client_assertion_type: assertionType,
  client_assertion,
});
