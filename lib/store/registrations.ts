import type { Client, ClientField, ClientSettings, Unstored } from '../oauth/client.ts';
import { saidByMetadata } from '../oauth/client-metadata.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import {
  addressStatements,
  changingClient,
  insertingClient,
  secretStatements,
} from './client-changes.ts';
import { type Columns, write, writeTogether } from './engine/database.ts';
import { readHeld } from './engine/held.ts';
import { raising } from './engine/revision.ts';
import type { Statement } from './engine/statement.ts';

const insertRegistration = `
  INSERT INTO client_introductions (client_id, host, document_hash, etag, fetched_at, stale_at, created_at)
  VALUES (:id, :host, :documentHash, :etag, :fetchedAt, :staleAt, :now)`;

/**
 * Stores a self-registered client, with everything that belongs to it, unless another request was
 * first.
 * @throws Error for a client that is stored already, or without a host
 */
export async function storeRegistered(client: Client, event: AuditEntry, now: Date): Promise<void> {
  const { id, origin } = client;
  await writeTogether(insertingClient(id, client, origin, now), [
    ...addressStatements(id, client),
    ...client.secretHashes.flatMap((hash) => secretStatements(id, hash, now)),
    registering(client, now),
    raising(),
    auditing(event, now),
  ]);
}

function registering({ id, host, unstored }: Client, now: Date): Statement {
  if (!unstored || host === null)
    throw new Error('This client is stored already, or comes from no host.');
  const { documentHash, etag, fetchedAt, staleAt } = unstored;
  const params = { id, host, documentHash, etag, fetchedAt, staleAt, now };
  return { sql: insertRegistration, params };
}

/** What is stored about a client's document, besides what it says. */
type Stored = Omit<Unstored, 'listed'>;
type Facts = Omit<Stored, 'documentHash'>;

/** What is known about a stored self-registered client, or null. */
export async function findRegistration(clientId: string): Promise<Stored | null> {
  const sql =
    'SELECT document_hash, etag, fetched_at, stale_at FROM client_introductions WHERE client_id = :clientId';
  const row = await readHeld<RegistrationRow>(sql, { clientId });
  if (!row) return null;
  const { documentHash, etag, fetchedAt, staleAt } = row;
  return { documentHash, etag, fetchedAt, staleAt };
}

type RegistrationRow = Columns<
  'client_introductions',
  'documentHash' | 'etag' | 'fetchedAt' | 'staleAt'
>;

// An older reading never replaces a newer one.
const isOlder = '(fetched_at IS NULL OR fetched_at < :fetchedAt)';

/** Notes that a document was read again and has not changed. */
export async function confirmRegistration(id: string, facts: Facts): Promise<void> {
  const sql = `UPDATE client_introductions SET etag = :etag, stale_at = :staleAt, fetched_at = :fetchedAt
    WHERE client_id = :id AND ${isOlder}`;
  await write(sql, { id, etag: facts.etag, staleAt: facts.staleAt, fetchedAt: facts.fetchedAt });
}

/** Keeps what is stored valid until this time, without another look at the document. */
export async function readAgainAt(id: string, moment: Date): Promise<void> {
  const sql =
    'UPDATE client_introductions SET stale_at = :moment WHERE client_id = :id AND stale_at < :moment';
  await write(sql, { id, moment });
}

/**
 * Changes a client to what its document says now. Everyone who uses it is asked again at their next
 * sign-in; what was issued stays valid. An admin's decisions about it are kept.
 */
export async function changeRegistration(
  client: Client,
  said: ClientSettings,
  { documentHash, etag, staleAt, fetchedAt }: Stored,
  now: Date,
): Promise<void> {
  const { id } = client;
  const sql = `UPDATE client_introductions SET etag = :etag, stale_at = :staleAt, fetched_at = :fetchedAt, document_hash = :documentHash
    WHERE client_id = :id AND ${isOlder} RETURNING client_id`;
  const detail = { document: saidByMetadata.filter((field) => differs(client, said, field)) };
  await writeTogether({ sql, params: { id, etag, staleAt, fetchedAt, documentHash } }, [
    ...changingClient(id, said, saidByMetadata, now),
    { sql: "UPDATE grants SET remembered = '' WHERE client_id = :id", params: { id } },
    raising(),
    auditing({ type: 'client.updated', actor: 'system', clientId: id, detail }, now),
  ]);
}

const differs = (one: ClientSettings, other: ClientSettings, field: ClientField) =>
  JSON.stringify(one[field]) !== JSON.stringify(other[field]);
