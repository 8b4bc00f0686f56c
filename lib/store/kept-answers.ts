import { type Columns, orTaken, readOne, write } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';

/** The answer to a creation, for a client that sends the same request again. */
export type KeptAnswer = { request: string; answer: string };

/** How long an answer is kept, in milliseconds. */
const keptFor = 24 * 3600_000;
/**
 * The maximum number kept for one caller, and the total size in bytes from which on no more are
 * accepted.
 */
const mostAnswers = 10_000;
const mostBytes = 32 << 20;

/** The answer kept under a digest of a caller and their key. */
export async function findKeptAnswer(hash: string, now: Date): Promise<KeptAnswer | null> {
  const sql = 'SELECT request, answer FROM kept_answers WHERE hash = :hash AND expires_at > :now';
  const row = await readOne<Columns<'kept_answers', 'request' | 'answer'>>(sql, { hash, now });
  return row ?? null;
}

/**
 * Reserves the place of an answer, in the transaction whose result it is. 'taken': another request
 * has done so, and this one waited for it if need be; 'full': the maximum is kept for this caller.
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
  const rows = await write(sql, params).catch(orTaken);
  return rows === 'taken' ? rows : rows.length > 0 ? 'reserved' : 'full';
}

/** Writes the answer into its place. */
export async function fillAnswer(hash: string, answer: string): Promise<void> {
  await write('UPDATE kept_answers SET answer = :answer WHERE hash = :hash', { hash, answer });
}

/** The statement that forgets the answers kept for a caller that no longer exists. */
export const forgettingAnswers = (caller: string): Statement => ({
  sql: 'DELETE FROM kept_answers WHERE caller = :caller',
  params: { caller },
});
