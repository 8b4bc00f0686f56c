import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { HttpRequest } from '../http/message.ts';
import { digest } from '../oauth/secrets.ts';
import { browserDigest, browserOf } from '../sealed/browser.ts';
import { seal, unseal } from '../sealed/seal.ts';
import { spendOnce } from '../store/spent-values.ts';

/**
 * What an authenticator is asked to do: sign a user in, act as the second factor, or become a
 * passkey.
 */
export const challengeUses = ['sign-in', 'factor', 'add'] as const;
export type ChallengeUse = (typeof challengeUses)[number];

/** The browser requests a fresh one before this runs out. */
const life = 5 * 60_000;

const value = z.object({
  c: z.string(),
  u: z.enum(challengeUses),
  b: z.string(),
  p: z.string(),
  e: z.number(),
});

type PageRequest = Pick<HttpRequest, 'header'>;

/**
 * A challenge (WebAuthn section 13.4.3) for one use, one browser and, except for sign-in, one user.
 * It travels sealed in the form that answers it; no row is written.
 */
export async function newChallenge(
  use: ChallengeUse,
  request: PageRequest,
  userId: string,
  now: Date,
) {
  const challenge = randomBytes(32).toString('base64url');
  const b = browserDigest(browserOf(request) ?? '');
  const sealed = await seal('challenge', {
    c: challenge,
    u: use,
    b,
    p: userId,
    e: now.getTime() + life,
  });
  return { challenge, sealed };
}

/**
 * Opens the challenge a form answers, if it was made for this use. The call spends it, whatever the
 * outcome.
 */
export async function takeChallenge(
  sealed: string,
  use: ChallengeUse,
  request: PageRequest,
  userId: string,
  now: Date,
): Promise<string | null> {
  const parsed = value.safeParse(await unseal('challenge', sealed));
  const browser = browserOf(request);
  if (!parsed.success || !browser) return null;
  const { c, u, b, p, e } = parsed.data;
  if (u !== use || b !== browserDigest(browser) || p !== userId || e < now.getTime()) return null;
  return (await spendOnce(digest(`challenge ${c}`), new Date(e))) === 'spent-now' ? c : null;
}
