import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { PageRequest } from '../../http/message.ts';
import { newId } from '../../oauth/secrets.ts';
import { sealed } from '../../sealed/sealed.ts';

/** Seconds that somebody has at the provider. */
const life = 15 * 60;

/**
 * What a sign-in at a provider carries there and back in `state`: which provider was asked (an answer
 * of another one is none), what for, and where it leads. It opens in the browser that began it.
 */
export const sealedAsked = sealed(
  'upstream',
  z.object({
    /** Spent by its use. */
    i: z.string(),
    /** Id of the provider. */
    p: z.string(),
    /** Nonce and PKCE verifier are made of it. */
    r: z.string(),
    /** Sign in, link it to the account of the session, or let an admin see what happens. */
    k: z.enum(['sign-in', 'link', 'try']),
    /** Id of the pending request; '' if there is none. */
    f: z.string(),
    /** Our page to return to; '' if there is none. */
    w: z.string(),
    /** The account that it is linked to, or the session of who tries; '' for a sign-in. */
    s: z.string(),
    /** Whether the provider was to ask again, though it knows who it is. */
    g: z.boolean(),
  }),
  { max: 4000, bound: 'browser', life, clock: 't' },
);

export type Asked = NonNullable<Awaited<ReturnType<typeof sealedAsked.open>>>;

/** What follows `sealedAsked` in `state`: the pending request, sealed as it is. */
const between = '~';

/** A new sign-in at a provider, and its `state`. */
export async function newAsked(
  asked: Omit<Asked, 'i' | 'r'>,
  flow: string | undefined,
  request: PageRequest,
  now: Date,
): Promise<{ asked: Asked; state: string }> {
  const whole = { ...asked, i: newId(now), r: randomBytes(32).toString('base64url') };
  const text = await sealedAsked.seal(whole, request, now);
  return { asked: whole, state: flow === undefined ? text : text + between + flow };
}

/** What a `state` says, and the pending request behind it; null: it is none of this browser, or too old. */
export async function openAsked(
  state: string | undefined,
  request: PageRequest,
  now: Date,
): Promise<{ asked: Asked; flow: string | undefined } | null> {
  if (state === undefined || state.length > 16_000) return null;
  const at = state.indexOf(between);
  const text = at < 0 ? state : state.slice(0, at);
  const asked = await sealedAsked.open(text, request, now);
  return asked && { asked, flow: at < 0 ? undefined : state.slice(at + 1) };
}

const derived = ({ r }: Asked, use: string) =>
  createHash('sha256').update(`${use} ${r}`).digest('base64url');

export const nonceOf = (asked: Asked) => derived(asked, 'nonce');
export const verifierOf = (asked: Asked) => derived(asked, 'verifier');
