import type { Client, ClientOrigin, ClientSettings } from '../oauth/client.ts';
import { hostAdmitted } from '../oauth/client-document.ts';
import { addressesOf, hostsOf } from '../oauth/places.ts';
import { callbackOf, type Site } from '../oauth/site.ts';
import { strengthened } from '../oauth/strong-client.ts';
import { sectorIn, sectorKey } from '../oauth/subject.ts';
import { once } from '../once.ts';
import { blockedAmong, blocking } from './blocked-hosts.ts';
import { readClientSettings } from './client-columns.ts';
import { allColumns } from './engine/all-columns.ts';
import { type Columns, type Joined, read } from './engine/database.ts';
import { RevisionCache, readRevision } from './engine/revision.ts';
import { pairwiseKey } from './pairwise-key.ts';
import { settingsAt } from './settings.ts';

const cache = () => once('cache.clients', () => new RevisionCache<Client | null>(10_000));

/** The client as of a revision, or null. */
export function clientAt(revision: number, id: string): Promise<Client | null> {
  return cache().get(id, revision, () => loadClient(id, revision));
}

/** The client as it is now, or null. */
export async function findClient(id: string): Promise<Client | null> {
  return clientAt(await readRevision(), id);
}

/**
 * The id of the client that alone registered this address for after a sign-out; null: none did, or
 * several. Clients that admins made go first, so that no stranger can claim an address of theirs.
 */
export async function onlyClientReturningTo(uri: string): Promise<string | null> {
  const sql = `SELECT c.id, c.origin FROM client_addresses a JOIN clients c ON c.id = a.client_id
    WHERE a.kind = 'post_logout' AND a.uri = :uri
    ORDER BY CASE WHEN c.origin = 'admin' THEN 0 ELSE 1 END LIMIT 2`;
  const [first, second] = await read<Columns<'clients', 'id' | 'origin'>>(sql, { uri });
  const isAlone = !second || (first?.origin === 'admin' && second.origin !== 'admin');
  return first && isAlone ? first.id : null;
}

/** The longest access token lifetime set on any client or API, in seconds; 0 if none. */
export async function longestAccessTokenLife(): Promise<number> {
  const [row] = await read<{ life: number | null }>(
    'SELECT MAX(access_token_ttl) AS life FROM (SELECT access_token_ttl FROM clients UNION ALL SELECT access_token_ttl FROM apis) t',
    {},
  );
  return row?.life ?? 0;
}

// One statement, because a client's URIs could be deleted between two, and a client without
// registered URIs may name any.
const selectClient = `
  SELECT ${allColumns('clients', 'c')}, a.kind AS address_kind, a.uri AS address, s.hash AS secret_hash, i.host AS registered_at_host,
    CASE WHEN i.host IS NOT NULL AND ${blocking('i.host')} THEN 1 ELSE 0 END AS is_blocked
  FROM clients c
  LEFT JOIN client_addresses a ON a.client_id = c.id
  LEFT JOIN client_secrets s ON s.client_id = c.id
  LEFT JOIN client_introductions i ON i.client_id = c.id
  WHERE c.id = :id ORDER BY a.position`;

type ClientRow = Columns<'clients'> &
  Joined<{ addressKind: string; address: string; secretHash: string; registeredAtHost: string }> & {
    isBlocked: number;
  };

async function loadClient(id: string, revision: number): Promise<Client | null> {
  const rows = await read<ClientRow>(selectClient, { id });
  const [row] = rows;
  if (!row || row.isBlocked || !(await isAdmitted(row, revision))) return null;
  const addresses = distinct(
    rows.flatMap(({ addressKind: kind, address: uri }) =>
      kind === null || uri === null ? [] : [{ kind, uri }],
    ),
    ({ kind, uri }) => `${kind} ${uri}`,
  );
  const settings = withCallbacks(readClientSettings(row, addresses));
  if (row.origin !== 'admin' && (await namesBlockedHost(settings))) return null;
  const secrets = rows.flatMap((each) => each.secretHash ?? []);
  const client: Client = {
    id,
    origin: row.origin as ClientOrigin,
    host: row.registeredAtHost,
    ...settings,
    secretHashes: [...new Set(secrets)],
    disabled: row.disabledAt !== null,
    epoch: row.epoch,
  };
  return strengthened(await withSubjectKey(client), await settingsAt(revision));
}

