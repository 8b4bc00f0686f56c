import { isMultiFactor } from '../oauth/acr.ts';
import { may, type Permission } from '../people/roles.ts';
import type { Session } from '../store/sessions.ts';

/** `fresh-` also requires a fresh sign-in. */
export type Need = 'user' | RoleNeed;
export type RoleNeed = Permission | `fresh-${Permission}`;

/** Dangerous actions (secrets, roles, deletion, settings) require a sign-in no older than this. */
const freshMinutes = 15;
export const freshSeconds = freshMinutes * 60;

type Access = { session: Session } | { refused: 'signed-out' | 'not-allowed' | 'stale' };

export function judgeAccess(session: Session | null, need: Need, now: Date): Access {
  if (!session) return { refused: 'signed-out' };
  if (need === 'user') return { session };
  const { permission, fresh } = needOf(need);
  if (!may(session.user.role, permission)) return { refused: 'not-allowed' };
  return fresh && !isFresh(session, now) ? { refused: 'stale' } : { session };
}

export function needOf(need: RoleNeed): { permission: Permission; fresh: boolean } {
  const fresh = need.startsWith('fresh-');
  return { permission: need.slice(fresh ? 'fresh-'.length : 0) as Permission, fresh };
}

/** Whether the sign-in is fresh and, for a user with a second factor, used it. */
export function isFresh(session: Session, now: Date): boolean {
  if (session.user.hasFactor && !isMultiFactor(session.amr)) return false;
  return now.getTime() - session.authTime.getTime() <= freshMinutes * 60_000;
}
