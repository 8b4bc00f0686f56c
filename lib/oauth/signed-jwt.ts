import { constants, verify } from 'node:crypto';
import type { ClientKey, ClientSigningAlg } from './key-set.ts';
import { verifyingKeyOf } from './verifying-key.ts';

/*
 * JWTs that a client signs (RFC 7515, RFC 7519). Their claims are read before their signature is
 * checked, so that nothing expensive is done for a JWT that cannot be valid.
 */

/** A JWT whose signature has not been checked. */
export type UnverifiedJwt = {
  text: string;
  header: Readonly<Record<string, unknown>>;
  claims: Readonly<Record<string, unknown>>;
};

/** Reads a JWT; null: it is not one, or requires its reader to understand an extension (`crit`). */
export function readJwt(text: string): UnverifiedJwt | null {
  const parts = text.split('.', 4);
  if (parts.length !== 3 || !parts.every((part) => /^[A-Za-z0-9_-]+$/.test(part))) return null;
  const [header, claims] = parts.slice(0, 2).map(objectIn);
  return header && claims && header.crit === undefined ? { text, header, claims } : null;
}

function objectIn(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(utf8.decode(Buffer.from(part, 'base64url')));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Seconds a single-use JWT is remembered beyond its expiry, because clocks differ. */
export const rememberedBeyond = 60;

/** Whether a claim is a time: seconds since 1970 (RFC 7519 section 2). */
export const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value < 1e11;

/** The value of a claim, for an admin to read. */
export const shownClaim = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).slice(0, 200);

/** RFC 7518 sections 3.3 to 3.5, RFC 8037 section 3.1. EdDSA has its own digest. */
export const schemes: Record<ClientSigningAlg, { digest: 'sha256' | null; how: object }> = {
  ES256: { digest: 'sha256', how: { dsaEncoding: 'ieee-p1363' } },
  PS256: {
    digest: 'sha256',
    how: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
  },
  RS256: { digest: 'sha256', how: { padding: constants.RSA_PKCS1_PADDING } },
  EdDSA: { digest: null, how: {} },
  Ed25519: { digest: null, how: {} },
};

/**
 * Whether one of these keys signed a JWT with this algorithm, for which the keys must be suited.
 * @param text of a JWT that `readJwt` has read
 */
export function isSignedBy(
  text: string,
  alg: ClientSigningAlg,
  keys: readonly ClientKey[],
): boolean {
  const { digest, how } = schemes[alg];
  const end = text.lastIndexOf('.');
  const signed = Buffer.from(text.slice(0, end));
  const signature = Buffer.from(text.slice(end + 1), 'base64url');
  return keys.some((jwk) => {
    const { key } = verifyingKeyOf(jwk);
    return verify(digest, signed, { key, ...how }, signature);
  });
}
