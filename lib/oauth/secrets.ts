import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a secret is for shows in its first characters, so that scanners and people recognise a leaked one. */
export const prefixes = {
  code: 'gh_code_',
  accessToken: 'gh_at_',
  refreshToken: 'gh_rt_',
  clientSecret: 'gh_cs_',
  mailedLink: 'gh_ml_',
} as const;

/** A new secret of 256 random bits, in base64url behind its prefix. */
export function newSecret(kind: keyof typeof prefixes): string {
  return prefixes[kind] + randomBytes(32).toString('base64url');
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
  return now.getTime().toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
}
