import type { HttpRequest, PageRequest } from '../http/message.ts';
import { ownAddress } from '../http/network.ts';
import { digest } from '../oauth/secrets.ts';
import { isSignInEnough } from '../people/second-factor.ts';
import { isTurnOf, turnCookie } from '../sealed/browser.ts';
import { readRevision } from '../store/engine/revision.ts';
import { sessionEndOf, sessionLifeOf } from '../store/session-life.ts';
import {
  endSession,
  findSession,
  type NewSession,
  raiseSession,
  renewSession,
  type Session,
  storeSession,
  touchSession,
} from '../store/sessions.ts';
import { settingsAt } from '../store/settings.ts';
import { touchLastUse } from '../store/usage.ts';
import type { User } from '../store/users.ts';
import { logouts } from './back-channel.ts';
import { endKept, type Kept, keepBeside, keptCookies, listKept } from './kept-accounts.ts';
import { newValue, sentHash, sessionCookie } from './session-cookie.ts';

/** Set by the proxy because pages don't know their method: HEAD must record nothing. */
const methodHeader = 'x-gatehouse-method';
/** Milliseconds between updates of the last activity; at most a quarter of the idle lifetime. */
const touchEvery = 5 * 60_000;

type Found = { revision: number; session: Session | null };

/** This browser's session, and the revision for the cached reads of this request. */
export async function readSession(request: PageRequest, now: Date): Promise<Found> {
  const { revision, session } = await findOwnSession(request, now);
  if (!session) return { revision, session };
  const settings = await settingsAt(revision);
  // The session predates the rule: the user has to sign in again.
  if (!isSignInEnough(settings.requireSecondFactor, session.user, session.amr))
    return { revision, session: null };
  const looksOnly = (request.method ?? request.header(methodHeader)) === 'HEAD';
  const life = sessionLifeOf(settings, session.user, session.brief);
  const unseen = now.getTime() - session.lastSeenAt.getTime();
  if (!looksOnly && unseen > Math.min(touchEvery, life.idle * 250)) {
    touchLastUse('accounts', session.user.id, now);
    await touchSession(session.hash, now, sessionEndOf({ ...session, lastSeenAt: now }, life));
  }
  return { revision, session };
}

/** The session whose cookie this browser sent, even if its sign-in is not enough. */
export async function findOwnSession(request: PageRequest, now: Date): Promise<Found> {
  const hash = await sentHash(request);
  if (hash === null) return { revision: await readRevision(), session: null };
  return findSession(hash, now);
}

/**
 * Signs a user in under a new cookie value, never one the browser sent. If the same user signs in
 * again, the session goes on, so apps see no sign-out; another user's session is kept alongside it.
 * A brief session is forgotten when the browser is closed. Returns the cookies and the session
 * hash, or null if the account has changed since the password was verified. Only `finishSignIn`
 * calls this, because an account may require more than a password.
 */
export async function beginSession(
  request: HttpRequest,
  user: User,
  { amr, brief, from }: Pick<NewSession, 'amr' | 'brief' | 'from'>,
  now: Date,
): Promise<{ cookies: string[]; hash: string } | null> {
  const { session: previous, revision } = await findOwnSession(request, now);
  const life = sessionLifeOf(await settingsAt(revision), user, brief);
  const { id, hash } = newValue();
  const session: NewSession = {
    hash,
    userId: user.id,
    passwordHash: user.passwordHash,
    epoch: user.epoch,
    amr,
    brief,
    expiresAt: sessionEndOf({ signedInAt: now, lastSeenAt: now }, life),
    userAgent: request.header('user-agent')?.slice(0, 400) ?? null,
    address: ownAddress(request),
    from,
  };
  const kept = await listKept(request, now);
  const mine = previous?.user.id === user.id ? previous : await findAmong(kept, user.id, now);
  const goesOn =
    mine !== null && (await renewSession(mine.hash, mine.cookieHash, session, now)) === 'renewed';
  if (!goesOn && (await storeSession(session, now)) === 'refused') return null;
  const staying = await stayingBeside(user, previous, kept, now);
  const cookies = [
    await sessionCookie(id, brief),
    ...(await keptCookies(request, staying, now)),
    ...(isTurnOf(request, user.id) ? [] : [turnCookie(request, user.id)]),
  ];
  return { cookies, hash: goesOn ? mine.hash : hash };
}

/** The accounts that this browser keeps beside one: the previous one too, if it is another's. */
async function stayingBeside(
  { id }: User,
  previous: Session | null,
  kept: readonly Kept[],
  now: Date,
): Promise<readonly Kept[]> {
  const others = kept.filter(({ userId }) => userId !== id);
  if (previous === null) return others;
  if (previous.user.id !== id) return keepBeside(others, previous, now);
  await endKept(
    kept.filter((each) => !others.includes(each)),
    now,
  );
  return others;
}

/** The session of a user whose account this browser keeps besides its current one. */
async function findAmong(
  kept: readonly Kept[],
  userId: string,
  now: Date,
): Promise<Session | null> {
  const entry = kept.find((each) => each.userId === userId);
  if (!entry) return null;
  const { session } = await findSession(digest(entry.id), now);
  return session?.user.id === userId ? session : null;
}

/**
 * Records that a second factor was added in this session. The session goes on under a new cookie,
 * so a copy of the old one gains nothing. Returns the cookie, or none if another window was faster.
 */
export async function raiseOwnSession(session: Session, amr: string): Promise<string[]> {
  const { id, hash } = newValue();
  const raised = await raiseSession(session.hash, session.cookieHash, hash, amr);
  return raised === 'raised' ? [await sessionCookie(id, session.brief)] : [];
}

export async function endSessionOf(request: HttpRequest, now: Date): Promise<void> {
  const { session } = await findOwnSession(request, now);
  if (session) {
    await endSession(session.hash);
    logouts.soon();
  }
}
