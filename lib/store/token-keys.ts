import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type Columns, read, write, writeTogether } from './engine/database.ts';
import { raising } from './engine/revision.ts';
import type { Statement } from './engine/statement.ts';

/** A key that codes and tokens are authenticated with, as stored. */
export type TokenKeyRow = Columns<'token_keys', 'id' | 'sealed' | 'createdAt' | 'retiredAt'>;

/** All of them, newest first. */
export function listTokenKeys(): Promise<TokenKeyRow[]> {
  const sql = 'SELECT id, sealed, created_at, retired_at FROM token_keys ORDER BY id DESC';
  return read<TokenKeyRow>(sql, {});
}

/** Stores a key and retires the others; false if another process stored this id first. */
export async function storeTokenKey(key: Omit<TokenKeyRow, 'retiredAt'>): Promise<boolean> {
  const first: Statement = {
    sql: 'INSERT INTO token_keys (id, sealed, created_at) VALUES (:id, :sealed, :createdAt) ON CONFLICT DO NOTHING RETURNING id',
    params: key,
  };
  const retire: Statement = {
    sql: 'UPDATE token_keys SET retired_at = :createdAt WHERE id <> :id AND retired_at IS NULL',
    params: key,
  };
  return (await writeTogether(first, [retire, raising()])).length > 0;
}

/** Stores a key after it was sealed again. */
export async function resealTokenKey(id: number, sealed: string): Promise<void> {
  await write('UPDATE token_keys SET sealed = :sealed WHERE id = :id', { id, sealed });
}

/** Deletes a key, effective in every process for the next request. False if it doesn't exist. */
export async function deleteTokenKey(id: number, event: AuditEntry, now: Date): Promise<boolean> {
  const sql = 'DELETE FROM token_keys WHERE id = :id RETURNING id';
  const then = [raising(), auditing(event, now)];
  return (await writeTogether({ sql, params: { id } }, then)).length > 0;
}

/**
 * Deletes the keys that were retired before `before`, once no authorization is left that they may
 * have made something for. The ids of authorizations begin with their time. A key was still in use
 * for `overlap` milliseconds after it was retired.
 */
export async function deleteTokenKeys(before: Date, overlap: number): Promise<void> {
  for (const { id, retiredAt } of await listTokenKeys()) {
    if (!retiredAt || retiredAt >= before) continue;
    const unused = (retiredAt.getTime() + overlap).toString(16).padStart(12, '0');
    const sql = `DELETE FROM token_keys WHERE id = :id
      AND NOT EXISTS (SELECT 1 FROM authorizations a WHERE a.id < :unused) RETURNING id`;
    await writeTogether({ sql, params: { id, unused } }, [raising()]);
  }
}
