import { z } from 'zod';
import type { HttpRequest } from '../http/message.ts';
import { browserDigest, browserOf } from '../sealed/browser.ts';
import { clearCookie, cookieOf, setCookie } from '../sealed/cookies.ts';
import { seal, unseal } from '../sealed/seal.ts';
import { readFactors } from '../store/factors.ts';
import { replaceRecoveryCodes } from '../store/recovery-codes.ts';
import { eventOf } from './events.ts';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';

/** Seconds during which new codes can be viewed and downloaded. Only this cookie holds them. */
const life = 15 * 60;

const value = z.object({ u: z.string(), b: z.string(), c: z.array(z.string()), e: z.number() });

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
  await replaceRecoveryCodes(userId, hashes, eventOf(request, userId, 'recovery-codes.made'), now);
  const b = browserDigest(browserOf(request) ?? '');
  return setCookie(
    'codes',
    await seal('codes', { u: userId, b, c: codes, e: now.getTime() + life * 1000 }),
    life,
  );
}

/** Like `makeRecoveryCodes`, but only for a user without any: the first factor brings the codes. */
export async function makeFirstRecoveryCodes(
  userId: string,
  request: HttpRequest,
  now: Date,
): Promise<string | null> {
  const { recoveryCodes } = await readFactors(userId);
  return recoveryCodes > 0 ? null : makeRecoveryCodes(userId, request, now);
}

/** The codes just created for this user in this browser, while they can still be shown. */
export async function readShownCodes(
  userId: string,
  request: Pick<HttpRequest, 'header'>,
  now: Date,
): Promise<string[] | null> {
  const cookie = cookieOf(request, 'codes');
  if (!cookie || cookie.length > 3000) return null;
  const parsed = value.safeParse(await unseal('codes', cookie));
  if (!parsed.success) return null;
  const { u, b, c, e } = parsed.data;
  return u === userId && b === browserDigest(browserOf(request) ?? '') && e > now.getTime()
    ? c
    : null;
}

/** Clears the cookie once the user has saved the codes. */
export function forgetShownCodes(): string {
  return clearCookie('codes');
}
