import { timingSafeEqual } from 'node:crypto';

/**
 * The cost of one check: a kind, whose unit takes the same time for every password, and the number
 * of units. Two hashes of the same kind and amount can't be told apart by timing.
 */
export type Work = { kind: string; amount: number };

export type Hash = { work: Work; matches(password: string): boolean };

/** A family of schemes: parses their hashes, and can do their work without a hash. */
export type Family = {
  /** The first part of its kinds of work. */
  name: string;
  /** Parses a hash; null if it is not of this family, or exceeds its bounds. */
  read(text: string): Hash | null;
  /** Does as much work as a hash of this kind and amount. */
  spend(kind: string, amount: number, password: string): void;
};

/** A password with every blank a U+0020 (RFC 8265 section 4.2.1). */
export const foldBlanks = (password: string): string => password.replace(/\p{Zs}/gu, ' ');

/** A whole number in its usual form within these bounds, else null. */
export function numberWithin(text: string | undefined, low: number, high: number): number | null {
  if (text === undefined || !/^(?:0|[1-9]\d{0,9})$/.test(text)) return null;
  const number = Number(text);
  return number >= low && number <= high ? number : null;
}

/**
 * Decodes base64 with or without `=`; passlib writes `.` for `+`. Null if the text is not base64 or
 * the length is out of bounds.
 */
export function bytesIn(text: string | undefined, low: number, high: number): Buffer | null {
  if (text === undefined || text.length > high * 2) return null;
  const plain = text.replaceAll('.', '+').replace(/={1,2}$/, '');
  const bytes = Buffer.from(plain, 'base64');
  const isWhole = bytes.toString('base64').replace(/={1,2}$/, '') === plain;
  return isWhole && bytes.length >= low && bytes.length <= high ? bytes : null;
}

/** Decodes hexadecimal; null if the text is not hexadecimal or the length is out of bounds. */
export function bytesInHex(text: string | undefined, low: number, high: number): Buffer | null {
  if (text === undefined || text.length > high * 2 || !/^(?:[\da-f]{2})+$/i.test(text)) return null;
  const bytes = Buffer.from(text, 'hex');
  return bytes.length >= low ? bytes : null;
}

export const same = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
