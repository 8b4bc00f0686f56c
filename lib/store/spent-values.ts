import { write, writeTogether } from './engine/database.ts';
import type { Row, Statement } from './engine/statement.ts';

/** A value that is good once, until when that has to be known. */
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
 * Runs a statement and spends a value with it, or neither: no rows where the statement has none, or where
 * somebody spends the value in this instant. Whether it was spent before the statement asks itself: on
 * SQLite a unit that is undone costs the writes beside it their shared transaction.
 */
export function writeUsing<R extends object = Row>(
  statement: Statement,
  { hash, expiresAt }: SingleUse,
): Promise<R[]> {
  return writeTogether<R>(statement, [{ ...spending(hash, expiresAt), must: true }]);
}
