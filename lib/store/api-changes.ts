import { type Api, type ApiScope, consentWord } from '../oauth/api.ts';
import { newId } from '../oauth/secrets.ts';
import { endingApi, endingApiScope, endingAsks } from './api-endings.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { laterThan, locking, writeTogether } from './engine/database.ts';
import { raising, raisingFrom } from './engine/revision.ts';
import type { Statement } from './engine/statement.ts';

/** The maximum number of APIs, and of clients of each kind that an API may list. */
export const mostApis = 500;
export const mostClientsOfApi = 200;

/** What an admin decides about an API. */
export type ApiSettings = Omit<Api, 'id'>;
export type ApiClientKind = 'asks' | 'serves';

/** SQL: nothing that the request was judged on has changed. */
const stillAt = '(SELECT value FROM revision WHERE id = 1) = CAST(:revision AS BIGINT)';

/** Stores a new API, unless something it was judged on has changed since the revision. */
export async function storeApi(
  api: ApiSettings,
  revision: number,
  eventOf: (id: string) => AuditEntry,
  now: Date,
): Promise<{ id: string } | 'changed-meanwhile'> {
  const id = newId(now);
  const sql = `INSERT INTO apis (id, ${columns.map(([column]) => column).join(', ')}, created_at, updated_at)
    SELECT :id, ${columns.map(([, value]) => value).join(', ')}, CAST(:now AS TIMESTAMPTZ), CAST(:now AS TIMESTAMPTZ)
    WHERE ${stillAt} ON CONFLICT (identifier) DO NOTHING RETURNING id`;
  const first = { sql, params: { id, ...columnsOf(api), now, revision } };
  const then = [
    ...scopeStatements(id, api.scopes),
    ...api.askedBy.map((clientId) => listing(id, 'asks', clientId, now)),
    ...api.servedBy.map((clientId) => listing(id, 'serves', clientId, now)),
    raisingFrom(revision),
    auditing(eventOf(id), now),
  ];
  const stored = await writeTogether(first, then);
  return stored.length > 0 ? { id } : 'changed-meanwhile';
}

function columnsOf(api: ApiSettings) {
  const { scopes: _, askedBy: _asked, servedBy: _served, ...own } = api;
  return own;
}

/**
 * What an admin decides: each column with the value that a statement gives it. A field missing here
 * does not compile.
 */
const columnOf: Record<keyof ReturnType<typeof columnsOf>, [column: string, value: string]> = {
  identifier: ['identifier', ':identifier'],
  name: ['name', ':name'],
  description: ['description', ':description'],
  tokenFormat: ['token_format', ':tokenFormat'],
  accessTokenTtl: ['access_token_ttl', 'CAST(:accessTokenTtl AS INTEGER)'],
  access: ['access', ':access'],
};
const columns = Object.values(columnOf);

function scopeStatements(apiId: string, scopes: readonly ApiScope[]): Statement[] {
  const sql =
    'INSERT INTO api_scopes (api_id, name, description, translations, position) VALUES (:apiId, :name, :description, :translations, :position)';
  return scopes.map(({ name, description, translations }, position) => ({
    sql,
    params: { apiId, name, description, translations: JSON.stringify(translations), position },
  }));
}

/**
 * Lists a client if it exists. As the API itself (`serves`), only a confidential client is listed.
 */
function listing(apiId: string, kind: ApiClientKind, clientId: string, now: Date): Statement {
  const which = kind === 'serves' ? `AND c.type = 'confidential'` : '';
  const sql = `INSERT INTO api_clients (api_id, client_id, kind, created_at)
    SELECT :apiId, c.id, :kind, CAST(:now AS TIMESTAMPTZ) FROM clients c WHERE c.id = :clientId ${which} ON CONFLICT DO NOTHING`;
  return { sql, params: { apiId, clientId, kind, now } };
}

/** An API as it was judged: the record, and the revision it was read at. */
type JudgedApi = { before: Api & { updatedAt: Date }; revision: number };

