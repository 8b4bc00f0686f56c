import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { write, writeTogether } from './engine/database.ts';

/** Gives a person new recovery codes, by digest; those from before are worth nothing. */
export async function replaceRecoveryCodes(
  userId: string,
  hashes: string[],
  event: AuditEntry,
  now: Date,
): Promise<void> {
  // Writing the person's row makes two replacements at once follow one another.
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

/** Uses a recovery code up: of any number of callers, one. */
export async function takeRecoveryCode(
  userId: string,
  hash: string,
  now: Date,
): Promise<'taken' | 'none'> {
  const sql =
    'UPDATE recovery_codes SET used_at = :now WHERE user_id = :userId AND hash = :hash AND used_at IS NULL RETURNING hash';
  return (await write(sql, { userId, hash, now })).length === 1 ? 'taken' : 'none';
}
