import type { ScopeRow } from '../oauth/scope.ts';
import { type AuditEntry, auditing } from './audit.ts';
import { hot, read, type Statement, write, writeTogether } from './database.ts';
import { raising } from './revision.ts';

/** Stores a new scope, unless the name exists. */
export async function storeScope(
  scope: ScopeRow,
  event: AuditEntry,
  now: Date,
): Promise<'stored' | 'taken'> {
  const sql = `INSERT INTO scopes (name, description, is_default, sensitive, created_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (name) DO NOTHING RETURNING name`;
  const params = [scope.name, scope.description, scope.isDefault, scope.sensitive, now];
  return (await writeTogether({ sql, params }, [raising(), auditing(event, now)])).length > 0
    ? 'stored'
    : 'taken';
}

/** Updates a scope, unless it has changed since it was read as `seen`. */
export async function changeScope(
  scope: ScopeRow,
  seen: ScopeRow,
  event: AuditEntry,
  now: Date,
): Promise<'done' | 'changed-meanwhile'> {
  const sql = `UPDATE scopes SET description = $2, is_default = $3, sensitive = $4
    WHERE name = $1 AND description = $5 AND is_default = $6 AND sensitive = $7 RETURNING name`;
  const before = [seen.description, seen.isDefault, seen.sensitive];
  const params = [scope.name, scope.description, scope.isDefault, scope.sensitive, ...before];
  return (await writeTogether({ sql, params }, [raising(), auditing(event, now)])).length > 0
    ? 'done'
    : 'changed-meanwhile';
}

/** SQL: a space-delimited column contains the name $1. */
function holds(column: string): string {
  const find = hot().kind === 'sqlite' ? 'instr' : 'strpos';
  return `${find}(' ' || ${column} || ' ', ' ' || $1 || ' ') > 0`;
}

/** Counts the clients that list a scope and the grants that include it. */
export async function countScopeUse(name: string): Promise<{ clients: number; grants: number }> {
  const sql = `SELECT (SELECT count(*) FROM clients WHERE ${holds('scopes')}) AS clients,
    (SELECT count(*) FROM grants WHERE ${holds('scopes')}) AS grants`;
  const [row] = await read<{ clients: number; grants: number }>(sql, [name]);
  return { clients: row?.clients ?? 0, grants: row?.grants ?? 0 };
}

/**
 * Deletes a scope from every client and grant, and revokes the codes and tokens that carry it.
 * Returns false if there is no such scope.
 */
export async function removeScope(name: string, event: AuditEntry, now: Date): Promise<boolean> {
  const without = (column: string) =>
    `${column} = trim(replace(' ' || ${column} || ' ', ' ' || $1 || ' ', ' '))`;
  const narrow = (table: string, ...columns: string[]): Statement => ({
    sql: `UPDATE ${table} SET ${columns.map(without).join(', ')}, updated_at = $2 WHERE ${holds('scopes')}`,
    params: [name, now],
  });
  const first = { sql: 'DELETE FROM scopes WHERE name = $1 RETURNING name', params: [name] };
  const removed = await writeTogether(first, [
    narrow('clients', 'scopes'),
    narrow('grants', 'scopes', 'remembered'),
    raising(),
    auditing(event, now),
  ]);
  await write(
    `UPDATE authorizations SET revoked_at = $2 WHERE revoked_at IS NULL AND ${holds('scope')}`,
    [name, now],
  );
  return removed.length > 0;
}
