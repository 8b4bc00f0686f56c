import { argon2Family } from './argon2.ts';
import { bcryptFamily } from './bcrypt.ts';
import type { Family, Hash, Work } from './hash.ts';
import { pbkdf2Family } from './pbkdf2.ts';
import { phpassFamily } from './phpass.ts';
import { saltedDigestFamily } from './salted-digest.ts';
import { scryptFamily } from './scrypt.ts';
import { shaCryptFamily } from './sha-crypt.ts';

/** Every scheme whose hashes open an account here. */
const families: readonly Family[] = [
  bcryptFamily,
  argon2Family,
  scryptFamily,
  pbkdf2Family,
  shaCryptFamily,
  phpassFamily,
  saltedDigestFamily,
];

/** No text of any scheme is longer. */
const longestText = 2000;

/** The hash behind a text; null: of no scheme here, or one that would cost too much to check. */
export function readHash(text: string): Hash | null {
  if (text.length > longestText) return null;
  for (const family of families) {
    const hash = family.read(text);
    if (hash) return hash;
  }
  return null;
}

/**
 * Compares with a hash (null: with none) and does all of this work: what the hash itself does not
 * take is spent in vain, so that every password costs the same.
 */
export function compare(password: string, hash: Hash | null, works: readonly Work[]): boolean {
  const matches = hash?.matches(password) ?? false;
  for (const { kind, amount } of works) {
    const rest = kind === hash?.work.kind ? amount - hash.work.amount : amount;
    const family = families.find(({ name }) => name === kind.split(':')[0]);
    if (rest > 0) family?.spend(kind, rest, password);
  }
  return matches;
}
