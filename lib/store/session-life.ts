import { holdsRole, type Role } from '../people/roles.ts';
import type { AccountSettings } from '../settings/table.ts';

/** Session lifetimes in seconds: idle, and absolute since sign-in. */
type SessionLife = { idle: number; max: number };

/**
 * The life of a session whose user does not want to stay signed in. Its cookie ends with the
 * browser, but browsers that reopen their tabs keep such cookies, and phones never close theirs.
 */
const briefLife: SessionLife = { idle: 12 * 3600, max: 24 * 3600 };

/** The lifetimes of a user's session. A role can only shorten them, and so can a brief session. */
export function sessionLifeOf(
  settings: AccountSettings,
  user: { role: Role },
  brief: boolean,
): SessionLife {
  const { sessionIdleTtl, sessionMaxTtl, adminSessionIdleTtl, adminSessionMaxTtl } = settings;
  const usual = { idle: sessionIdleTtl, max: sessionMaxTtl };
  const admins = { idle: adminSessionIdleTtl, max: adminSessionMaxTtl };
  const lives = [usual, ...(holdsRole(user) ? [admins] : []), ...(brief ? [briefLife] : [])];
  return {
    idle: Math.min(...lives.map(({ idle }) => idle)),
    max: Math.min(...lives.map(({ max }) => max)),
  };
}

/** When an unused session ends: the earlier of its two limits. */
export function sessionEndOf(
  { signedInAt, lastSeenAt }: { signedInAt: Date; lastSeenAt: Date },
  { idle, max }: SessionLife,
): Date {
  return new Date(Math.min(lastSeenAt.getTime() + idle * 1000, signedInAt.getTime() + max * 1000));
}
