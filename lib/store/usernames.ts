import { type AuditEntry, auditing } from './audit.ts';
import { type Columns, read, type SqlValue, type Statement, writeTogether } from './database.ts';

/** So long a name that somebody gave up is kept from everybody else, in milliseconds. */
export const reservedFor = 365 * 24 * 3600_000;

const names = 'pg_advisory_xact_lock(721146)';

/**
 * Names are given and given up one after another (PostgreSQL; on SQLite every write waits for the
 * one before): whoever wants a name that is being given up has to see that it is reserved.
 */
export const lockNames = `SELECT ${names}`;

/** The same lock, behind one on rows. */
export const lockNamesAfter = (lock: string) =>
  `SELECT ${names} FROM (SELECT count(*) FROM (${lock}) AS locked) AS counted`;

/** SQL for: nobody else has given this name up lately. Each stands for a parameter. */
export function isFree(usernameKey: string, userId: string, since: string): string {
  return `NOT EXISTS (SELECT 1 FROM former_usernames f
    WHERE f.username_key = ${usernameKey} AND f.user_id <> ${userId} AND f.given_up_at > ${since})`;
}

/** The moment since which names that were given up are reserved. */
export function reservedSince(now: Date): Date {
  return new Date(now.getTime() - reservedFor);
}

/** Keeps the name that a person has from others; to stand before its end, in one transaction with that. */
export function reservingName(userId: string, now: Date): Statement {
  const values = 'SELECT username_key, id, CAST($2 AS TIMESTAMPTZ) FROM users WHERE id = $1';
  return reserving(values, [userId, now]);
}

/** What goes along with another name: the old one is kept from others, the new one no longer is. */
export function changingName(
  userId: string,
  before: string,
  after: string,
  now: Date,
): Statement[] {
  if (before === after) return [];
  const values = 'SELECT $1, $2, CAST($3 AS TIMESTAMPTZ) WHERE TRUE';
  return [reserving(values, [before, userId, now]), takingName(after)];
}

/** Ends the reservation of a name that somebody got. */
export const takingName = (usernameKey: string): Statement => ({
  sql: 'DELETE FROM former_usernames WHERE username_key = $1 RETURNING username_key',
  params: [usernameKey],
});

function reserving(values: string, params: SqlValue[]): Statement {
  const sql = `INSERT INTO former_usernames (username_key, user_id, given_up_at) ${values}
    ON CONFLICT (username_key) DO UPDATE SET user_id = excluded.user_id, given_up_at = excluded.given_up_at`;
  return { sql, params };
}

/** Until when a name is kept from somebody, who is nobody yet where there is no id; null: it is not. */
export async function findReservation(
  usernameKey: string,
  userId: string | null,
  now: Date,
): Promise<Date | null> {
  const sql = 'SELECT given_up_at FROM former_usernames WHERE username_key = $1 AND user_id <> $2';
  const [row] = await read<Columns<'former_usernames', 'given_up_at'>>(sql, [
    usernameKey,
    userId ?? '',
  ]);
  const until = row && new Date(row.given_up_at.getTime() + reservedFor);
  return until && until > now ? until : null;
}

/** Ends a reservation early; false: there is none. */
export async function freeName(
  usernameKey: string,
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  return (await writeTogether(takingName(usernameKey), [auditing(event, now)])).length > 0;
}
