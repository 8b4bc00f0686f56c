import { createHash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** The key of a DPoP proof: its private half, its public half, and its thumbprint. */
export type DpopKey = { alg: string; privateKey: CryptoKey; jwk: JWK; jkt: string };

export async function newDpopKey(alg = 'ES256'): Promise<DpopKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { alg, privateKey, jwk, jkt: await calculateJwkThumbprint(jwk) };
}

/** Changes to the usual claims and header of a proof; `undefined` leaves one out. */
export type ToldProof = { claims?: Record<string, unknown>; header?: Record<string, unknown> };

/** A proof for a request (RFC 9449 section 4.2). */
export function proofOf(
  key: DpopKey,
  { method = 'POST', url, token }: { method?: string; url: string; token?: string },
  { claims = {}, header = {} }: ToldProof = {},
): Promise<string> {
  const usual = {
    htm: method,
    htu: url,
    iat: Math.floor(Date.now() / 1000),
    jti: randomUUID(),
    ...(token !== undefined && { ath: createHash('sha256').update(token).digest('base64url') }),
  };
  return new SignJWT({ ...usual, ...claims })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: key.alg, jwk: key.jwk, ...header } as never)
    .sign(key.privateKey);
}
