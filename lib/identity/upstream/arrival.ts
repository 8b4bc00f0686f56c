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
export type Arrival = {
  id: string;
  kind: 'claimed' | 'unknown' | 'new' | 'link';
  providerId: string;
  issuer: string;
  subject: string;
  /** What they are called there. */
  label: string | null;
  /** The address that the provider vouches for. */
  email: string | null;
  /** The name and username that a new account may have. */
  name: string;
  username: string;
  /** Ids of the groups that the provider's claim puts them in. */
  groupIds: string[];
  /** Id of the account that is claimed, or of whoever asked for it. */
  ownerId: string | null;
  /** Id of the pending request, if there is one. */
  flowId: string | undefined;
  /** What the provider calls its session. */
  sid: string | null;
  cameAt: Date;
};

/** The keys of what travels in the cookie: `arrivalCookie` and `readArrival` alone know what they stand for. */
export const sealedArrival = sealed(
  'arrival',
  z.object({
    i: z.string(),
    k: z.enum(['claimed', 'unknown', 'new', 'link']),
    p: z.string(),
    s: z.tuple([z.string(), z.string()]),
    l: z.string().nullable(),
    e: z.string().nullable(),
    n: z.string(),
    u: z.string(),
    g: z.array(z.string()),
    /** '' if there is none; `f` as well. */
    o: z.string(),
    f: z.string(),
    d: z.string().optional(),
    t: z.number(),
  }),
  { max, bound: 'browser', life, clock: 't' },
);

/** The cookie that keeps an arrival, for this browser. */
export async function arrivalCookie(
  arrival: Omit<Arrival, 'id' | 'cameAt'>,
  request: PageRequest,
  now: Date,
): Promise<string> {
  const value = {
    i: newId(now),
    k: arrival.kind,
    p: arrival.providerId,
    s: [arrival.issuer, arrival.subject] as [string, string],
    l: arrival.label,
    e: arrival.email,
    n: arrival.name,
    u: arrival.username,
    g: arrival.groupIds,
    o: arrival.ownerId ?? '',
    f: arrival.flowId ?? '',
    ...(arrival.sid !== null && { d: arrival.sid }),
    t: now.getTime(),
  };
  return setCookie('arrival', await sealedArrival.seal(value, request, now), life);
}

export const clearArrival = () => clearCookie('arrival');

/** Who has come from a provider in this browser and not been given to an account, or null. */
export async function readArrival(request: PageRequest, now: Date): Promise<Arrival | null> {
  const opened = await sealedArrival.open(cookieOf(request, 'arrival'), request, now);
  if (!opened) return null;
  const [issuer, subject] = opened.s;
  return {
    id: opened.i,
    kind: opened.k,
    providerId: opened.p,
    issuer,
    subject,
    label: opened.l,
    email: opened.e,
    name: opened.n,
    username: opened.u,
    groupIds: opened.g,
    ownerId: opened.o || null,
    flowId: opened.f || undefined,
    sid: opened.d ?? null,
    cameAt: new Date(opened.t),
  };
}

/** Uses an arrival up: of concurrent callers, one does. */
export async function spendArrival({ id }: Arrival, now: Date): Promise<boolean> {
  const ends = new Date(now.getTime() + life * 1000);
  return (await spendOnce(digest(`arrival ${id}`), ends)) === 'spent-now';
}
