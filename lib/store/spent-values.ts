import { write } from './database.ts';

/** Notes that a value that may serve once has served: of any number of callers, one is told 'spent-now'. */
export async function spendOnce(
  hash: string,
  expiresAt: Date,
): Promise<'spent-now' | 'spent-before'> {
  const sql =
    'INSERT INTO spent_values (hash, expires_at) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING RETURNING hash';
  return (await write(sql, [hash, expiresAt])).length === 1 ? 'spent-now' : 'spent-before';
}
