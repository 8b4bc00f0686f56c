import { config } from '../config.ts';
import { type ErrorCode, OAuthRefusal, type Refusal } from '../oauth/errors.ts';
import { once } from '../once.ts';
import { blockedUntil, takeThrottledTry } from '../store/throttles.ts';
import type { HttpRequest } from './message.ts';
import { networkOf } from './network.ts';

/** So many ends of pauses are remembered by a process; who is forgotten is asked about again. */
const most = 10_000;

/** Keys that are paused, and until when (milliseconds): their failures are counted no further. */
const paused = () => once('request-limits', () => new Map<string, number>());

/** What somebody gets who guesses secrets, codes or refresh tokens. */
const guessed = new Set<ErrorCode>(['invalid_client', 'invalid_grant']);

/**
 * Counts a request that failed to prove a client or brought a code or refresh token that is not
 * good, and gives what is to be answered: the refusal itself, or 429 once there were too many. The
 * count is in the database, right with several processes. A request that succeeds is neither
 * counted nor ever refused, so it costs nothing, and nobody's failures shut a client out that
 * sends what is right.
 */
export async function limitFailure(
  refusal: Refusal,
  { address, about }: Pick<HttpRequest, 'address' | 'about'>,
  now: Date,
): Promise<Refusal> {
  if (!(refusal instanceof OAuthRefusal && guessed.has(refusal.code))) return refusal;
  const from = address === null ? null : networkOf(address);
  // Ids that nobody has share one count: a stranger can make up any number of them.
  const { perClient, perAddress } = config().failedRequests;
  const keys: [string, number][] = [
    [`requests:${about.clientId ?? ''} ${from ?? ''}`, perClient],
    [`requests-from:${from}`, from === null ? 0 : perAddress],
  ];
  for (const [key, limit] of keys) {
    if (limit === 0) continue;
    const until = await pauseOf(key, limit, now);
    if (until !== null) return tooMany(refusal, until, now);
  }
  return refusal;
}

async function pauseOf(key: string, limit: number, now: Date): Promise<number | null> {
  const known = paused().get(key);
  if (known !== undefined && known > now.getTime()) return known;
  paused().delete(key);
  if ((await takeThrottledTry(key, limit, now)) === 'allowed') return null;
  const until = (await blockedUntil(key))?.getTime() ?? now.getTime() + 60_000;
  remember(key, until);
  return until;
}

function remember(key: string, until: number): void {
  const [oldest] = paused().keys();
  if (paused().size >= most && oldest !== undefined) paused().delete(oldest);
  paused().set(key, until);
}

function tooMany(refusal: OAuthRefusal, until: number, now: Date): OAuthRefusal {
  const seconds = Math.max(1, Math.ceil((until - now.getTime()) / 1000));
  const reason = `Too many failures; the last one: ${refusal.reason}`;
  const headers = { 'retry-after': String(seconds) };
  const limited = new OAuthRefusal('slow_down', reason, { headers });
  limited.cause = refusal;
  return limited;
}
