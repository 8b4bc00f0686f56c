import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { PageRequest } from '../http/message.ts';
import { digest } from '../oauth/secrets.ts';
import { addSeconds } from '../oauth/token-request.ts';
import { sealed } from '../sealed/sealed.ts';
import { spendOnce } from '../store/spent-values.ts';

/**
 * What an authenticator is asked for: to sign a user in, to act as the second factor, or to create
 * a passkey, either at the user's request (`add`) or by the browser on its own (`upgrade`).
 */
export const challengeUses = ['sign-in', 'factor', 'add', 'upgrade'] as const;
export type ChallengeUse = (typeof challengeUses)[number];

/** Seconds. The browser requests a fresh one before this runs out. */
const life = 5 * 60;

export const sealedChallenge = sealed(
  'challenge',
  z.object({ c: z.string(), u: z.enum(challengeUses), p: z.string() }),
  { max: 1000, bound: 'browser', life, clock: 'e' },
);

/** What a challenge is for, and whose passkey it asks for: '' for a sign-in. */
type Purpose = { use: ChallengeUse; userId: string };

/**
 * A challenge (WebAuthn section 13.4.3) for one use, one browser and, except for sign-in, one user.
 * It travels sealed in the form that answers it; no row is written.
 */
export async function newChallenge({ use, userId }: Purpose, request: PageRequest, now: Date) {
  const challenge = randomBytes(32).toString('base64url');
  const value = { c: challenge, u: use, p: userId };
  return { challenge, sealed: await sealedChallenge.seal(value, request, now) };
}

/** Opens the challenge that a form answers, and spends it whatever the outcome. */
export async function takeChallenge(
  text: string,
  { use, userId }: Purpose,
  request: PageRequest,
  now: Date,
): Promise<string | null> {
  const asked = await sealedChallenge.open(text, request, now);
  if (asked?.u !== use || asked.p !== userId) return null;
  const spent = await spendOnce(digest(`challenge ${asked.c}`), addSeconds(now, life));
  return spent === 'spent-now' ? asked.c : null;
}
