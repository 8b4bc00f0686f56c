import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { write, writeTogether } from './engine/database.ts';

/** Gives a user new recovery codes, by digest; the old ones become worthless. */
export async function replaceRecoveryCodes(
  userId: string,
  hashes: string[],
  event: AuditEntry,
  now: Date,
): Promise<void> {
  // Writing the user's row makes concurrent replacements run one after the other.
  const first = {
    sql: 'UPDATE users SET updated_at = updated_at WHERE id = :userId RETURNING id',
    params: { userId },
  };
  const clear = { sql: 'DELETE FROM recovery_codes WHERE user_id = :userId', params: { userId } };
  const rows = hashes.map((hash) => ({
    sql: 'INSERT INTO recovery_codes (hash, user_id, created_at) VALUES (:hash, :userId, :now)',
    params: { hash, userId, now },
  }));
  await writeTogether(first, [clear, ...rows, auditing(event, now)]);
}

/** Uses up a recovery code: however many callers try, one gets it. */
export async function takeRecoveryCode(
  userId: string,
  hash: string,
  now: Date,
): Promise<'taken' | 'none'> {
  const sql =
    'UPDATE recovery_codes SET used_at = :now WHERE user_id = :userId AND hash = :hash AND used_at IS NULL RETURNING hash';
  return (await write(sql, { userId, hash, now })).length === 1 ? 'taken' : 'none';
}
