import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type Columns, read, write, writeTogether } from './engine/database.ts';
import { raising } from './engine/revision.ts';
import type { Statement } from './engine/statement.ts';

/** A key that codes and tokens are authenticated with, as stored. */
export type TokenKeyRow = Columns<'token_keys', 'id' | 'sealed' | 'createdAt' | 'retiredAt'>;

/** All of them, the newest first. */
export function listTokenKeys(): Promise<TokenKeyRow[]> {
  const sql = 'SELECT id, sealed, created_at, retired_at FROM token_keys ORDER BY id DESC';
  return read<TokenKeyRow>(sql, {});
}

/** Stores a key and retires the others; false: another process was first with this id. */
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

/** Stores a key under another seal. */
export async function resealTokenKey(id: number, sealed: string): Promise<void> {
  await write('UPDATE token_keys SET sealed = :sealed WHERE id = :id', { id, sealed });
}

/** Deletes a key, in force in every process for the next request. False: there is no such one. */
export async function deleteTokenKey(id: number, event: AuditEntry, now: Date): Promise<boolean> {
  const sql = 'DELETE FROM token_keys WHERE id = :id RETURNING id';
  const then = [raising(), auditing(event, now)];
  return (await writeTogether({ sql, params: { id } }, then)).length > 0;
}

/**
 * Deletes the keys that were retired before `before`, when no authorization is left that they may
 * have made something for: ids begin with their time. For `overlap` milliseconds after it was
 * retired a key was still in use.
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
