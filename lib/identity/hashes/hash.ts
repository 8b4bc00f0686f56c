import { timingSafeEqual } from 'node:crypto';

/**
 * What one check costs: a kind whose unit takes the same time for everybody, and how many of these
 * units. Two hashes with one kind and amount cannot be told apart by a stop-watch.
 */
export type Work = { kind: string; amount: number };

/** A stored hash that was read. */
export type Hash = { work: Work; matches(password: string): boolean };

/** A family of schemes: the texts it knows, and its work without a hash. */
export type Family = {
  /** What its kinds of work begin with. */
  name: string;
  /** The hash behind a text; null: not of this family, or beyond its bounds. */
  read(text: string): Hash | null;
  /** Does as much work as a hash of this kind and amount. */
  spend(kind: string, amount: number, password: string): void;
};

/** A whole number in its usual form within these bounds, else null. */
export function numberWithin(text: string | undefined, low: number, high: number): number | null {
  if (text === undefined || !/^(?:0|[1-9]\d{0,9})$/.test(text)) return null;
  const number = Number(text);
  return number >= low && number <= high ? number : null;
}

/** Bytes in base64 with or without `=`; passlib's alphabet has `.` for `+`. Null: not so many. */
export function bytesIn(text: string | undefined, low: number, high: number): Buffer | null {
  if (text === undefined || text.length > high * 2) return null;
  const plain = text.replaceAll('.', '+').replace(/={1,2}$/, '');
  const bytes = Buffer.from(plain, 'base64');
  const isWhole = bytes.toString('base64').replace(/={1,2}$/, '') === plain;
  return isWhole && bytes.length >= low && bytes.length <= high ? bytes : null;
}

/** Bytes in hexadecimal, or null. */
export function bytesInHex(text: string | undefined, low: number, high: number): Buffer | null {
  if (text === undefined || text.length > high * 2 || !/^(?:[\da-f]{2})+$/i.test(text)) return null;
  const bytes = Buffer.from(text, 'hex');
  return bytes.length >= low ? bytes : null;
}

export const same = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
