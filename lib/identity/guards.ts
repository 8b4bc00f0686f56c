import { isMultiFactor } from '../oauth/acr.ts';
import type { Session } from '../store/sessions.ts';

/**
 * What a page or action requires: any signed-in user, an admin, or an admin with a fresh sign-in.
 */
export type Need = 'user' | 'admin' | 'fresh-admin';

/** Dangerous actions (secrets, roles, deletion, settings) require a sign-in no older than this. */
export const freshMinutes = 15;

export type Access = { session: Session } | { refused: 'signed-out' | 'not-admin' | 'stale' };

/** Whether a user may see or do something. */
export function judgeAccess(session: Session | null, need: Need, now: Date): Access {
  if (!session) return { refused: 'signed-out' };
  if (need === 'user') return { session };
  if (!session.user.isAdmin) return { refused: 'not-admin' };
  return need === 'fresh-admin' && !isFresh(session, now) ? { refused: 'stale' } : { session };
}

/** Whether the sign-in is fresh and, for a user with a second factor, used it. */
export function isFresh(session: Session, now: Date): boolean {
  if (session.user.hasFactor && !isMultiFactor(session.amr)) return false;
  return now.getTime() - session.authTime.getTime() <= freshMinutes * 60_000;
}
