import type { ScopeRow } from '../oauth/scope.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { read, writeTogether } from './engine/database.ts';
import { distinctMoment } from './engine/distinct-moment.ts';
import { holds } from './engine/parameters.ts';
import { lookingAgain, raising } from './engine/revision.ts';
import type { Statement } from './engine/statement.ts';
import { endingSensitive } from './scope-endings.ts';

/** Stores a new scope, unless the name exists, or an API or one of its scopes has it. */
export async function storeScope(
  scope: ScopeRow,
  event: AuditEntry,
  now: Date,
): Promise<'stored' | 'taken'> {
  const sql = `INSERT INTO scopes (name, ${columns.map(([column]) => column).join(', ')}, created_at)
    SELECT :name, ${columns.map(([, value]) => value).join(', ')}, CAST(:at AS TIMESTAMPTZ)
    WHERE ${noApiIsCalledSo} ON CONFLICT (name) DO NOTHING RETURNING name`;
  const params = { ...columnsOf(scope), at: distinctMoment(now) };
  const again = lookingAgain(noApiIsCalledSo, { name: scope.name });
  const then = [raising(), again, auditing(event, now)];
  return (await writeTogether({ sql, params }, then)).length > 0 ? 'stored' : 'taken';
}

const noApiIsCalledSo = `NOT EXISTS (SELECT 1 FROM api_scopes WHERE name = :name)
  AND NOT EXISTS (SELECT 1 FROM apis WHERE identifier = :name OR substr(:name, 1, length(identifier) + 1) = identifier || '#')`;

/**
 * Updates a scope, unless it has changed since it was read as `seen`. A scope that becomes
 * sensitive is taken from the clients without a list of scopes.
 */
export async function changeScope(
  scope: ScopeRow,
  seen: ScopeRow,
  event: AuditEntry,
  now: Date,
): Promise<'done' | 'changed-meanwhile'> {
  const sets = columns.map(([column, value]) => `${column} = ${value}`);
  const sql = `UPDATE scopes SET ${sets.join(', ')}
    WHERE name = :name ${asSeen} RETURNING name`;
  const params = { ...columnsOf(scope), ...asSeenOf(seen) };
  const becomesSensitive = scope.sensitive && !seen.sensitive;
  const changed = await writeTogether(
    { sql, params },
    [
      ...(becomesSensitive ? endingSensitive(scope.name, now) : []),
      raising(),
      auditing(event, now),
    ],
    becomesSensitive ? [holdingScope(scope.name)] : [],
  );
  return changed.length > 0 ? 'done' : 'changed-meanwhile';
}

/** PostgreSQL: locks the scope, so that no grant and no field of people gets it meanwhile. */
const holdingScope = (name: string): Statement => ({
  sql: 'SELECT name FROM scopes WHERE name = :name FOR UPDATE',
  params: { name },
});

/**
 * What is stored of a scope: each column with the value that a statement gives it. A field missing
 * here does not compile.
 */
const columnOf: Record<keyof Omit<ScopeRow, 'name'>, [column: string, value: string]> = {
  description: ['description', ':description'],
  translations: ['translations', ':translations'],
  isDefault: ['is_default', 'CAST(:isDefault AS BOOLEAN)'],
  sensitive: ['sensitive', 'CAST(:sensitive AS BOOLEAN)'],
};
const columns = Object.values(columnOf);

/** A scope as statements store it. */
const columnsOf = (scope: ScopeRow) => ({
  ...scope,
  translations: JSON.stringify(scope.translations),
});

const seenName = (field: string) => `seen_${field}`;

/** SQL: a scope is as it was seen. */
const asSeen = Object.entries(columnOf)
  .map(([field, [column]]) => `AND ${column} IS NOT DISTINCT FROM :${seenName(field)}`)
  .join(' ');

const asSeenOf = (seen: ScopeRow) =>
  Object.fromEntries(
    Object.entries(columnsOf(seen)).map(([field, value]) => [seenName(field), value]),
  );

/** SQL: a list of scopes contains `:name`. */
const holdsIt = (column: string) => holds(column, ':name');

/** Counts the clients that list a scope and the grants that include it. */
export async function countScopeUse(name: string): Promise<{ clients: number; grants: number }> {
  const sql = `SELECT (SELECT count(*) FROM clients WHERE ${holdsIt('scopes')}) AS clients,
    (SELECT count(*) FROM grants WHERE ${holdsIt('scopes')}) AS grants`;
  const [row] = await read<{ clients: number; grants: number }>(sql, { name });
  return { clients: row?.clients ?? 0, grants: row?.grants ?? 0 };
}

/**
 * Deletes a scope from every client and grant, revokes the codes and tokens that carry it, and ends
 * devices that ask for it. Returns false if there is no such scope, fields of people belong to it,
 * or it has changed since it was read as `seen`.
 */
export async function removeScope(
  name: string,
  event: AuditEntry,
  now: Date,
  seen?: ScopeRow,
): Promise<boolean> {
  const without = (column: string) =>
    `${column} = trim(replace(' ' || ${column} || ' ', ' ' || :name || ' ', ' '))`;
  const narrow = (table: string, ...columns: string[]): Statement => ({
    sql: `UPDATE ${table} SET ${columns.map(without).join(', ')}, updated_at = :now WHERE ${holdsIt('scopes')}`,
    params: { name, now },
  });
  const sql = `DELETE FROM scopes WHERE name = :name
    AND NOT EXISTS (SELECT 1 FROM user_fields WHERE scope = :name) ${seen ? asSeen : ''} RETURNING name`;
  const along: Statement[] = [
    narrow('clients', 'scopes'),
    narrow('grants', 'scopes', 'remembered'),
    {
      sql: `UPDATE authorizations SET revoked_at = :now WHERE revoked_at IS NULL AND ${holdsIt('scope')}`,
      params: { name, now },
    },
    { sql: `DELETE FROM device_authorizations WHERE ${holdsIt('scope')}`, params: { name } },
    raising(),
    auditing(event, now),
  ];
  const removed = await writeTogether(
    { sql, params: { name, ...(seen && asSeenOf(seen)) } },
    along,
    [holdingScope(name)],
  );
  return removed.length > 0;
}
