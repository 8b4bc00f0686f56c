import { type Columns, read } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';

/*
 * Client secrets that were ended by hand. Their digests are kept for ever in spent_values, because
 * an ended secret may have leaked.
 */

const mark = 'ended-secret ';
const forGood = new Date('9999-01-01T00:00:00Z');

/** Remembers all secrets that a client has, before they are dropped. */
export const endingSecrets = (clientId: string): Statement => ({
  sql: `INSERT INTO spent_values (hash, expires_at) SELECT '${mark}' || hash, CAST(:forGood AS TIMESTAMPTZ)
    FROM client_secrets WHERE client_id = :clientId ON CONFLICT (hash) DO NOTHING`,
  params: { clientId, forGood },
});

/** Remembers one secret. */
export const endingSecret = (hash: string): Statement => ({
  sql: 'INSERT INTO spent_values (hash, expires_at) VALUES (:hash, :forGood) ON CONFLICT (hash) DO NOTHING',
  params: { hash: `${mark}${hash}`, forGood },
});

/** Those that were not ended by hand. */
export async function withoutEnded(hashes: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const hash of hashes) {
    const sql = 'SELECT hash FROM spent_values WHERE hash = :hash';
    const rows = await read<Columns<'spent_values', 'hash'>>(sql, { hash: `${mark}${hash}` });
    if (rows.length === 0) found.push(hash);
  }
  return found;
}
