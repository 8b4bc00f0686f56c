import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

/** A public key that signatures are checked by. */
type VerifyingKey = {
  key: KeyObject;
  /** RFC 7638, by SHA-256 in base64url. */
  thumbprint: string;
};

/** The members that make a key what it is, in the order of their names (RFC 7638 section 3.2). */
const required = new Map<unknown, readonly string[]>([
  ['EC', ['crv', 'kty', 'x', 'y']],
  ['OKP', ['crv', 'kty', 'x']],
  ['RSA', ['e', 'kty', 'n']],
]);

/** Where a program has this module twice, each keeps its own. */
const kept = new Map<string, VerifyingKey>();
const mostKept = 1000;
/** Characters: those of an RSA key of 4096 bits, and some. */
const longestKept = 1000;

/**
 * The key that a JWK is. Those that came last are kept, since making one costs nearly as much as the
 * check of a signature, and each app comes with the same one all the time.
 * @throws where it is no key: not a point of its curve, or of a kind that is not known here
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
