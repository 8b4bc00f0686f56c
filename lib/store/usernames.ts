import { usernameGlance } from '../people/username-glance.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type Columns, isTaken, read, write, writeTogether } from './engine/database.ts';
import type { SqlValue, Statement } from './engine/statement.ts';

/** How long a released username stays reserved, in milliseconds. */
export const reservedFor = 365 * 24 * 3600_000;

/*
 * No one waits for people who want other names. Two who want the same name, or names that look
 * alike, conflict at an index of `users`.
 */

/**
 * SQL: no one else has this name, or has released it recently. Arguments are parameters. It is one
 * condition: while a name is being released, a statement sees who has it or that it is reserved.
 */
export function isUsernameFree(usernameKey: string, userId: string, since: string): string {
  return `NOT EXISTS (SELECT 1 FROM users AS holder
      WHERE holder.username_key = ${usernameKey} AND holder.id <> ${userId})
    AND NOT EXISTS (SELECT 1 FROM former_usernames f
      WHERE f.username_key = ${usernameKey} AND f.user_id <> ${userId} AND f.given_up_at > ${since})`;
}

/** SQL: no one else has a name that looks like this. Arguments are parameters. */
export function looksLikeNobody(usernameGlance: string, userId: string): string {
  return `NOT EXISTS (SELECT 1 FROM users AS seen
    WHERE seen.username_glance = ${usernameGlance} AND seen.id <> ${userId})`;
}

/** Whether someone else (anyone, without an id) has a name that looks like this. */
export async function looksTaken(username: string, userId: string | null): Promise<boolean> {
  const sql =
    'SELECT 1 AS found FROM users WHERE username_glance = :usernameGlance AND id <> :id LIMIT 1';
  return (
    (await read(sql, { usernameGlance: usernameGlance(username), id: userId ?? '' })).length > 0
  );
}

/**
 * Fills in the glance, which is what a name looks like, for names stored before it was kept. If the
 * names of several people look alike, one of them gets it; anyone else who wants such a name is
 * refused all the same.
 */
export async function fillGlances(): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await read<Columns<'users', 'id' | 'username'>>(
      'SELECT id, username FROM users WHERE username_glance IS NULL AND id > :after ORDER BY id LIMIT 500',
      { after },
    );
    for (const row of rows) await fillGlance(row);
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** A name that was changed meanwhile already has its glance. */
async function fillGlance({ id, username }: Columns<'users', 'id' | 'username'>): Promise<void> {
  const sql = `UPDATE users SET username_glance = :glance WHERE id = :id AND username = :username AND username_glance IS NULL
    AND ${looksLikeNobody(':glance', ':id')}`;
  try {
    await write(sql, { id, username, glance: usernameGlance(username) });
  } catch (error) {
    // Another server is filling in the same glance for another user.
    if (!isTaken(error)) throw error;
  }
}

/** Names released after this time are reserved. */
export function reservedSince(now: Date): Date {
  return new Date(now.getTime() - reservedFor);
}

/** Reserves a user's current name; runs before the name is released, in the same transaction. */
export function reservingName(userId: string, now: Date): Statement {
  const values = 'SELECT username_key, id, CAST(:now AS TIMESTAMPTZ) FROM users WHERE id = :userId';
  return reserving(values, { userId, now });
}

/**
 * The statements of a rename: they reserve the old name, and end the reservation of the new one.
 */
export function changingName(
  userId: string,
  before: string,
  after: string,
  now: Date,
): Statement[] {
  if (before === after) return [];
  const values = 'SELECT :before, :userId, CAST(:now AS TIMESTAMPTZ) WHERE TRUE';
  return [reserving(values, { before, userId, now }), takingName(after)];
}

/** Ends the reservation of a name that has been taken. */
export const takingName = (usernameKey: string): Statement => ({
  sql: 'DELETE FROM former_usernames WHERE username_key = :usernameKey RETURNING username_key',
  params: { usernameKey },
});

function reserving(values: string, params: Record<string, SqlValue>): Statement {
  const sql = `INSERT INTO former_usernames (username_key, user_id, given_up_at) ${values}
    ON CONFLICT (username_key) DO UPDATE SET user_id = excluded.user_id, given_up_at = excluded.given_up_at`;
  return { sql, params };
}

/** Until when a name is reserved from a user (or anyone, without an id); null if it isn't. */
export async function findReservation(
  usernameKey: string,
  userId: string | null,
  now: Date,
): Promise<Date | null> {
  const sql =
    'SELECT given_up_at FROM former_usernames WHERE username_key = :usernameKey AND user_id <> :userId';
  const [row] = await read<Columns<'former_usernames', 'givenUpAt'>>(sql, {
    usernameKey,
    userId: userId ?? '',
  });
  const until = row && new Date(row.givenUpAt.getTime() + reservedFor);
  return until && until > now ? until : null;
}

/** Ends a reservation early; false if there is none. */
export async function endNameReservation(
  usernameKey: string,
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  return (await writeTogether(takingName(usernameKey), [auditing(event, now)])).length > 0;
}
