import { newId } from '../oauth/secrets.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type Columns, read, readOne, write, writeTogether } from './engine/database.ts';
import { inList } from './engine/parameters.ts';
import type { Statement } from './engine/statement.ts';

/*
 * Browsers in which a user is not asked for the second step again. A row is for one browser and one
 * user, in the epoch in which the step was done. So whatever ends everything that a user has (a
 * reset password, being disabled, "sign out everywhere") ends it as well.
 */

/** The maximum number per user; the one used longest ago makes room. */
const mostOfOne = 20;

type NewRemembered = {
  hash: string;
  userId: string;
  sessionHash: string;
  userAgent: string | null;
  address: string | null;
  expiresAt: Date;
};

const insert = `
  INSERT INTO remembered_devices (id, hash, user_id, user_epoch, session_hash, user_agent, address, created_at, last_used_at, expires_at)
  SELECT :id, :hash, u.id, u.epoch, s.hash, :userAgent, :address, CAST(:now AS TIMESTAMPTZ), CAST(:now AS TIMESTAMPTZ), CAST(:expiresAt AS TIMESTAMPTZ)
  FROM users u JOIN sessions s ON s.user_id = u.id AND s.user_epoch = u.epoch AND s.hash = :sessionHash
  WHERE u.id = :userId AND u.disabled_at IS NULL RETURNING id`;

/** Remembers a browser, unless the session that began in it has ended meanwhile. */
export async function storeRemembered(
  device: NewRemembered,
  event: AuditEntry,
  now: Date,
): Promise<'stored' | 'refused'> {
  const { userId } = device;
  const makeRoom = `DELETE FROM remembered_devices WHERE user_id = :userId AND id NOT IN (
    SELECT id FROM remembered_devices WHERE user_id = :userId ORDER BY last_used_at DESC, id DESC LIMIT ${mostOfOne})`;
  const rows = await writeTogether({ sql: insert, params: { ...device, id: newId(now), now } }, [
    { sql: makeRoom, params: { userId } },
    auditing(event, now),
  ]);
  return rows.length === 1 ? 'stored' : 'refused';
}

const ofNow = `user_epoch = (SELECT epoch FROM users u WHERE u.id = user_id)`;

/** The remembered browser with one of these hashes that this user got after `since`. */
export async function findRemembered(
  userId: string,
  hashes: readonly string[],
  since: Date,
): Promise<{ id: string; hash: string } | null> {
  if (hashes.length === 0) return null;
  const { marks, params } = inList('hash', hashes);
  const sql = `SELECT id, hash FROM remembered_devices
    WHERE hash IN (${marks}) AND user_id = :userId AND created_at > :since AND ${ofNow}`;
  const row = await readOne<Columns<'remembered_devices', 'id' | 'hash'>>(sql, {
    ...params,
    userId,
    since,
  });
  return row ?? null;
}

type Seen = { userAgent: string | null; address: string | null };

/**
 * Uses a remembered browser and gives it a new value: however many callers have the old value, one
 * succeeds.
 */
export async function takeRemembered(
  { id, hash }: { id: string; hash: string },
  next: string,
  seen: Seen,
  now: Date,
): Promise<'taken' | 'gone'> {
  const sql = `UPDATE remembered_devices SET hash = :next, last_used_at = :now, user_agent = :userAgent, address = :address
    WHERE id = :id AND hash = :hash AND ${ofNow} RETURNING id`;
  const rows = await write(sql, { id, hash, next, now, ...seen });
  return rows.length === 1 ? 'taken' : 'gone';
}

/** Notes the latest session that began in a browser. */
export async function noteSession(
  userId: string,
  hashes: readonly string[],
  sessionHash: string,
): Promise<void> {
  const { marks, params } = inList('hash', hashes);
  const sql = `UPDATE remembered_devices SET session_hash = :sessionHash WHERE user_id = :userId AND hash IN (${marks})`;
  await write(sql, { ...params, userId, sessionHash });
}

export type Remembered = Columns<
  'remembered_devices',
  'id' | 'hash' | 'userAgent' | 'address' | 'createdAt' | 'lastUsedAt'
>;

/** A user's remembered browsers that were added after `since`, the one used last first. */
export async function listRemembered(userId: string, since: Date): Promise<Remembered[]> {
  const sql = `SELECT id, hash, user_agent, address, created_at, last_used_at FROM remembered_devices
    WHERE user_id = :userId AND created_at > :since AND ${ofNow} ORDER BY last_used_at DESC, id DESC`;
  return read<Remembered>(sql, { userId, since });
}

/** Forgets one remembered browser of a user, or with `null` all of them. */
export async function forgetRemembered(
  userId: string,
  id: string | null,
  event: AuditEntry,
  now: Date,
): Promise<'forgotten' | 'none'> {
  const one = id === null ? '' : 'AND id = :id';
  const sql = `DELETE FROM remembered_devices WHERE user_id = :userId ${one} RETURNING id`;
  const params = { userId, ...(id !== null && { id }) };
  const rows = await writeTogether({ sql, params }, [auditing(event, now)]);
  return rows.length > 0 ? 'forgotten' : 'none';
}

/** The statement that forgets all of a user's browsers, for the same transaction as the reason. */
export const forgettingRemembered = (userId: string): Statement => forgettingRememberedOf([userId]);

/** The same for several users. */
export function forgettingRememberedOf(ids: readonly string[]): Statement {
  const { marks, params } = inList('id', ids);
  return { sql: `DELETE FROM remembered_devices WHERE user_id IN (${marks})`, params };
}

/** The statement that forgets the browser of a session that is ended from elsewhere. */
export const forgettingOfSession = (userId: string, hash: string): Statement => ({
  sql: 'DELETE FROM remembered_devices WHERE user_id = :userId AND session_hash = :hash',
  params: { userId, hash },
});

/** The statement that forgets all browsers except that of a session. */
export const forgettingOthers = (userId: string, hash: string): Statement => ({
  sql: `DELETE FROM remembered_devices WHERE user_id = :userId AND COALESCE(session_hash, '') <> :hash`,
  params: { userId, hash },
});