/**
 * Changes an API, unless something it was judged on has changed. This ends what was issued for
 * scopes that the API no longer has, and to clients that may no longer ask for it.
 */
export async function changeApi(
  { before, revision }: JudgedApi,
  after: ApiSettings,
  event: AuditEntry,
  now: Date,
): Promise<'done' | 'changed-meanwhile'> {
  const { id, identifier } = before;
  const sets = columns.map(([column, value]) => `${column} = ${value}`);
  const sql = `UPDATE apis SET ${sets.join(', ')}, updated_at = ${laterThan('updated_at', ':now')}
    WHERE id = :id AND updated_at = :seen AND ${stillAt} RETURNING id`;
  const seen = before.updatedAt;
  const params = { id, ...columnsOf(after), now, seen, revision };
  const kept = after.scopes.map(({ name }) => name);
  const had = before.scopes.map(({ name }) => name);
  const gone = had.filter((name) => !kept.includes(name));
  // Another API of an authorization may have a scope of this name, which was never agreed to for
  // this API.
  const added = kept.filter((name) => !had.includes(name));
  const then = [
    { sql: 'DELETE FROM api_scopes WHERE api_id = :id', params: { id } },
    ...scopeStatements(id, after.scopes),
    ...[...gone, ...added].flatMap((name) => endingApiScope(identifier, name, now)),
    ...(after.access === before.access ? [] : [endingAsks(before, now)]),
    raisingFrom(revision),
    auditing(event, now),
  ];
  return (await writeTogether({ sql, params }, then)).length > 0 ? 'done' : 'changed-meanwhile';
}

type OnList = { kind: ApiClientKind; clientIds: readonly string[] };

/** Adds clients to a list, and stores their events. False: there is no such API. */
export async function addClients(
  apiId: string,
  { kind, clientIds }: OnList,
  events: readonly AuditEntry[],
  now: Date,
): Promise<boolean> {
  const then = [
    ...clientIds.map((clientId) => listing(apiId, kind, clientId, now)),
    raising(),
    ...events.map((event) => auditing(event, now)),
  ];
  return (await writeTogether(holding(apiId), then)).length > 0;
}

/**
 * Stops listing clients, and ends what was issued to those that may no longer ask. False: there is
 * no such API.
 */
export async function removeClients(
  api: Pick<Api, 'id' | 'identifier'>,
  { kind, clientIds }: OnList,
  events: readonly AuditEntry[],
  now: Date,
): Promise<boolean> {
  const sql =
    'DELETE FROM api_clients WHERE api_id = :id AND client_id = :clientId AND kind = :kind';
  const then = [
    ...clientIds.map((clientId) => ({ sql, params: { id: api.id, clientId, kind } })),
    ...(kind === 'asks' ? [endingAsks(api, now)] : []),
    raising(),
    ...events.map((event) => auditing(event, now)),
  ];
  return (await writeTogether(holding(api.id), then)).length > 0;
}

/** The API, locked on PostgreSQL until the change is over. */
function holding(apiId: string): Statement {
  return {
    sql: `SELECT id FROM apis WHERE id = :apiId ${locking('FOR UPDATE')}`,
    params: { apiId },
  };
}

/**
 * Deletes an API, with what people allowed at it and what was issued for it. False: it does not
 * exist, or has changed since `seen`.
 */
export async function removeApi(
  api: Pick<Api, 'id' | 'identifier' | 'scopes'>,
  event: AuditEntry,
  now: Date,
  seen?: Date,
): Promise<boolean> {
  const sql = `DELETE FROM apis WHERE id = :id
    AND updated_at = COALESCE(CAST(:seen AS TIMESTAMPTZ), updated_at) RETURNING id`;
  const words = [api.identifier, ...api.scopes.map(({ name }) => consentWord(api, name))];
  const then = [...endingApi(api.identifier, words, now), raising(), auditing(event, now)];
  const params = { id: api.id, seen: seen ?? null };
  return (await writeTogether({ sql, params }, then)).length > 0;
}
