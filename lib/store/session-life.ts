import type { AccountSettings } from '../settings/table.ts';

/** How long a session of this person lives, in seconds: unused, and in all since the sign-in. */
export type SessionLife = { idle: number; max: number };

/** The lives in force for a person; an admin's are never the longer ones. */
export function sessionLifeOf(settings: AccountSettings, user: { isAdmin: boolean }): SessionLife {
  const { sessionIdleTtl, sessionMaxTtl, adminSessionIdleTtl, adminSessionMaxTtl } = settings;
  if (!user.isAdmin) return { idle: sessionIdleTtl, max: sessionMaxTtl };
  return {
    idle: Math.min(sessionIdleTtl, adminSessionIdleTtl),
    max: Math.min(sessionMaxTtl, adminSessionMaxTtl),
  };
}

/** When a session ends that nobody uses any more: the earlier of both lives. */
export function sessionEndOf(
  { authTime, lastSeenAt }: { authTime: Date; lastSeenAt: Date },
  { idle, max }: SessionLife,
): Date {
  return new Date(Math.min(lastSeenAt.getTime() + idle * 1000, authTime.getTime() + max * 1000));
}
