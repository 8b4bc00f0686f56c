import type { JWK } from 'jose';
import { verifyingKeyOf } from './verifying-key.ts';
import { type Wording, wording } from './wording.ts';

/*
 * The public keys of a client (RFC 7517 section 5): registered with it, or at its jwks_uri.
 */

/**
 * The algorithms that clients may sign with, and the keys for each (RFC 7518 section 3.1, RFC 8037,
 * RFC 9864).
 */
const algorithms = {
  ES256: { kty: 'EC', crv: 'P-256' },
  PS256: { kty: 'RSA' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  Ed25519: { kty: 'OKP', crv: 'Ed25519' },
  RS256: { kty: 'RSA' },
} as const;

export type ClientSigningAlg = keyof typeof algorithms;
export const clientSigningAlgs = Object.keys(algorithms) as ClientSigningAlg[];

export const isClientSigningAlg = (alg: unknown): alg is ClientSigningAlg =>
  typeof alg === 'string' && Object.hasOwn(algorithms, alg);

export type ClientKey = JWK & { kty: 'EC' | 'RSA' | 'OKP' };

const mostKeys = 20;
const longestKid = 200;
/** The maximum length of a registered set, in characters. */
const longestSet = 16 * 1024;
/** Bits: a shorter key can be broken, and a longer one makes checking a signature too expensive. */
const rsaBits = { least: 2048, most: 4096 };

/** Members that only the signer may have (RFC 7518 sections 6.2.2, 6.3.2 and 6.4). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/**
 * Reads a set of keys. Keys that are not for signatures, or of an unknown kind, are left out (RFC
 * 7517 section 5). A private key is a fault, because everyone who reads the set would have it.
 */
export function readKeySet(text: string): { keys: readonly ClientKey[] } | { fault: Wording } {
  const given = keysIn(text);
  if (!given) return { fault: notASet };
  if (given.length > mostKeys)
    return {
      fault: wording('refused.keys.many', 'It has more than {most} keys.', {
        most: String(mostKeys),
      }),
    };
  if (given.some((key) => isObject(key) && isPrivate(key)))
    return {
      fault: wording(
        'refused.keys.private',
        'It holds a private or secret key. Register only public keys, and replace this one: others may have seen it.',
      ),
    };
  const keys = given.filter(isUsable);
  return keys.length > 0 ? { keys } : { fault: noneUsable };
}

const notASet = wording('refused.keys.form', 'This is not a JWK Set. It looks like {example}.', {
  example: '{"keys":[{"kty":"EC","crv":"P-256","x":"…","y":"…","kid":"…"}]}',
});
const noneUsable = wording(
  'refused.keys.none',
  'It has no key to check signatures with. Keys are EC (P-256), RSA ({least} to {most} bits) or OKP (Ed25519).',
  { least: String(rsaBits.least), most: String(rsaBits.most) },
);

/** What is wrong with a set that a client wants to register; null: nothing. */
export function keySetFault(text: string): Wording | null {
  if (text.length > longestSet)
    return wording('refused.keys.long', 'It is longer than {most} characters.', {
      most: String(longestSet),
    });
  const read = readKeySet(text);
  return 'fault' in read ? read.fault : null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function keysIn(text: string): unknown[] | null {
  try {
    const set: unknown = JSON.parse(text);
    return isObject(set) && Array.isArray(set.keys) ? set.keys : null;
  } catch {
    return null;
  }
}

function isUsable(key: unknown): key is ClientKey {
  if (!isObject(key)) return false;
  const { kid, use, alg, key_ops: uses } = key;
  if (kid !== undefined && (typeof kid !== 'string' || kid.length > longestKid)) return false;
  if (use !== undefined && use !== 'sig') return false;
  if (Array.isArray(uses) && !uses.includes('verify')) return false;
  if (alg !== undefined && !(isClientSigningAlg(alg) && fits(key, alg))) return false;
  return clientSigningAlgs.some((each) => fits(key, each)) && isSound(key);
}

function fits(key: Record<string, unknown>, alg: ClientSigningAlg): boolean {
  const wanted: { kty: string; crv?: string } = algorithms[alg];
  return key.kty === wanted.kty && (wanted.crv === undefined || key.crv === wanted.crv);
}

/** Whether it is a point on its curve, or an RSA key of acceptable length and exponent. */
function isSound(key: Record<string, unknown>): boolean {
  if (key.kty === 'RSA' && !(typeof key.e === 'string' && key.e.length <= 8)) return false;
  if (key.kty === 'RSA' && !(typeof key.n === 'string' && key.n.length <= 700)) return false;
  try {
    const { asymmetricKeyDetails: details } = verifyingKeyOf(key).key;
    if (key.kty !== 'RSA') return true;
    const bits = details?.modulusLength ?? 0;
    return bits >= rsaBits.least && bits <= rsaBits.most && (details?.publicExponent ?? 0n) > 1n;
  } catch {
    return false;
  }
}

const isPrivate = (key: Record<string, unknown>) => privateMembers.some((name) => name in key);

/**
 * The key that a JWT brings with it, for a signature with this algorithm; null: it is no such key,
 * or not public.
 */
export function signingKeyIn(jwk: unknown, alg: ClientSigningAlg): ClientKey | null {
  if (!isObject(jwk) || isPrivate(jwk) || !isUsable(jwk)) return null;
  return keysFor([jwk], { alg })[0] ?? null;
}

/** The keys that a signature may be from, judging by its header. A key without a `kid` fits any. */
export function keysFor(
  keys: readonly ClientKey[],
  { alg, kid }: { alg: ClientSigningAlg; kid?: string | undefined },
): ClientKey[] {
  const named = keys.filter((key) => kid === undefined || key.kid === undefined || key.kid === kid);
  return named.filter((key) => fits(key, alg) && (key.alg === undefined || isSame(key.alg, alg)));
}

export const hasKey = (keys: readonly ClientKey[], kid: string | undefined): boolean =>
  kid === undefined || keys.some((key) => key.kid === kid);

/** RFC 9864 section 2.2 gives EdDSA with Ed25519 its own name. */
const isSame = (one: string, other: string) =>
  one === other || [one, other].every((alg) => alg === 'EdDSA' || alg === 'Ed25519');
