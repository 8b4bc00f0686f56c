import { config } from '../config.ts';
import { type ErrorCode, OAuthRefusal, type Refusal } from '../oauth/errors.ts';
import type { Facts } from '../oauth/facts.ts';
import { tooMany } from '../oauth/too-many.ts';
import { once } from '../once.ts';
import { blockedUntil, takeThrottledTry } from '../store/throttles.ts';
import type { HttpRequest } from './message.ts';
import { networkOf, networksOf, type Sender, sharedAllowance } from './network.ts';

/** The most pauses a process remembers; a forgotten one is looked up again. */
const most = 10_000;

/** Paused keys and until when (milliseconds). Their failures are no longer counted. */
const paused = () => once('request-limits', () => new Map<string, number>());

/** The answer to someone guessing secrets, codes or refresh tokens. */
const guessed = new Set<ErrorCode>(['invalid_client', 'invalid_grant']);

/**
 * Counts a request with failed client authentication or an invalid code or refresh token, and
 * returns what to answer: the refusal, or 429 once there were too many. Counted in the database, so
 * it holds across processes. Successful requests are neither counted nor refused: they pay nothing,
 * and no one can lock a client out.
 */
export async function limitFailure(
  refusal: Refusal,
  { address, isShared, about }: Sender & Pick<HttpRequest, 'about'>,
  now: Date,
): Promise<Refusal> {
  if (!(refusal instanceof OAuthRefusal && guessed.has(refusal.code))) return refusal;
  const from = isShared ? `behind ${networkOf(address)}` : networkOf(address);
  const share = isShared ? sharedAllowance : 1;
  // Unknown ids share one count: anybody can invent any number of them.
  const { perClient, perAddress } = config().failedRequests;
  const keys: [string, number][] = [
    [`requests:${about.clientId ?? ''} ${from}`, perClient * share],
    [`requests-from:${from}`, perAddress * share],
  ];
  for (const [key, limit] of keys) {
    if (limit === 0) continue;
    const until = await pauseOf(key, limit, now);
    if (until === null) continue;
    const limited = tooMany(
      `Too many failures; the last one: ${refusal.reason}`,
      until - now.getTime(),
    );
    limited.cause = refusal;
    return limited;
  }
  return refusal;
}

/**
 * Counts a request under a key. Until the pause of a key is over (milliseconds), nothing is counted:
 * no request costs the database anything.
 */
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

/**
 * Counts a request that anybody may make and that succeeds, by the network it comes from.
 * @throws OAuthRefusal temporarily_unavailable after `limit` of them in 15 minutes
 */
export async function limitRequests(
  { what, limit }: { what: string; limit: number },
  sender: Sender,
  facts: Facts,
  now: Date,
): Promise<void> {
  const until = await pauseAfter(what, limit, sender, now);
  if (until !== null)
    throw tooMany('Too many requests from this address.', until - now.getTime(), facts);
}

/** Counts a call of somebody who is known; until when there were too many in 15 minutes (milliseconds). */
export const pauseAfterCalls = (caller: string, limit: number, now: Date): Promise<number | null> =>
  pauseOf(`calls:${caller}`, limit, now);

/** As `limitRequests`, for what goes on in another way: until when there were too many (milliseconds); null: there were not. */
export async function pauseAfter(
  what: string,
  limit: number,
  sender: Sender,
  now: Date,
): Promise<number | null> {
  const [widest] = networksOf(sender);
  return widest ? pauseOf(`${what}:${widest.network}`, limit * widest.share, now) : null;
}
