import { z } from 'zod';
import type { PageRequest } from '../http/message.ts';
import { sidOf } from '../oauth/id-token.ts';
import { cookieOf, setCookie } from '../sealed/cookies.ts';
import { sealed } from '../sealed/sealed.ts';

/** Seconds for which a browser shows which session it has just ended. */
const life = 15 * 60;

/** The `sid` of the session that this browser has just ended. */
export const sealedEnding = sealed('ended', z.object({ s: z.string() }), {
  max: 1000,
  bound: 'browser',
  life,
  clock: 't',
});

/** The cookie by which other apps of a session that ends now can still say that it was theirs. */
export async function endedCookie(
  request: PageRequest,
  sessionHash: string,
  now: Date,
): Promise<string> {
  return setCookie('ended', await sealedEnding.seal({ s: sidOf(sessionHash) }, request, now), life);
}

/** Whether this browser has just ended the session of a `sid`. */
export async function hasJustEnded(
  sid: string | undefined,
  request: PageRequest,
  now: Date,
): Promise<boolean> {
  const ending = await sealedEnding.open(cookieOf(request, 'ended'), request, now);
  return ending !== null && ending.s === sid;
}
