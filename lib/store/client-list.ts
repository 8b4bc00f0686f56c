import type { ClientOrigin, ClientSettings } from '../oauth/client.ts';
import {
  type ClientAddress,
  type ClientColumns,
  readClientColumns,
  readClientSettings,
} from './client-columns.ts';
import { allColumns } from './engine/all-columns.ts';
import { type Columns, read } from './engine/database.ts';
import { type Numbered, readNumbered, type SortColumns } from './engine/numbered.ts';
import {
  Conditions,
  countRows,
  likePattern,
  type Order,
  type Page,
  type Paging,
  readPage,
  storable,
  type Total,
} from './engine/page.ts';
import { inList } from './engine/parameters.ts';
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
  /** Where it stands in a list by name. */
  place: string;
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

/** Clients, newest first or by name. `search` matches parts of name, description and id. */
export function listClients(filter: ClientFilter): Promise<Page<ClientSummary>> {
  const order = filter.sort === 'name' ? byName : newestFirst;
  const conditions = conditionsOf(filter);
  const list = { sql: select, conditions, order, toRecord: toSummary };
  return readPage(list, filter);
}

/** The columns that clients can be ordered by. */
export const clientSorts = ['created', 'name', 'used'] as const;
export type ClientSort = (typeof clientSorts)[number];

const sorts: SortColumns<ClientSort> = {
  created: ['created_at', 'id'],
  name: [placeOf.client('clients'), 'id'],
  used: [{ nullable: 'last_used_at' }, 'id'],
};

/** One page of clients, by its number and in the chosen order. */
export function listClientsBy(
  filter: ClientFilter,
  wanted: Numbered<ClientSort>,
): Promise<ClientSummary[]> {
  const list = { sql: select, conditions: conditionsOf(filter), toRecord: toSummary };
  return readNumbered(list, sorts, wanted);
}

/** How many clients a filter finds. */
export function countClients(filter: ClientFilter): Promise<Total> {
  return countRows('clients', conditionsOf(filter));
}

const byName: Order<ClientSummary> = {
  columns: [placeOf.client('clients'), 'id'],
  kinds: ['text', 'text'],
  direction: 'ascending',
  valuesOf: ({ place, id }) => [place, id],
};

const newestFirst: Order<ClientSummary> = {
  columns: ['created_at', 'id'],
  kinds: ['moment', 'text'],
  direction: 'descending',
  valuesOf: ({ createdAt, id }) => [createdAt, id],
};

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
    secrets: secrets.map((secret) => ({
      hash: secret.hash,
      createdAt: secret.createdAt,
      lastUsedAt: secret.lastUsedAt,
    })),
  };
}

async function registrationOf(clientId: string): Promise<ClientRegistration | null> {
  const sql =
    'SELECT host, fetched_at, stale_at, created_at FROM client_introductions WHERE client_id = :clientId';
  const [row] = await read<
    Columns<'client_introductions', 'host' | 'fetchedAt' | 'staleAt' | 'createdAt'>
  >(sql, { clientId });
  if (!row) return null;
  const { host, fetchedAt, staleAt, createdAt } = row;
  return { host, fetchedAt, staleAt, createdAt };
}

function toSummary(row: ClientRow): ClientSummary {
  return {
    id: row.id,
    origin: row.origin as ClientOrigin,
    ...readClientColumns(row),
    shownName: row.shownName,
    place: row.sortKey ?? '',
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
    const { marks, params } = inList(
      'id',
      rows.map(({ id }) => id),
    );
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
