import type { ClientOrigin, ClientSettings } from '../oauth/client.ts';
import {
  type ClientAddress,
  type ClientColumns,
  readClientColumns,
  readClientSettings,
} from './client-columns.ts';
import { allColumns } from './engine/all-columns.ts';
import { type Columns, read } from './engine/database.ts';
import { type Kept, Listing } from './engine/listing.ts';
import { Conditions, likePattern, type Paging, storable } from './engine/page.ts';
import { idsOf, inList } from './engine/parameters.ts';
import { countLive } from './live-sign-ins.ts';
import { shownName } from './shown-name.ts';
import { placeOf } from './sort-keys.ts';

/** A client as an admin sees it in a list. */
export type ClientSummary = ClientColumns & {
  id: string;
  origin: ClientOrigin;
  /**
   * The name it is shown by: for a client that registered itself, its host and the name that it
   * gives itself.
   */
  shownName: string;
  logo: string | null;
  disabledAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

type ClientSecretRecord = { hash: string; createdAt: Date; lastUsedAt: Date | null };

/** Everything about a client that an admin sees and edits. */
export type ClientRecord = ClientSummary &
  ClientSettings & {
    secrets: ClientSecretRecord[];
    /** null for a client that an admin created. */
    registration: ClientRegistration | null;
  };

/** The host that a self-registered client comes from, and since when it has been here. */
type ClientRegistration = {
  host: string;
  /** When its document was fetched, and until when it is trusted. */
  fetchedAt: Date | null;
  staleAt: Date | null;
  createdAt: Date;
};

export type ClientFilter = Paging & {
  search?: string;
  type?: ClientSettings['type'];
  disabled?: boolean;
  firstParty?: boolean;
  agent?: boolean;
  ids?: readonly string[];
  /** How it came; 'itself': in any way other than through an admin. */
  origin?: ClientOrigin | 'itself';
  /** Only clients that may request this scope. */
  scope?: string;
  /** Only clients that list this group, perhaps among others. */
  group?: string;
  sort?: 'newest' | 'name';
};

const select = `SELECT ${allColumns('clients', 'clients')}, ${shownName('clients')} AS shown_name FROM clients`;
type ClientRow = Columns<'clients'> & { shownName: string };

/** The columns that clients can be sorted by. */
export const clientSorts = ['created', 'name', 'used'] as const;
export type ClientSort = (typeof clientSorts)[number];

const byId: Kept<ClientRow> = { sql: 'id', text: (row) => row.id };
const byName: Kept<ClientRow>[] = [
  { sql: placeOf.client('clients'), text: (row) => row.sortKey ?? '' },
  byId,
];
const byAge: Kept<ClientRow>[] = [{ sql: 'created_at', moment: (row) => row.createdAt }, byId];

/** Clients, newest first or by name. `search` matches parts of name, description and id. */
export const clientList = new Listing({
  sql: select,
  count: 'clients',
  conditions: conditionsOf,
  order: ({ sort }) =>
    sort === 'name'
      ? { columns: byName, direction: 'ascending' }
      : { columns: byAge, direction: 'descending' },
  sorts: { created: byAge, name: byName, used: [{ nullable: 'last_used_at' }, 'id'] },
  toRecord: toSummary,
});

const searched = ['id', 'name', "coalesce(description, '')"];

function conditionsOf(filter: ClientFilter): Conditions {
  const { search, type, disabled, firstParty, agent, scope, group, origin, ids } = filter;
  const conditions = new Conditions();
  if (search?.trim()) {
    const pattern = likePattern(search.trim().toLowerCase());
    const found = searched.map((column) => `lower(${column}) LIKE ? ESCAPE '\\'`);
    conditions.and(`(${found.join(' OR ')})`, ...searched.map(() => pattern));
  }
  if (type) conditions.and('type = ?', type);
  if (disabled !== undefined) conditions.and(`disabled_at IS ${disabled ? 'NOT' : ''} NULL`);
  if (firstParty !== undefined) conditions.and('first_party = ?', firstParty);
  if (agent !== undefined) conditions.and('agent = ?', agent);
  if (ids) conditions.and(`id IN (${ids.map(() => '?').join(', ') || 'NULL'})`, ...ids);
  if (origin === 'itself') conditions.and("origin <> 'admin'");
  else if (origin) conditions.and('origin = ?', origin);
  if (scope) {
    const byDefault =
      'scopes IS NULL AND EXISTS (SELECT 1 FROM scopes s WHERE s.name = ? AND NOT s.sensitive)';
    conditions.and(
      `(' ' || scopes || ' ' LIKE ? ESCAPE '\\' OR (${byDefault}))`,
      likePattern(` ${scope} `),
      scope,
    );
  }
  if (group)
    conditions.and('id IN (SELECT client_id FROM client_groups WHERE group_id = ?)', group);
  return conditions;
}

/** The client with this id, or null. */
export async function findClientRecord(id: string): Promise<ClientRecord | null> {
  const [row] = await read<ClientRow>(`${select} WHERE id = :id`, { id: storable(id) });
  if (!row) return null;
  const addresses = await read<ClientAddress>(
    'SELECT kind, uri FROM client_addresses WHERE client_id = :id ORDER BY position',
    { id },
  );
  const secrets = await read<Columns<'client_secrets', 'hash' | 'createdAt' | 'lastUsedAt'>>(
    'SELECT hash, created_at, last_used_at FROM client_secrets WHERE client_id = :id ORDER BY created_at DESC, hash',
    { id },
  );
  return {
    ...toSummary(row),
    ...readClientSettings(row, addresses),
    registration: await registrationOf(id),
    secrets,
  };
}

async function registrationOf(clientId: string): Promise<ClientRegistration | null> {
  const sql =
    'SELECT host, fetched_at, stale_at, created_at FROM client_introductions WHERE client_id = :clientId';
  const [row] = await read<
    Columns<'client_introductions', 'host' | 'fetchedAt' | 'staleAt' | 'createdAt'>
  >(sql, { clientId });
  return row ?? null;
}

function toSummary(row: ClientRow): ClientSummary {
  return {
    id: row.id,
    origin: row.origin as ClientOrigin,
    ...readClientColumns(row),
    shownName: row.shownName,
    logo: row.logo,
    disabledAt: row.disabledAt,
    lastUsedAt: row.lastUsedAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** What depends on a client: its grants and its live authorizations. */
export async function countClientUse(
  clientId: string,
  now: Date,
): Promise<{ people: number; signIns: number }> {
  const [row] = await read<{ people: number; signIns: number }>(
    `SELECT (SELECT count(*) FROM grants WHERE client_id = :clientId) AS people,
      ${countLive('g.client_id = :clientId')} AS sign_ins`,
    { clientId, now },
  );
  return { people: row?.people ?? 0, signIns: row?.signIns ?? 0 };
}

/** The maximum number of names compared with what a user typed. */
const mostNames = 1000;

/** The ids and names of the clients that admins created, the newest first. */
export function listNames(): Promise<Columns<'clients', 'id' | 'name'>[]> {
  const sql =
    'SELECT id, name FROM clients WHERE origin = :origin ORDER BY created_at DESC, id LIMIT :mostNames';
  return read<Columns<'clients', 'id' | 'name'>>(sql, { origin: 'admin', mostNames });
}

/** The names that admins see for all clients, however they came, by id. */
export async function readClientNames(): Promise<ReadonlyMap<string, string>> {
  const sql = `SELECT id, ${shownName('clients')} AS name FROM clients`;
  const rows = await read<{ id: string; name: string }>(sql, {});
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The maximum number of clients read by one statement. */
const mostAtOnce = 500;

/**
 * All clients that are not disabled, in the order of their ids: all their settings, and the name
 * that admins see.
 */
export async function* eachEnabledClient(): AsyncGenerator<ClientSettings & { shownName: string }> {
  const sql = `${select} WHERE disabled_at IS NULL AND id > :after ORDER BY id LIMIT ${mostAtOnce}`;
  for (let after = ''; ; ) {
    const rows = await read<ClientRow>(sql, { after });
    if (rows.length === 0) return;
    const { marks, params } = inList('id', idsOf(rows));
    const addresses = await read<ClientAddress & { clientId: string }>(
      `SELECT client_id, kind, uri FROM client_addresses WHERE client_id IN (${marks}) ORDER BY position`,
      params,
    );
    const byClient = Map.groupBy(addresses, ({ clientId }) => clientId);
    for (const row of rows) {
      const settings = readClientSettings(row, byClient.get(row.id) ?? []);
      yield { ...settings, shownName: row.shownName };
    }
    if (rows.length < mostAtOnce) return;
    after = rows.at(-1)?.id ?? '';
  }
}
