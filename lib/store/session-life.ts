import type { AccountSettings } from '../settings/table.ts';

/** Session lifetimes in seconds: idle, and absolute since sign-in. */
export type SessionLife = { idle: number; max: number };

/** The lifetimes for a user. Those of admins are never longer. */
export function sessionLifeOf(settings: AccountSettings, user: { isAdmin: boolean }): SessionLife {
  const { sessionIdleTtl, sessionMaxTtl, adminSessionIdleTtl, adminSessionMaxTtl } = settings;
  if (!user.isAdmin) return { idle: sessionIdleTtl, max: sessionMaxTtl };
  return {
    idle: Math.min(sessionIdleTtl, adminSessionIdleTtl),
    max: Math.min(sessionMaxTtl, adminSessionMaxTtl),
  };
}

/** When an unused session ends: the earlier of both limits. */
export function sessionEndOf(
  { authTime, lastSeenAt }: { authTime: Date; lastSeenAt: Date },
  { idle, max }: SessionLife,
): Date {
  return new Date(Math.min(lastSeenAt.getTime() + idle * 1000, authTime.getTime() + max * 1000));
}
