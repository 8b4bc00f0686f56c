import { z } from 'zod';
import { actorAt } from '../http/actor.ts';
import type { HttpRequest, PageRequest } from '../http/message.ts';
import { clearCookie, cookieOf, setCookie } from '../sealed/cookies.ts';
import { sealed } from '../sealed/sealed.ts';
import { eventBy } from '../store/actor.ts';
import { readFactors } from '../store/factors.ts';
import { replaceRecoveryCodes } from '../store/recovery-codes.ts';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';

/** Seconds during which new codes can be viewed and downloaded. Only this cookie holds them. */
const life = 15 * 60;

export const sealedCodes = sealed('codes', z.object({ u: z.string(), c: z.array(z.string()) }), {
  max: 3000,
  bound: 'browser',
  life,
  clock: 'e',
});

/** Creates new recovery codes and returns the cookie from which the page shows them. */
export async function makeRecoveryCodes(
  userId: string,
  request: HttpRequest,
  now: Date,
): Promise<string> {
  const codes = newRecoveryCodes();
  const hashes = codes
    .map((code) => recoveryCodeHash(userId, code))
    .filter((hash) => hash !== null);
  await replaceRecoveryCodes(
    userId,
    hashes,
    eventBy(actorAt(request, userId), 'recovery-codes.made', { userId }),
    now,
  );
  return setCookie('codes', await sealedCodes.seal({ u: userId, c: codes }, request, now), life);
}

/**
 * Like `makeRecoveryCodes`, but only for a user who has no codes: they come with the first factor.
 */
export async function makeFirstRecoveryCodes(
  userId: string,
  request: HttpRequest,
  now: Date,
): Promise<string | null> {
  const { recoveryCodes } = await readFactors(userId);
  return recoveryCodes > 0 ? null : makeRecoveryCodes(userId, request, now);
}

export async function readShownCodes(
  userId: string,
  request: PageRequest,
  now: Date,
): Promise<string[] | null> {
  const value = await sealedCodes.open(cookieOf(request, 'codes'), request, now);
  return value?.u === userId ? value.c : null;
}

export function forgetShownCodes(): string {
  return clearCookie('codes');
}
