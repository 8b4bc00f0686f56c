import { argon2Family } from './argon2.ts';
import { bcryptFamily } from './bcrypt.ts';
import type { Family, Hash, Work } from './hash.ts';
import { pbkdf2Family } from './pbkdf2.ts';
import { phpassFamily } from './phpass.ts';
import { saltedDigestFamily } from './salted-digest.ts';
import { scryptFamily } from './scrypt.ts';
import { shaCryptFamily } from './sha-crypt.ts';

/** Every scheme whose hashes can be used to sign in here. */
const families: readonly Family[] = [
  bcryptFamily,
  argon2Family,
  scryptFamily,
  pbkdf2Family,
  shaCryptFamily,
  phpassFamily,
  saltedDigestFamily,
];

/** Longer than the text of any scheme. */
const longestText = 2000;

/** Parses a hash; null if its scheme is unknown or a check would cost too much. */
export function readHash(text: string): Hash | null {
  if (text.length > longestText) return null;
  for (const family of families) {
    const hash = family.read(text);
    if (hash) return hash;
  }
  return null;
}

/**
 * Compares with a hash (null: with none) and does all of this work. Work that the hash itself does
 * not take is done for nothing, so every password costs the same.
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
