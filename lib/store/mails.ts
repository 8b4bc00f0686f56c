import { newId } from '../oauth/secrets.ts';
import { type Columns, read, write } from './engine/database.ts';
import { type Waiting, waitingTable } from './engine/queue.ts';
import type { Statement } from './engine/statement.ts';

/** The maximum number of waiting mails: a mail server that is down must not fill the disk. */
const maxWaiting = 10_000;

const insert = `
  INSERT INTO outgoing_mails (id, sealed, attempts, next_at, expires_at, created_at)
  SELECT :id, :sealed, 0, CAST(:now AS TIMESTAMPTZ), CAST(:expiresAt AS TIMESTAMPTZ), CAST(:now AS TIMESTAMPTZ)
  WHERE (SELECT count(*) FROM (SELECT 1 FROM outgoing_mails LIMIT ${maxWaiting}) AS waiting) < ${maxWaiting}
  RETURNING id`;

/** Puts a mail into the queue; it is of no use after `expiresAt`. */
export async function storeMail(
  sealed: string,
  expiresAt: Date,
  now: Date,
): Promise<'stored' | 'full'> {
  const { sql, params } = storingMail(sealed, expiresAt, now);
  return (await write(sql, params)).length === 1 ? 'stored' : 'full';
}

/** The statement for `storeMail`. */
export function storingMail(sealed: string, expiresAt: Date, now: Date): Statement {
  return { sql: insert, params: { id: newId(now), sealed, now, expiresAt } };
}

/** Whether so many mails wait that bulk mailings should pause. */
export async function areMailsBehind(): Promise<boolean> {
  const sql = `SELECT count(*) AS waiting FROM (SELECT 1 FROM outgoing_mails WHERE shown_at IS NULL LIMIT ${behind}) AS few`;
  const [row] = await read<{ waiting: number }>(sql, {});
  return (row?.waiting ?? 0) >= behind;
}

/** A mail that a user is waiting for is never behind more than this many. */
const behind = 100;

export type WaitingMail = Waiting & Columns<'outgoing_mails', 'id' | 'sealed' | 'expiresAt'>;

/** The mails that wait to be sent. */
export const waitingMails = waitingTable<WaitingMail>({
  table: 'outgoing_mails',
  key: ['id'],
  columns: ['sealed', 'expires_at'],
  waits: 'shown_at IS NULL AND expires_at > :now',
  batch: 5,
});

/** Keeps what would have been sent, for the outbox. */
export async function keepInOutbox(
  id: string,
  sealed: string,
  until: Date,
  now: Date,
): Promise<void> {
  await write(
    'UPDATE outgoing_mails SET sealed = :sealed, shown_at = :now, expires_at = :until WHERE id = :id',
    { id, sealed, now, until },
  );
}

type ShownMail = { id: string; sealed: string; shownAt: Date };

/** The mails of the outbox, the latest first. */
export async function listOutbox(now: Date): Promise<ShownMail[]> {
  const sql = `SELECT id, sealed, shown_at FROM outgoing_mails
    WHERE shown_at IS NOT NULL AND expires_at > :now ORDER BY shown_at DESC, id DESC LIMIT 100`;
  return read<ShownMail>(sql, { now });
}
