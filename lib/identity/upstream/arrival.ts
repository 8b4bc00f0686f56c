import { z } from 'zod';
import type { PageRequest } from '../../http/message.ts';
import { digest, newId } from '../../oauth/secrets.ts';
import { clearCookie, cookieOf, setCookie } from '../../sealed/cookies.ts';
import { sealed } from '../../sealed/sealed.ts';
import { spendOnce } from '../../store/spent-values.ts';

/** Seconds in which a person who has come from a provider can decide what to do. */
const life = 30 * 60;
const max = 3800;

/**
 * A person who has come from a provider and whose identity belongs to no account yet. It counts for
 * this identity, in this browser, and once:
 * - `claimed`: an account has their address. They can prove that it is theirs by signing in to it.
 * - `unknown`: no account has their address. They may sign in to one of their accounts.
 * - `new`: they may create an account.
 * - `link`: they were signed in, and asked for the link in their account.
 */
export type Arrival = {
  id: string;
  kind: 'claimed' | 'unknown' | 'new' | 'link';
  providerId: string;
  issuer: string;
  subject: string;
  /** Their name at the provider. */
  label: string | null;
  email: string | null;
  /** The name and username suggested for a new account. */
  name: string;
  username: string;
  groupIds: string[];
  /** Id of the account that is claimed, or of the user who asked for the link. */
  ownerId: string | null;
  /** Id of the pending request, if there is one. */
  flowId: string | undefined;
  /** The provider's id for its session, and when they proved there who they are. */
  sid: string | null;
  provedAt: Date | null;
  cameAt: Date;
};

/** Short keys for the cookie; only `arrivalCookie` and `readArrival` know what they mean. */
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
    /** '' if there is none; the same for `f`. */
    o: z.string(),
    f: z.string(),
    d: z.string().optional(),
    w: z.number().optional(),
    t: z.number(),
  }),
  { max, bound: 'browser', life, clock: 't' },
);

/** The cookie that holds an arrival, for this browser only. */
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
    ...(arrival.provedAt && { w: arrival.provedAt.getTime() }),
    t: now.getTime(),
  };
  return setCookie('arrival', await sealedArrival.seal(value, request, now), life);
}

export const clearArrival = () => clearCookie('arrival');

/** The arrival held by this browser, or null. */
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
    provedAt: opened.w === undefined ? null : new Date(opened.w),
    cameAt: new Date(opened.t),
  };
}

/** Spends an arrival. True for one of several concurrent callers. */
export async function spendArrival({ id }: Arrival, now: Date): Promise<boolean> {
  const ends = new Date(now.getTime() + life * 1000);
  return (await spendOnce(digest(`arrival ${id}`), ends)) === 'spent-now';
}
