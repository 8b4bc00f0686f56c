import { createHash, generateKeyPairSync, type JsonWebKey, randomUUID, sign } from 'node:crypto';
import { assertionType } from '../../support/assertions.ts';

/*
 * The proofs of clients and their tokens, made as cheaply as Node.js can. The load generator has
 * its own core, and signs once for each request.
 */
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });

/** The public key of all clients in this run, for client authentication and for DPoP. */
export const publicJwk: JsonWebKey = { kty, crv, x, y };

const encoded = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Its thumbprint (RFC 7638). */
export const thumbprint = sha256(JSON.stringify({ crv, kty, x, y }));

function signed(header: string, claims: Record<string, unknown>): string {
  const input = `${header}.${encoded({ ...claims, iat: Math.floor(Date.now() / 1000), jti: randomUUID() })}`;
  const how = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return `${input}.${sign('sha256', Buffer.from(input), how).toString('base64url')}`;
}

const proofHeader = encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk: publicJwk });
const assertionHeader = encoded({ alg: 'ES256' });

/** A proof for one request (RFC 9449 section 4.2). */
export const proofFor = (htm: string, htu: string, accessToken?: string): string =>
  signed(proofHeader, { htm, htu, ...(accessToken && { ath: sha256(accessToken) }) });

/** The assertion that a client sends in place of a secret, for one use (RFC 7523 section 2.2). */
export const assertionFor = (clientId: string, issuer: string): Record<string, string> => ({
  client_id: clientId,
  client_assertion_type: assertionType,
  client_assertion: signed(assertionHeader, {
    iss: clientId,
    sub: clientId,
    aud: issuer,
    exp: Math.floor(Date.now() / 1000) + 60,
  }),
});
