import { compactVerify } from 'jose';
import type { ClientKey } from './key-set.ts';

/*
 * JWTs that a client signs (RFC 7515, RFC 7519): what they say is read before it is believed, so that
 * nothing dear is done for one that cannot be right.
 */

/** A JWT whose signature nobody has checked. */
export type UnverifiedJwt = {
  text: string;
  header: Readonly<Record<string, unknown>>;
  claims: Readonly<Record<string, unknown>>;
};

/** Reads a JWT; null: it is none, or wants something of who reads it that nobody here knows (`crit`). */
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

/** Whether one of these keys has signed it by this algorithm. */
export async function isSignedBy(
  text: string,
  alg: string,
  keys: readonly ClientKey[],
): Promise<boolean> {
  for (const key of keys) if (await isSignedByOne(text, alg, key)) return true;
  return false;
}

async function isSignedByOne(text: string, alg: string, key: ClientKey): Promise<boolean> {
  try {
    await compactVerify(text, key, { algorithms: [alg] });
    return true;
  } catch {
    return false;
  }
}
