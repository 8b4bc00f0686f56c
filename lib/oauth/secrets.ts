import { hash, randomFillSync, timingSafeEqual } from 'node:crypto';

/** A secret's first characters show its purpose, so that scanners and people recognise a leak. */
export const prefixes = {
  code: 'gh_code_',
  accessToken: 'gh_at_',
  refreshToken: 'gh_rt_',
  /** The cookie of a guarded site. */
  siteToken: 'gh_st_',
  clientSecret: 'gh_cs_',
  mailedLink: 'gh_ml_',
  setUp: 'gh_su_',
  /** Lets an app register itself: the initial access token of RFC 7591. */
  registrationToken: 'gh_ia_',
  /** Lets an app read its own registration (RFC 7592): a MAC of its client_id. */
  registrationAccess: 'gh_ra_',
  deviceCode: 'gh_dc_',
  /** Lets a program call the HTTP API. */
  apiKey: 'gh_ak_',
  /** Not a secret: the client_id of a client that registered itself. */
  registeredClient: 'gh_dyn_',
} as const;

/** All other kinds are made with a key (`tokens.ts`). */
type Random = Exclude<
  keyof typeof prefixes,
  'code' | 'accessToken' | 'refreshToken' | 'siteToken' | 'registeredClient' | 'registrationAccess'
>;

/** A new secret of 256 random bits, in base64url after its prefix. */
export function newSecret(kind: Random): string {
  return prefixes[kind] + takeRandom(32, 'base64url');
}

/** A stock of random bytes, because asking the system for each secret would cost too much. */
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

/** SHA-256 in base64url: enough for 256 random bits, not for passwords. */
export function digest(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Compares two digests in constant time, so that its duration does not reveal how much matches. */
export function sameDigest(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

let latest = { millisecond: '', order: 0 };

/**
 * An identifier that sorts by time of creation, even among those that one process makes within a
 * millisecond. It has 48 bits of milliseconds, 32 bits that count up from a random start below
 * 2^31, and 48 random bits, as 32 hex characters.
 */
export function newId(now: Date): string {
  const millisecond = now.getTime().toString(16).padStart(12, '0');
  const order =
    millisecond === latest.millisecond
      ? latest.order + 1
      : Number.parseInt(takeRandom(4, 'hex'), 16) >>> 1;
  latest = { millisecond, order };
  return millisecond + order.toString(16).padStart(8, '0') + takeRandom(6, 'hex');
}
