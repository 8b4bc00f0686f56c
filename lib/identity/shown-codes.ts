import { z } from 'zod';
import type { HttpRequest } from '../http/message.ts';
import { browserDigest, browserOf } from '../sealed/browser.ts';
import { clearCookie, cookieOf, setCookie } from '../sealed/cookies.ts';
import { seal, unseal } from '../sealed/seal.ts';
import { readFactors } from '../store/factors.ts';
import { replaceRecoveryCodes } from '../store/recovery-codes.ts';
import { eventOf } from './events.ts';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';

/** Seconds in which codes that were just made can be read and downloaded. Nothing but this cookie holds them. */
const life = 15 * 60;

const value = z.object({ u: z.string(), b: z.string(), c: z.array(z.string()), e: z.number() });

/** Gives a person new recovery codes, and the cookie from which their page shows them. */
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

/** As `makeRecoveryCodes`, for somebody who has none: with the first factor come the codes. */
export async function makeFirstRecoveryCodes(
  userId: string,
  request: HttpRequest,
  now: Date,
): Promise<string | null> {
  const { recoveryCodes } = await readFactors(userId);
  return recoveryCodes > 0 ? null : makeRecoveryCodes(userId, request, now);
}

/** The codes that were just made for this person in this browser, while they can be shown. */
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

/** They are kept elsewhere now. */
export function forgetShownCodes(): string {
  return clearCookie('codes');
}
