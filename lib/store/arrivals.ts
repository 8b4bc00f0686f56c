import type { StoredClaims } from '../oauth/claims.ts';
import { eventBy, type Someone } from './actor.ts';
import { auditing } from './audit.ts';
import { readOne } from './engine/database.ts';
import { type Group, joiningAll, lockFor } from './groups.ts';
import { type NewUser, storeUser } from './users.ts';

type NewArrival = NewUser & { claims: StoredClaims; disabled: boolean };

/** Stores somebody who comes from another program, with their groups; `taken`: somebody has their name. */
export function storeArrival(
  { claims, disabled, ...user }: NewArrival,
  from: string,
  groups: readonly Group[],
  by: Someone,
  now: Date,
) {
  const { username, email, emailVerified = false } = user;
  const detail = { username, email, admin: false, emailVerified, from };
  const sql = 'UPDATE users SET claims = :claims, disabled_at = :disabledAt WHERE id = :id';
  const further = { claims: JSON.stringify(claims), disabledAt: disabled ? now : null };
  const along = (id: string) => [
    { sql, params: { ...further, id } },
    auditing(eventBy(by, 'user.created', { userId: id, detail }), now),
    ...joiningAll(id, groups, by, now),
  ];
  return storeUser(user, now, along, lockFor(groups));
}

/** Whether somebody came from another program, as far back as the audit log goes. */
export async function cameAlong(userId: string): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM audit_events
    WHERE user_id = :userId AND type = 'user.created' AND detail LIKE '%"from":%' LIMIT 1`;
  return (await readOne(sql, { userId })) !== undefined;
}
