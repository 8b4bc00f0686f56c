import { isMultiFactor } from '../oauth/acr.ts';
import type { Session } from '../store/sessions.ts';

/** What a page or an act asks for: anybody signed in, an admin, or an admin who has signed in just now. */
export type Need = 'user' | 'admin' | 'fresh-admin';

/** Dangerous acts (secrets, roles, deletion, settings) want a sign-in no older than this. */
export const freshMinutes = 15;

export type Access = { session: Session } | { refused: 'signed-out' | 'not-admin' | 'stale' };

/** Whether a person may see or do something. */
export function judgeAccess(session: Session | null, need: Need, now: Date): Access {
  if (!session) return { refused: 'signed-out' };
  if (need === 'user') return { session };
  if (!session.user.isAdmin) return { refused: 'not-admin' };
  return need === 'fresh-admin' && !isFresh(session, now) ? { refused: 'stale' } : { session };
}

/** Whether the person at this browser has proved who they are just now, with their second factor if they have one. */
export function isFresh(session: Session, now: Date): boolean {
  if (session.user.hasFactor && !isMultiFactor(session.amr)) return false;
  return now.getTime() - session.authTime.getTime() <= freshMinutes * 60_000;
}
