import { write, writeTogether } from './engine/database.ts';
import type { Row, Statement } from './engine/statement.ts';

/** A value that can be used once, and until when its use has to be remembered. */
export type SingleUse = { hash: string; expiresAt: Date };

/** The statement that spends a single-use value; it gives a row if it was not spent before. */
export const spending = (hash: string, expiresAt: Date): Statement => ({
  sql: 'INSERT INTO spent_values (hash, expires_at) VALUES (:hash, :expiresAt) ON CONFLICT (hash) DO NOTHING RETURNING hash',
  params: { hash, expiresAt },
});

/** Spends a single-use value: of concurrent callers, exactly one gets 'spent-now'. */
export async function spendOnce(
  hash: string,
  expiresAt: Date,
): Promise<'spent-now' | 'spent-before'> {
  const { sql, params } = spending(hash, expiresAt);
  return (await write(sql, params)).length === 1 ? 'spent-now' : 'spent-before';
}

/**
 * Runs a statement and spends values with it, or does neither. No rows if the statement gives none,
 * or if a value is spent elsewhere at this moment. The statement itself has to check whether one
 * was spent before: on SQLite a unit that is undone costs the writes beside it
 * their shared transaction.
 */
export function writeUsing<R extends object = Row>(
  statement: Statement,
  uses: readonly SingleUse[],
): Promise<R[]> {
  const then = uses.map(
    ({ hash, expiresAt }) => ({ ...spending(hash, expiresAt), must: true }) as const,
  );
  return writeTogether<R>(statement, then);
}
