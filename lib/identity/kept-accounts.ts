import { z } from 'zod';
import type { PageRequest } from '../http/message.ts';
import { digest } from '../oauth/secrets.ts';
import { isSignInEnough } from '../people/second-factor.ts';
import { clearCookie, cookieOf, setCookie } from '../sealed/cookies.ts';
import { sealed } from '../sealed/sealed.ts';
import { endSession, findSession, raiseSession, type Session } from '../store/sessions.ts';
import { settingsAt } from '../store/settings.ts';
import { logouts } from './back-channel.ts';
import { cookieLife, newValue } from './session-cookie.ts';

/** How many accounts a browser keeps besides the one it acts for. */
export const mostKept = 5;

const entry = z.object({ i: z.string(), u: z.string(), n: z.string(), t: z.number() });

/**
 * Five entries with the longest usernames fit into one cookie, which browsers limit to 4096 bytes.
 */
export const sealedAccounts = sealed('accounts', z.object({ a: z.array(entry).max(mostKept) }), {
  max: 4000,
  bound: 'browser',
  life: cookieLife,
  clock: 't',
});

/**
 * An account this browser is signed in to besides the one it acts for. The username is the one the
 * account had when the browser left it: once the session has ended, the browser learns nothing new
 * about the account.
 */
export type Kept = {
  /** The value that finds the session. It has never been in the session cookie. */
  id: string;
  userId: string;
  username: string;
  /** Milliseconds: when the browser switched away from it. */
  since: number;
  brief: boolean;
};

/** Null if its session has ended, or its sign-in no longer satisfies the rules. */
export type KeptAccount = Kept & { session: Session | null };

/** Accounts to be forgotten when the browser is closed are kept in a separate cookie. */
const jars = [
  { name: 'accounts', brief: false },
  { name: 'accounts_brief', brief: true },
] as const;

/** The accounts a browser keeps, latest first, whether or not their sessions are alive. */
export async function listKept(request: PageRequest, now: Date): Promise<Kept[]> {
  const lists = await Promise.all(
    jars.map(async ({ name, brief }) => {
      const opened = await sealedAccounts.open(cookieOf(request, name), request, now);
      return (opened?.a ?? []).map(({ i, u, n, t }) => {
        return { id: i, userId: u, username: n, since: t, brief };
      });
    }),
  );
  return lists.flat().sort((one, other) => other.since - one.since);
}

/** The kept accounts with their sessions, each judged as the browser's own session is. */
export async function readKept(request: PageRequest, now: Date): Promise<KeptAccount[]> {
  const kept = await listKept(request, now);
  return Promise.all(kept.map(async (each) => ({ ...each, session: await sessionOf(each, now) })));
}

async function sessionOf({ id, userId }: Kept, now: Date): Promise<Session | null> {
  const { revision, session } = await findSession(digest(id), now);
  if (session?.user.id !== userId) return null;
  const { requireSecondFactor } = await settingsAt(revision);
  return isSignInEnough(requireSecondFactor, session.user, session.amr) ? session : null;
}

/**
 * Keeps a session besides the browser's own, under a new value, so a copy of the old cookie finds
 * nothing. Accounts over the limit are dropped, oldest first, and their sessions end, since no
 * browser could reach them any more.
 */
export async function keepBeside(kept: Kept[], session: Session, now: Date): Promise<Kept[]> {
  const { id, hash } = newValue();
  const { user, brief } = session;
  const moved = await raiseSession(session.hash, session.cookieHash, hash, session.amr);
  // Another window was faster, and has it.
  if (moved === 'refused') return kept;
  const added = { id, userId: user.id, username: user.username, since: now.getTime(), brief };
  const others = kept.filter(({ userId }) => userId !== user.id);
  const staying = [added, ...others].slice(0, mostKept);
  await endKept(
    kept.filter((each) => !staying.includes(each)),
    now,
  );
  return staying;
}

export async function endKept(kept: readonly Kept[], now: Date): Promise<void> {
  for (const { id } of kept) {
    const { session } = await findSession(digest(id), now);
    if (session) await endSession(session.hash);
  }
  if (kept.length > 0) logouts.soon();
}

/** The cookies that make a browser keep exactly these accounts. */
export async function keptCookies(
  request: PageRequest,
  kept: readonly Kept[],
  now: Date,
): Promise<string[]> {
  const cookies = jars.map(async ({ name, brief }) => {
    const a = kept
      .filter((each) => each.brief === brief)
      .map(({ id, userId, username, since }) => ({ i: id, u: userId, n: username, t: since }));
    if (a.length === 0) return cookieOf(request, name) === undefined ? [] : [clearCookie(name)];
    const value = await sealedAccounts.seal({ a }, request, now);
    return [setCookie(name, value, brief ? undefined : cookieLife)];
  });
  return (await Promise.all(cookies)).flat();
}
