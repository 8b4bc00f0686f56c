import { z } from 'zod';
import type { PageRequest } from '../../http/message.ts';
import { digest, newId } from '../../oauth/secrets.ts';
import { clearCookie, cookieOf, setCookie } from '../../sealed/cookies.ts';
import { sealed } from '../../sealed/sealed.ts';
import { spendOnce } from '../../store/spent-values.ts';

/** Seconds for which somebody who has come from a provider can say what becomes of it. */
const life = 30 * 60;
const max = 3800;

/**
 * Somebody who has come from a provider and belongs to no account yet. It stands for this identity, in
 * this browser, for one use:
 * `claimed`: an account has their address, and they show that it is theirs by signing in to it;
 * `unknown`: none has, and they may sign in to one of theirs;
 * `new`: they may make an account; `link`: they were signed in, and asked for it in their account.
 */
export const sealedArrival = sealed(
  'arrival',
  z.object({
    i: z.string(),
    k: z.enum(['claimed', 'unknown', 'new', 'link']),
    /** Id of the provider. */
    p: z.string(),
    /** Issuer and subject. */
    s: z.tuple([z.string(), z.string()]),
    /** What they are called there. */
    l: z.string().nullable(),
    /** The address that the provider vouches for. */
    e: z.string().nullable(),
    n: z.string(),
    u: z.string(),
    /** Ids of the groups that the provider's claim puts them in. */
    g: z.array(z.string()),
    /** Id of the account that is claimed, or of whoever asked for it; '' otherwise. */
    o: z.string(),
    /** Id of the pending request; '' if there is none. */
    f: z.string(),
    /** What the provider calls its session. */
    d: z.string().optional(),
    /** When they came. */
    t: z.number(),
  }),
  { max, bound: 'browser', life, clock: 't' },
);

export type Arrival = NonNullable<Awaited<ReturnType<typeof sealedArrival.open>>>;

export async function arrivalCookie(
  arrival: Omit<Arrival, 'i' | 't'>,
  request: PageRequest,
  now: Date,
): Promise<string> {
  const value = { ...arrival, i: newId(now), t: 0 };
  return setCookie('arrival', await sealedArrival.seal(value, request, now), life);
}

export const clearArrival = () => clearCookie('arrival');

/** Who has come from a provider in this browser and not been given to an account, or null. */
export function readArrival(request: PageRequest, now: Date): Promise<Arrival | null> {
  return sealedArrival.open(cookieOf(request, 'arrival'), request, now);
}

/** Uses an arrival up: of concurrent callers, one does. */
export async function spendArrival({ i }: Arrival, now: Date): Promise<boolean> {
  const ends = new Date(now.getTime() + life * 1000);
  return (await spendOnce(digest(`arrival ${i}`), ends)) === 'spent-now';
}