/** The answers to sign-ins on its guarded sites go to addresses there, which no one registers. */
function withCallbacks(client: ClientSettings): ClientSettings {
  const { redirectUris, guardedSites } = client;
  if (guardedSites.length === 0) return client;
  return { ...client, redirectUris: [...redirectUris, ...guardedSites.map(callbackOf)] };
}

const bySite = () => once('cache.guarded-sites', () => new RevisionCache<Guarded | null>(1000));

/** A site, and the id of its app. */
type Guarded = { site: Site; clientId: string };

/** Apps that a proxy guards sites of, at most so many. */
export async function guardedClients(most: number): Promise<Client[]> {
  const rows = await read<Columns<'client_addresses', 'clientId'>>(
    "SELECT DISTINCT client_id FROM client_addresses WHERE kind = 'site' ORDER BY client_id LIMIT :most",
    { most },
  );
  const found = await Promise.all(rows.map(({ clientId }) => findClient(clientId)));
  return found.filter((client) => client !== null);
}

/** The guarded site of this host, whatever its scheme, as of a revision; null: there is none. */
export function guardedAt(revision: number, host: string): Promise<Guarded | null> {
  return bySite().get(host, revision, async () => {
    // Two apps never have a host together, unless a restored or older version made it so.
    const sql = `SELECT a.client_id, a.uri FROM client_addresses a JOIN clients c ON c.id = a.client_id
      WHERE a.kind = 'site' AND a.uri IN (:secure, :plain) ORDER BY c.created_at, c.id, a.uri DESC LIMIT 1`;
    const params = { secure: `https://${host}`, plain: `http://${host}` };
    const [row] = await read<Columns<'client_addresses', 'clientId' | 'uri'>>(sql, params);
    return row ? { site: row.uri as Site, clientId: row.clientId } : null;
  });
}

/** Those of these hosts that another app guards already. */
export async function hostsTaken(hosts: readonly string[], id: string | null): Promise<string[]> {
  const revision = await readRevision();
  const taken: string[] = [];
  for (const host of hosts) {
    const guarded = await guardedAt(revision, host);
    if (guarded && guarded.clientId !== id) taken.push(host);
  }
  return taken;
}

/** Gives a client with pairwise subjects the key of its sector. */
export async function withSubjectKey(client: Client): Promise<Client> {
  if (client.subjectType !== 'pairwise') return client;
  return { ...client, subjectKey: sectorKey(await pairwiseKey(), sectorIn(client)) };
}

/**
 * Whether a client may be here at all: one with a document only while the setting admits its host.
 * Otherwise it is treated as removed, and comes back when the host is admitted again.
 */
async function isAdmitted({ origin, registeredAtHost: host }: ClientRow, revision: number) {
  if (origin !== 'document' || host === null) return true;
  return hostAdmitted((await settingsAt(revision)).clientDocumentHosts, host) !== null;
}

/**
 * Whether a client leads to a blocked host. Not checked for clients that admins created, which may
 * lead anywhere.
 */
const namesBlockedHost = async (settings: ClientSettings) =>
  (await blockedAmong(hostsOf(addressesOf(settings)))) !== null;

/** Removes duplicates, because a join repeats rows. */
function distinct<T>(values: T[], keyOf: (value: T) => string): T[] {
  return [...new Map(values.map((value) => [keyOf(value), value])).values()];
}

/** The id of the client that has this secret, by its digest; null: no client has it. */
export async function findOwnerOfSecret(hash: string): Promise<string | null> {
  const sql = 'SELECT client_id FROM client_secrets WHERE hash = :hash';
  const [row] = await read<Columns<'client_secrets', 'clientId'>>(sql, { hash });
  return row?.clientId ?? null;
}
