import { hash, randomFillSync, timingSafeEqual } from 'node:crypto';

/** What a secret is for shows in its first characters, so that scanners and people recognise a leaked one. */
export const prefixes = {
  code: 'gh_code_',
  accessToken: 'gh_at_',
  refreshToken: 'gh_rt_',
  clientSecret: 'gh_cs_',
  mailedLink: 'gh_ml_',
  /** Lets an app register itself: the initial access token of RFC 7591. */
  registrationToken: 'gh_ia_',
  deviceCode: 'gh_dc_',
  /** No secret: the client_id of a client that registered itself. */
  registeredClient: 'gh_dyn_',
} as const;

/** The others are made with a key (`tokens.ts`). */
type Random = Exclude<
  keyof typeof prefixes,
  'code' | 'accessToken' | 'refreshToken' | 'registeredClient'
>;

/** A new secret of 256 random bits, in base64url behind its prefix. */
export function newSecret(kind: Random): string {
  return prefixes[kind] + takeRandom(32, 'base64url');
}

/** Asking the system anew for each secret costs more than all else about it, so random bytes come from a stock. */
const stock = Buffer.alloc(4096);
let taken = stock.length;

function takeRandom(bytes: number, encoding: 'base64url' | 'hex'): string {
  if (taken + bytes > stock.length) {
    randomFillSync(stock);
    taken = 0;
  }
  const piece = stock.subarray(taken, taken + bytes);
  taken += bytes;
  const text = piece.toString(encoding);
  piece.fill(0);
  return text;
}

/** The form in which secrets are stored: SHA-256, base64url. Enough for 256 random bits, not for passwords. */
export function digest(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Compares two digests without telling by the time how much of them agrees. */
export function sameDigest(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** An identifier that sorts by time of making: 48 bits of milliseconds, 80 random bits, as 32 hex characters. */
export function newId(now: Date): string {
  return now.getTime().toString(16).padStart(12, '0') + takeRandom(10, 'hex');
}

let previous = '';

/** As `newId`, and later ones of this process sort after earlier ones within a millisecond as well. */
export function newOrderedId(now: Date): string {
  const id = newId(now);
  const next = (BigInt(`0x0${previous}`) + 1n).toString(16).padStart(32, '0');
  const sameInstant = id.slice(0, 12) === previous.slice(0, 12) && id < previous;
  previous = sameInstant ? next : id;
  return previous;
}
