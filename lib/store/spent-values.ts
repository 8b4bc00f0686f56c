import { write } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';

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
