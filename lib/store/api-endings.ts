import { type Api, consentWord } from '../oauth/api.ts';
import { holdingGrantsOf } from './access.ts';
import { database, read } from './engine/database.ts';
import { holds, inList } from './engine/parameters.ts';
import type { SqlValue, Statement } from './engine/statement.ts';
import { isLive } from './live-sign-ins.ts';
import { endingGrants } from './withdrawals.ts';

/*
 * What people allowed at an API, and what was issued for it, ends with the API, with one of its
 * scopes, or with a client's right to ask for it. On PostgreSQL the grants are locked first, as
 * storing a code does: a code stored before that is seen and ended, and one stored later finds its
 * consent gone.
 */

/** The statements that end everything at an API. `words` are its words in grants. */
export function endingApi(identifier: string, words: readonly string[], now: Date): Statement[] {
  return [
    ...takingWords(words, now),
    endingAuthorizations(holds('resources', ':identifier'), { identifier }, now),
    {
      sql: `DELETE FROM device_authorizations WHERE ${holds('resources', ':identifier')}`,
      params: { identifier },
    },
  ];
}

/** The statements that end everything that includes one scope of an API. */
export function endingApiScope(identifier: string, name: string, now: Date): Statement[] {
  const carries = `${holds('resources', ':identifier')} AND ${holds('scope', ':name')}`;
  return [
    ...takingWords([consentWord({ identifier }, name)], now),
    endingAuthorizations(carries, { identifier, name }, now),
  ];
}

/** The statement that ends what was issued to clients that may no longer ask for an API. */
export function endingAsks({ id, identifier }: Pick<Api, 'id' | 'identifier'>, now: Date) {
  const may = `EXISTS (SELECT 1 FROM apis p JOIN clients c ON c.id = authorizations.client_id
    WHERE p.id = :id AND (p.access = 'anyone' OR (p.access = 'admins' AND c.origin = 'admin') OR EXISTS (
      SELECT 1 FROM api_clients k WHERE k.api_id = p.id AND k.client_id = c.id AND k.kind = 'asks')))`;
  return endingAuthorizations(
    `${holds('resources', ':identifier')} AND NOT ${may}`,
    { identifier, id },
    now,
  );
}

/**
 * The statements that end what a client got by exchange for APIs it may no longer exchange tokens
 * for, and so everything derived from it.
 */
export function endingExchanges(
  clientId: string,
  identifiers: readonly string[],
  now: Date,
): Statement[] {
  if (identifiers.length === 0) return [];
  const { params } = inList('identifier', identifiers);
  const isFor = Object.keys(params).map((name) => holds('resources', `:${name}`));
  const which = `client_id = :clientId AND lineage <> '' AND (${isFor.join(' OR ')})`;
  return [
    ...holdingGrantsOf({ clientId }),
    endingAuthorizations(which, { ...params, clientId }, now),
  ];
}

/** Ends authorizations that meet a condition. */
export function endingAuthorizations(
  which: string,
  params: Readonly<Record<string, SqlValue>>,
  now: Date,
): Statement {
  const sql = `UPDATE authorizations SET revoked_at = CAST(:now AS TIMESTAMPTZ) WHERE revoked_at IS NULL AND ${which}`;
  return { sql, params: { ...params, now } };
}

/**
 * SQL that follows the column of a client's id and selects clients, with its parameters. A change
 * then applies to what these clients have.
 */
export type WhichClients = { are: string; params: Readonly<Record<string, SqlValue>> };

/**
 * Takes words out of all grants, or of those to some clients. A grant that has no other words ends.
 */
export function takingWords(
  words: readonly string[],
  now: Date,
  clients?: WhichClients,
): Statement[] {
  const { params: named } = inList('word', words);
  const marks = Object.keys(named).map((name) => `:${name}`);
  const params = { ...named, ...clients?.params };
  const ofClients = clients ? `g.client_id ${clients.are} AND ` : '';
  const without = (column: string) =>
    `trim(${marks.reduce((list, mark) => `replace(${list}, ' ' || ${mark} || ' ', ' ')`, `' ' || ${column} || ' '`)})`;
  const which = `${ofClients}(${marks.map((mark) => holds('g.scopes', mark)).join(' OR ')})`;
  const lock = `SELECT g.id FROM grants g WHERE ${which} ORDER BY g.id FOR UPDATE`;
  const narrow = `UPDATE grants AS g SET scopes = ${without('scopes')}, remembered = ${without('remembered')},
    updated_at = CAST(:now AS TIMESTAMPTZ) WHERE ${which}`;
  return [
    ...(database().kind === 'postgresql' ? [{ sql: lock, params }] : []),
    ...endingGrants(`${which} AND ${without('g.scopes')} = ''`, params, now),
    { sql: narrow, params: { ...params, now } },
  ];
}

/** How much ends with an API: people who allowed an app to use it, and live sign-ins for it. */
export type ApiCount = { people: number; signIns: number };

/** How much ends with an API, or with one scope of it. */
export async function countOfApi(
  api: Pick<Api, 'identifier'>,
  scope: string | null,
  now: Date,
): Promise<ApiCount> {
  const word = scope === null ? api.identifier : consentWord(api, scope);
  const carries = scope === null ? 'TRUE' : holds('a.scope', ':scope');
  const sql = `SELECT (SELECT count(DISTINCT user_id) FROM grants WHERE ${holds('scopes', ':word')}) AS people,
    (SELECT count(*) FROM authorizations a JOIN users u ON u.id = a.user_id JOIN clients c ON c.id = a.client_id
      WHERE ${holds('a.resources', ':identifier')} AND ${carries} AND ${isLive}) AS sign_ins`;
  const params = { word, identifier: api.identifier, scope, now };
  const [row] = await read<{ people: number; signIns: number }>(sql, params);
  return { people: row?.people ?? 0, signIns: row?.signIns ?? 0 };
}
