import { newId } from '../oauth/secrets.ts';
import { date, read, write } from './database.ts';

/** So many wait at most: a mail server that is down must not fill the disk. */
const maxWaiting = 10_000;
const takenAtOnce = 5;

const insert = `
  INSERT INTO outgoing_mails (id, sealed, attempts, next_at, expires_at, created_at)
  SELECT $1, $2, 0, CAST($3 AS TIMESTAMPTZ), CAST($4 AS TIMESTAMPTZ), CAST($3 AS TIMESTAMPTZ)
  WHERE (SELECT count(*) FROM (SELECT 1 FROM outgoing_mails LIMIT ${maxWaiting}) AS waiting) < ${maxWaiting}
  RETURNING id`;

/** Puts a mail into the queue; nobody wants it any more after `expiresAt`. */
export async function storeMail(
  sealed: string,
  expiresAt: Date,
  now: Date,
): Promise<'stored' | 'full'> {
  return (await write(insert, [newId(now), sealed, now, expiresAt])).length === 1
    ? 'stored'
    : 'full';
}

export type WaitingMail = { id: string; sealed: string; attempts: number; expiresAt: Date };

const due = 'next_at <= $1 AND shown_at IS NULL AND expires_at > $1';
const take = `
  UPDATE outgoing_mails SET attempts = attempts + 1, next_at = $2
  WHERE ${due} AND id IN (SELECT id FROM outgoing_mails WHERE ${due} ORDER BY next_at LIMIT ${takenAtOnce})
  RETURNING id, sealed, attempts, expires_at`;

/** Takes some of the mails that are due, for this process alone until `retryAt`: should it end before it is done, another goes on. */
export async function takeMails(now: Date, retryAt: Date): Promise<WaitingMail[]> {
  return (await write(take, [now, retryAt])).map((row) => ({
    id: String(row.id),
    sealed: String(row.sealed),
    attempts: Number(row.attempts),
    expiresAt: date(row.expires_at),
  }));
}

/** Tries again later. */
export async function postponeMail(id: string, until: Date): Promise<void> {
  await write('UPDATE outgoing_mails SET next_at = $2 WHERE id = $1', [id, until]);
}

/** Sent, or given up. */
export async function dropMail(id: string): Promise<void> {
  await write('DELETE FROM outgoing_mails WHERE id = $1', [id]);
}

/** Keeps what would have been sent, for the outbox. */
export async function keepShown(id: string, sealed: string, until: Date, now: Date): Promise<void> {
  await write(
    'UPDATE outgoing_mails SET sealed = $2, shown_at = $3, expires_at = $4 WHERE id = $1',
    [id, sealed, now, until],
  );
}

export type ShownMail = { id: string; sealed: string; shownAt: Date };

/** The mails of the outbox, the latest first. */
export async function listShown(now: Date): Promise<ShownMail[]> {
  const sql = `SELECT id, sealed, shown_at FROM outgoing_mails
    WHERE shown_at IS NOT NULL AND expires_at > $1 ORDER BY shown_at DESC, id DESC LIMIT 100`;
  return (await read(sql, [now])).map((row) => ({
    id: String(row.id),
    sealed: String(row.sealed),
    shownAt: date(row.shown_at),
  }));
}
