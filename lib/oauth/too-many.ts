import { OAuthRefusal } from './errors.ts';
import type { Facts } from './facts.ts';

const sentence = 'Too many requests. Wait as long as Retry-After says.';

/** The refusal of requests that come too often (RFC 6585 section 4), with the seconds to wait. */
export function tooMany(reason: string, milliseconds: number, facts?: Facts): OAuthRefusal {
  const headers = { 'retry-after': String(Math.max(1, Math.ceil(milliseconds / 1000))) };
  return new OAuthRefusal(
    'temporarily_unavailable',
    reason,
    { status: 429, headers, sentence },
    facts,
  );
}
