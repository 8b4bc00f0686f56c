import { randomBytes } from 'node:crypto';
import { sealData, unsealData } from 'iron-session';
import { config } from '../config.ts';
import type { HttpRequest, PageRequest } from '../http/message.ts';
import { ownAddress } from '../http/network.ts';
import { digest } from '../oauth/secrets.ts';
import { once } from '../once.ts';
import { isSignInEnough } from '../people/second-factor.ts';
import { clearCookie, cookieOf, setCookie } from '../sealed/cookies.ts';
import { deriveKey } from '../sealed/seal.ts';
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
import type { User } from '../store/users.ts';
import { logouts } from './back-channel.ts';

/**
 * Set by the proxy, because pages don't know their method: HEAD must record nothing, not even
 * activity.
 */
const methodHeader = 'x-gatehouse-method';
/** Milliseconds; at most a quarter of the idle lifetime. */
const touchEvery = 5 * 60_000;

/** iron-session numbers its passwords; the highest number is the newest. */
function passwords(): Record<string, string> {
  return once('session-passwords', () => {
    const secrets = config().serverSecrets;
    return Object.fromEntries(
      secrets.map((secret, index) => [
        secrets.length - index,
        Buffer.from(deriveKey(secret, 'session')).toString('hex'),
      ]),
    );
  });
}

/** Unsealing takes most of a millisecond, so results are cached by cookie. */
const unsealed = () => once('unsealed-sessions', () => new Map<string, string>());
const maxUnsealed = 10_000;
/** Seconds; browsers keep no cookie for longer. */
const cookieLife = 400 * 24 * 3600;

async function sessionHash(cookie: string): Promise<string | null> {
  const cache = unsealed();
  const held = cache.get(cookie);
  if (held) return held;
  // The database row decides how long a session lives, not the seal.
  const { id } = await unsealData<{ id?: string }>(cookie, { password: passwords(), ttl: 0 });
  if (typeof id !== 'string') return null;
  if (cache.size >= maxUnsealed) cache.clear();
  const hash = digest(id);
  cache.set(cookie, hash);
  return hash;
}

type Found = { revision: number; session: Session | null };

/** A new cookie value, and the digest by which its session is found. */
function newValue(): { id: string; hash: string } {
  const id = randomBytes(32).toString('base64url');
  return { id, hash: digest(id) };
}

async function sessionCookie(id: string, brief: boolean): Promise<string> {
  const sealed = await sealData({ id }, { password: passwords(), ttl: 0 });
  return setCookie('session', sealed, brief ? undefined : cookieLife);
}

/** This browser's session, and the revision that cached reads of this request are judged by. */
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
    await touchSession(session.hash, now, sessionEndOf({ ...session, lastSeenAt: now }, life));
  }
  return { revision, session };
}

async function findOwnSession(request: PageRequest, now: Date): Promise<Found> {
  const cookie = cookieOf(request, 'session');
  const cookieHash = cookie && cookie.length < 1000 ? await sessionHash(cookie) : null;
  if (cookieHash === null) return { revision: await readRevision(), session: null };
  return findSession(cookieHash, now);
}

/**
 * Signs a user in under a new cookie value, never one the browser sent. The same user signing in
 * again keeps the session, so no app hears of a sign-out; another user's session ends. A brief one
 * is forgotten when the browser is closed. Returns the cookie and the session hash, or null if the
 * account has changed since the password was verified. Only `finishSignIn` calls it: an account may require more than a password.
 */
export async function beginSession(
  request: HttpRequest,
  user: User,
  { amr, brief }: { amr: string; brief: boolean },
  now: Date,
): Promise<{ cookie: string; hash: string } | null> {
  const { session: previous, revision } = await findOwnSession(request, now);
  const life = sessionLifeOf(await settingsAt(revision), user, brief);
  const { id, hash } = newValue();
  const session: NewSession = {
    hash,
    userId: user.id,
    passwordHash: user.passwordHash,
    amr,
    brief,
    expiresAt: sessionEndOf({ authTime: now, lastSeenAt: now }, life),
    userAgent: request.header('user-agent')?.slice(0, 400) ?? null,
    address: ownAddress(request),
  };
  const isSamePerson = previous?.user.id === user.id;
  const goesOn =
    isSamePerson &&
    (await renewSession(previous.hash, previous.cookieHash, session, now)) === 'renewed';
  if (!goesOn && (await storeSession(session, now)) === 'refused') return null;
  if (previous && !isSamePerson) {
    await endSession(previous.hash);
    logouts.soon();
  }
  return { cookie: await sessionCookie(id, brief), hash: goesOn ? previous.hash : hash };
}

/**
 * Notes in a session that a second factor was added by it. It goes on under a new cookie, so that a
 * copy of the old one gains nothing by it. Returns the cookie, or none where another window came first.
 */
export async function raiseOwnSession(session: Session, amr: string): Promise<string[]> {
  const { id, hash } = newValue();
  const raised = await raiseSession(session.hash, session.cookieHash, hash, amr);
  return raised === 'raised' ? [await sessionCookie(id, session.brief)] : [];
}

/** Signs this browser out: ends the session and clears the cookie. */
export async function endSessionOf(request: HttpRequest, now: Date): Promise<string> {
  const { session } = await findOwnSession(request, now);
  if (session) {
    await endSession(session.hash);
    logouts.soon();
  }
  return clearCookie('session');
}
