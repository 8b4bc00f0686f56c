import { z } from 'zod';
import type { PageRequest } from '../http/message.ts';
import { sessionName, sidNamed } from '../oauth/id-token.ts';
import type { Subjective } from '../oauth/subject.ts';
import { cookieOf, setCookie } from '../sealed/cookies.ts';
import { sealed } from '../sealed/sealed.ts';

/** Seconds for which the browser can prove which session it has just ended. */
const life = 15 * 60;

export const sealedEnding = sealed('ended', z.object({ s: z.string() }), {
  max: 1000,
  bound: 'browser',
  life,
  clock: 't',
});

/**
 * The cookie with which other apps of an ending session can still show that the session was theirs.
 */
export async function endedCookie(
  request: PageRequest,
  sessionHash: string,
  now: Date,
): Promise<string> {
  const ending = { s: sessionName(sessionHash) };
  return setCookie('ended', await sealedEnding.seal(ending, request, now), life);
}

/** Whether this browser has just ended the session that a client knows by this `sid`. */
export async function hasJustEnded(
  sid: string | undefined,
  client: Subjective,
  request: PageRequest,
  now: Date,
): Promise<boolean> {
  const ending = await sealedEnding.open(cookieOf(request, 'ended'), request, now);
  return ending !== null && sidNamed(ending.s, client) === sid;
}
