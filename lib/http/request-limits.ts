import { config } from '../config.ts';
import { type ErrorCode, OAuthRefusal, type Refusal } from '../oauth/errors.ts';
import type { Facts } from '../oauth/facts.ts';
import { tooMany } from '../oauth/too-many.ts';
import { once } from '../once.ts';
import { takeFrom, takeTry, window } from '../store/throttles.ts';
import type { HttpRequest } from './message.ts';
import { networksOf, type Sender } from './network.ts';

/** The maximum number of pauses that a process remembers. A forgotten pause is looked up again. */
const most = 10_000;

/**
 * Paused keys and when each pause ends (milliseconds). Failures under a paused key are not counted.
 */
const paused = () => once('request-limits', () => new Map<string, number>());

/** The error codes sent to someone who guesses secrets, codes or refresh tokens. */
const guessed = new Set<ErrorCode>(['invalid_client', 'invalid_grant']);

/**
 * Counts a request with failed client authentication or an invalid code or refresh token, and
 * returns what to answer: the refusal, or 429 after too many. The counts are in the database, so
 * they hold across processes. Successful requests are neither counted nor refused: they cost
 * nothing extra, and no one can lock a client out.
 */
export async function limitFailure(
  refusal: Refusal,
  request: Sender & Pick<HttpRequest, 'about'>,
  now: Date,
): Promise<Refusal> {
  if (!(refusal instanceof OAuthRefusal && guessed.has(refusal.code))) return refusal;
  const until = await pauseOfAny(failuresOf(request), now);
  if (until === null) return refusal;
  const reason = `Too many failures; the last one: ${refusal.reason}`;
  const limited = tooMany(reason, until - now.getTime());
  limited.cause = refusal;
  return limited;
}

/**
 * The counts that a failed request adds to, in each of its networks: its client's failures, and all
 * failures.
 */
function failuresOf(request: Sender & Pick<HttpRequest, 'about'>): Limited[] {
  const { perClient, perAddress } = config().failedRequests;
  const networks = networksOf(request);
  const inEach = (name: string, limit: number) =>
    networks.map(({ network, share }) => ({ key: name + network, limit: limit * share }));
  return [
    // Unknown ids share one count, because anyone can invent any number of them.
    ...inEach(`requests:${request.about.clientId ?? ''} `, perClient),
    ...inEach('requests-from:', perAddress),
  ].filter(({ limit }) => limit > 0);
}

type Limited = { key: string; limit: number };

/**
 * Counts a request under each key, up to the first that pauses. Returns when that pause ends
 * (milliseconds); null: none. While this process knows of a pause, nothing is counted and the
 * request costs the database nothing.
 */
async function pauseOfAny(keys: readonly Limited[], now: Date): Promise<number | null> {
  const known = keys.map(({ key }) => knownPause(key, now)).find((until) => until !== null);
  if (known !== undefined) return known;
  for (const { key, limit } of keys) {
    const until = await count(key, limit, now);
    if (until !== null) return until;
  }
  return null;
}

/** When a key's pause ends, as far as this process knows (milliseconds). */
function knownPause(key: string, now: Date): number | null {
  const known = paused().get(key);
  if (known !== undefined && known > now.getTime()) return known;
  paused().delete(key);
  return null;
}

/** Milliseconds until its pause ends if there were too many, else null. */
async function count(key: string, limit: number, now: Date): Promise<number | null> {
  const taken = await takeTry({ key, limit }, now);
  if (!('refusedUntil' in taken)) return null;
  remember(key, taken.refusedUntil.getTime());
  return taken.refusedUntil.getTime();
}

function remember(key: string, until: number): void {
  const [oldest] = paused().keys();
  if (paused().size >= most && oldest !== undefined) paused().delete(oldest);
  paused().set(key, until);
}

/**
 * Counts a request that anyone can make, by the network it comes from.
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

/** What a caller has left of its calls: how many, and for how many seconds. */
export type CallsLeft = { limit: number; window: number; remaining: number; seconds: number };

/** Counts a call of a known caller. `isOver`: it has made too many, and has to wait that long. */
export async function takeCall(
  caller: string,
  limit: number,
  now: Date,
): Promise<CallsLeft & { isOver: boolean }> {
  const key = `calls:${caller}`;
  const of = (remaining: number, until: number, isOver: boolean) => {
    const seconds = Math.max(1, Math.ceil((until - now.getTime()) / 1000));
    return { limit, window: window / 1000, remaining, seconds, isOver };
  };
  const known = knownPause(key, now);
  if (known !== null) return of(0, known, true);
  const taken = await takeFrom({ key, limit }, now);
  if (!('refusedUntil' in taken)) return of(taken.left, taken.windowEnd.getTime(), false);
  remember(key, taken.refusedUntil.getTime());
  return of(0, taken.refusedUntil.getTime(), true);
}

/**
 * Like `limitRequests`, for callers that refuse in their own way. Returns when the pause ends if
 * there were too many (milliseconds), else null.
 */
export async function pauseAfter(
  what: string,
  limit: number,
  sender: Sender,
  now: Date,
): Promise<number | null> {
  const [widest] = networksOf(sender);
  if (!widest) return null;
  return pauseOfAny([{ key: `${what}:${widest.network}`, limit: limit * widest.share }], now);
}
