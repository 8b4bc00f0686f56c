import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

type VerifyingKey = {
  key: KeyObject;
  /** RFC 7638, with SHA-256, in base64url. */
  thumbprint: string;
};

/** The members that define a key, in the order of their names (RFC 7638 section 3.2). */
const required = new Map<unknown, readonly string[]>([
  ['EC', ['crv', 'kty', 'x', 'y']],
  ['OKP', ['crv', 'kty', 'x']],
  ['RSA', ['e', 'kty', 'n']],
]);

/** A cache. If a program loads this module twice, each copy has its own. */
const kept = new Map<string, VerifyingKey>();
const mostKept = 1000;
/** Characters: those of an RSA key of 4096 bits, and some more. */
const longestKept = 1000;

/**
 * The key that a JWK describes. The most recently made keys are cached, because making one costs
 * nearly as much as checking a signature, and each app always uses the same one.
 * @throws if it is not a key: not a point on its curve, or of a kind unknown here
 */
export function verifyingKeyOf(jwk: Readonly<Record<string, unknown>>): VerifyingKey {
  const members = (required.get(jwk.kty) ?? []).map((name) => [name, jwk[name]] as const);
  const text = JSON.stringify(Object.fromEntries(members));
  const found = kept.get(text);
  if (found) return found;
  const made = {
    key: createPublicKey({ key: Object.fromEntries(members), format: 'jwk' }),
    thumbprint: createHash('sha256').update(text).digest('base64url'),
  };
  if (text.length > longestKept) return made;
  // A Map iterates in insertion order, so this evicts the oldest entry.
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? '');
  kept.set(text, made);
  return made;
}
