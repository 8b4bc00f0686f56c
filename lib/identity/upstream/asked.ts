import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { PageRequest } from '../../http/message.ts';
import { newId } from '../../oauth/secrets.ts';
import { sealed } from '../../sealed/sealed.ts';

/** Seconds a person has at the provider. */
const life = 15 * 60;

/**
 * What a sign-in at a provider carries there and back in `state`: which provider was asked (only
 * its answer counts), what for, and where to go next. It can be opened only in the browser that
 * began the sign-in.
 */
export const sealedAsked = sealed(
  'upstream',
  z.object({
    /** Spent when used. */
    i: z.string(),
    /** Id of the provider. */
    p: z.string(),
    /** The nonce and the PKCE verifier are derived from it. */
    r: z.string(),
    /** Sign in, link the identity to the account of the session, or show an admin what happens. */
    k: z.enum(['sign-in', 'link', 'try']),
    /** Id of the pending request; '' if there is none. */
    f: z.string(),
    /** Our page to return to; '' if there is none. */
    w: z.string(),
    /** Id of the account to link to, or the session of the admin who tries; '' for a sign-in. */
    s: z.string(),
    /**
     * How many seconds ago the person may have proved who they are; false: it does not matter. True
     * as in 0, in a sign-in that the previous release began.
     */
    g: z.union([z.boolean(), z.number()]).transform((g) => (g === true ? 0 : g)),
    /** When it began, in milliseconds. */
    t: z.number(),
  }),
  { max: 4000, bound: 'browser', life, clock: 't' },
);

export type Asked = NonNullable<Awaited<ReturnType<typeof sealedAsked.open>>>;

/** In `state`, this separates `sealedAsked` from the pending request, which is sealed already. */
const between = '~';

/** Starts a sign-in at a provider; returns it and its `state`. */
export async function newAsked(
  asked: Omit<Asked, 'i' | 'r' | 't'>,
  flow: string | undefined,
  request: PageRequest,
  now: Date,
): Promise<{ asked: Asked; state: string }> {
  const r = randomBytes(32).toString('base64url');
  const whole = { ...asked, i: newId(now), r, t: now.getTime() };
  const text = await sealedAsked.seal(whole, request, now);
  return { asked: whole, state: flow === undefined ? text : text + between + flow };
}

/**
 * The content of a `state`, and the pending request after it. Null if it was not made for this
 * browser or is too old.
 */
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
