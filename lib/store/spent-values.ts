import { write } from './engine/database.ts';

/** Spends a single-use value: of concurrent callers, exactly one gets 'spent-now'. */
export async function spendOnce(
  hash: string,
  expiresAt: Date,
): Promise<'spent-now' | 'spent-before'> {
  const sql =
    'INSERT INTO spent_values (hash, expires_at) VALUES (:hash, :expiresAt) ON CONFLICT (hash) DO NOTHING RETURNING hash';
  return (await write(sql, { hash, expiresAt })).length === 1 ? 'spent-now' : 'spent-before';
}
