import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type Columns, read, writeTogether } from './engine/database.ts';

/** The kinds of notice a person does not want by mail. */
export async function readNoticesOff(userId: string): Promise<string[]> {
  const [row] = await read<Columns<'users', 'noticesOff'>>(
    'SELECT notices_off FROM users WHERE id = :userId',
    { userId },
  );
  return (row?.noticesOff ?? '').split(' ').filter(Boolean);
}

/**
 * Stores the kinds that a person does not want, with the event. If they are the same as before,
 * neither is stored.
 */
export async function storeNoticesOff(
  userId: string,
  kinds: readonly string[],
  event: AuditEntry,
  now: Date,
): Promise<void> {
  const sql = `UPDATE users SET notices_off = :noticesOff
    WHERE id = :userId AND COALESCE(notices_off, '') <> :noticesOff RETURNING id`;
  await writeTogether({ sql, params: { userId, noticesOff: kinds.join(' ') } }, [
    auditing(event, now),
  ]);
}

/** The maximum number of admins who are notified of something. */
const mostTold = 20;

/** Ids of the admins who are notified of what waits for them. */
export async function adminsToTell(): Promise<string[]> {
  const sql = `SELECT id FROM users WHERE is_admin AND disabled_at IS NULL ORDER BY id LIMIT ${mostTold}`;
  return (await read<Columns<'users', 'id'>>(sql, {})).map(({ id }) => id);
}
