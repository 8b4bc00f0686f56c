import { type Columns, isTaken, readOne, write } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';

/** What a creation was answered, for whoever sends the same again. */
export type KeptAnswer = { request: string; answer: string };

/** How long it is kept, in milliseconds. */
const keptFor = 24 * 3600_000;
/** How many are kept for one caller, and how long they may be together when another one comes. */
const mostAnswers = 10_000;
const mostBytes = 32 << 20;

/** What is kept under a digest of a caller and their key. */
export async function findKeptAnswer(hash: string, now: Date): Promise<KeptAnswer | null> {
  const sql = 'SELECT request, answer FROM kept_answers WHERE hash = :hash AND expires_at > :now';
  const row = await readOne<Columns<'kept_answers', 'request' | 'answer'>>(sql, { hash, now });
  return row ?? null;
}

/**
 * Takes the place of an answer, in the transaction of what it will answer. 'taken': somebody has made
 * it, if need be after waiting for them; 'full': as many are kept for this caller as may be.
 */
export async function reserveAnswer(
  hash: string,
  caller: string,
  request: string,
  now: Date,
): Promise<'reserved' | 'taken' | 'full'> {
  await write('DELETE FROM kept_answers WHERE hash = :hash AND expires_at <= :now', { hash, now });
  const sql = `INSERT INTO kept_answers (hash, caller, request, answer, expires_at)
    SELECT :hash, :caller, :request, '', CAST(:expiresAt AS TIMESTAMPTZ)
    WHERE (SELECT COUNT(*) < ${mostAnswers} AND COALESCE(SUM(OCTET_LENGTH(answer)), 0) < ${mostBytes}
      FROM kept_answers WHERE caller = :caller) RETURNING hash`;
  const params = { hash, caller, request, expiresAt: new Date(now.getTime() + keptFor) };
  try {
    return (await write(sql, params)).length > 0 ? 'reserved' : 'full';
  } catch (error) {
    if (isTaken(error)) return 'taken';
    throw error;
  }
}

/** Writes the answer to its place. */
export async function fillAnswer(hash: string, answer: string): Promise<void> {
  await write('UPDATE kept_answers SET answer = :answer WHERE hash = :hash', { hash, answer });
}

/** The statement that forgets what is kept for a caller who has ended. */
export const forgettingAnswers = (caller: string): Statement => ({
  sql: 'DELETE FROM kept_answers WHERE caller = :caller',
  params: { caller },
});
