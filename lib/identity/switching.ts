import type { HttpRequest, PageRequest } from '../http/message.ts';
import { turnCookie } from '../sealed/browser.ts';
import { endSession, raiseSession, type Session } from '../store/sessions.ts';
import { logouts } from './back-channel.ts';
import {
  endKept,
  type KeptAccount,
  keepBeside,
  keptCookies,
  listKept,
  readKept,
} from './kept-accounts.ts';
import { findOwnSession } from './session.ts';
import { newValue, sessionCookie, signedOutCookies } from './session-cookie.ts';

/** The outcome of choosing an account: the cookies, or that the user has to sign in first. */
type Switched = { cookies: string[] } | { signInAs: string } | 'unknown';

/**
 * Makes a kept account the one this browser acts for, under a new cookie value. The previous
 * account is kept. An account this browser does not keep is `unknown`, even if it exists.
 */
export async function switchTo(request: HttpRequest, userId: string, now: Date): Promise<Switched> {
  const { session: own } = await findOwnSession(request, now);
  if (own?.user.id === userId) return { cookies: [] };
  const kept = await readKept(request, now);
  const wanted = kept.find((each) => each.userId === userId);
  if (!wanted) return 'unknown';
  const { session } = wanted;
  const { id, hash } = newValue();
  const isMoved =
    session &&
    (await raiseSession(session.hash, session.cookieHash, hash, session.amr)) === 'raised';
  if (!isMoved) return { signInAs: wanted.username };
  const rest = kept.filter((each) => each !== wanted);
  const staying = own ? await keepBeside(rest, own, now) : rest;
  const kepts = await keptCookies(request, staying, now);
  return {
    cookies: [await sessionCookie(id, session.brief), ...kepts, turnCookie(request, userId)],
  };
}

export async function forgetAccount(
  request: HttpRequest,
  userId: string,
  now: Date,
): Promise<string[]> {
  const kept = await listKept(request, now);
  await endKept(
    kept.filter((each) => each.userId === userId),
    now,
  );
  return keptCookies(
    request,
    kept.filter((each) => each.userId !== userId),
    now,
  );
}

/**
 * Signs this browser out of one account: the one it acts for, or one it keeps. In the first case,
 * forms that the browser still shows do nothing for the next account.
 */
export async function leaveSession(
  request: HttpRequest,
  { hash, user }: Session,
  now: Date,
): Promise<string[]> {
  const { session: own } = await findOwnSession(request, now);
  if (own && own.hash !== hash) return forgetAccount(request, user.id, now);
  await endSession(hash);
  logouts.soon();
  return signedOutCookies(request);
}

/** Forgets all accounts this browser keeps, and ends their sessions. */
export async function leaveKept(request: HttpRequest, now: Date): Promise<string[]> {
  await endKept(await listKept(request, now), now);
  return keptCookies(request, [], now);
}

/** The first live session among the kept accounts that `isMeant` accepts. */
export async function findKept(
  request: PageRequest,
  isMeant: (session: Session) => boolean,
  now: Date,
): Promise<Session | null> {
  const kept: KeptAccount[] = await readKept(request, now);
  return kept.find(({ session }) => session !== null && isMeant(session))?.session ?? null;
}
