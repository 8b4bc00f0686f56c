import { randomInt } from 'node:crypto';
import { admitsOnlyListed } from '../oauth/access.ts';
import type { ClientField, ClientOrigin, ClientSettings } from '../oauth/client.ts';
import { namesOfClient } from '../oauth/operator-claims.ts';
import { endingAccess } from './access.ts';
import { endingExchanges } from './api-endings.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { namingNoField, possibleFields } from './claim-names.ts';
import { addressRowsOf, clientColumns, clientValues, columnsOf } from './client-columns.ts';
import { endingSecret, endingSecrets } from './ended-secrets.ts';
import { laterThan, orTaken, write, writeTogether } from './engine/database.ts';
import { lookingAgain, raising } from './engine/revision.ts';
import type { Statement } from './engine/statement.ts';
import { keepingAway } from './registered-clients.ts';
import { endingScopesOf } from './scope-endings.ts';

const insertClient = `INSERT INTO clients (${clientColumns.join(', ')}, id, epoch, origin, created_at, updated_at)
  SELECT ${clientColumns.map((column) => `:${column}`).join(', ')}, :id, :epoch, :origin, :now, :now`;

type NewClient = { id: string; settings: ClientSettings; secretHash: string | null };

/** Stores a new client, unless the id exists or one of its own claims is a field of people. */
export async function storeClient(
  { id, settings, secretHash }: NewClient,
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const then = [
    ...addressStatements(id, settings),
    ...secretStatements(id, secretHash, now),
    raising(),
    ...lookingAgainFor(namesOfClient(settings)),
    ...lookingAgainForSites(id, settings),
    auditing(event, now),
  ];
  const first = insertingClient(id, settings, 'admin', now);
  return (await writeTogether(first, then)).length > 0;
}

/**
 * The statement that stores a new client, unless the id exists or one of its own claims is a field
 * of people. Its addresses are separate rows.
 */
export function insertingClient(
  id: string,
  client: ClientSettings,
  origin: ClientOrigin,
  now: Date,
): Statement {
  // Reusing a deleted client's id must not revive what was issued to it.
  const epoch = randomInt(2 ** 30);
  const free = namingNoField(namesOfClient(client));
  return {
    sql: `${insertClient} WHERE ${free.sql} ON CONFLICT (id) DO NOTHING RETURNING id`,
    params: { ...clientValues(client), id, epoch, origin, now, ...free.params },
  };
}

/** Looks again, because a field with one of these names could be created at the same moment. */
function lookingAgainFor(names: readonly string[]): Statement[] {
  const free = namingNoField(names);
  return possibleFields(names).length > 0 ? [lookingAgain(free.sql, free.params)] : [];
}

/** Looks again, because another app could be given the same site at the same moment. */
function lookingAgainForSites(id: string, { guardedSites }: ClientSettings): Statement[] {
  if (guardedSites.length === 0) return [];
  const taken = `SELECT 1 FROM client_addresses o JOIN client_addresses m ON m.kind = 'site' AND m.uri = o.uri
    WHERE m.client_id = :id AND o.kind = 'site' AND o.client_id <> :id`;
  return [lookingAgain(`NOT EXISTS (${taken})`, { id })];
}

const assignments = clientColumns.map((column) => `${column} = :${column}`);

/** What happens to the secrets in a change: they are kept, replaced by one, or removed. */
type SecretChange = 'keep' | { replaceBy: string | null };

/** What a change of a client involves besides its fields. */
export type Along = {
  secrets: SecretChange;
  /** It limits the users to those who are listed: what was issued for anyone else ends. */
  narrows: boolean;
  /** APIs for which it may no longer exchange tokens. */
  exchangesNoMore: readonly string[];
  /** Scopes of the server that it may no longer ask for: what people allowed of them ends. */
  scopesNoMore: readonly string[];
  /** Claims that it newly uses as its own. */
  claims: readonly string[];
  /** When the client that was edited had last changed. */
  seen: Date;
  event: AuditEntry;
};

/**
 * Updates a client, unless it has changed since `seen` or one of the new claims is a field of
 * people. If secrets are added or removed, everything issued to the client ends.
 */
export async function changeClient(
  id: string,
  client: ClientSettings,
  { secrets, narrows, exchangesNoMore, scopesNoMore, claims, seen, event }: Along,
  now: Date,
): Promise<boolean> {
  const then: Statement[] = [
    { sql: 'DELETE FROM client_addresses WHERE client_id = :id', params: { id } },
    ...addressStatements(id, client),
  ];
  if (secrets !== 'keep') {
    then.push(dropSecrets(id), ...secretStatements(id, secrets.replaceBy, now));
    then.push({ sql: 'UPDATE clients SET epoch = epoch + 1 WHERE id = :id', params: { id } });
  }
  if (narrows && admitsOnlyListed(client)) then.push(...endingAccess({ clientId: id }, now));
  then.push(...endingExchanges(id, exchangesNoMore, now), ...endingScopesOf(id, scopesNoMore, now));
  then.push(raising(), ...lookingAgainFor(claims), ...lookingAgainForSites(id, client));
  then.push(auditing(event, now));
  const free = namingNoField(claims);
  const first = {
    sql: `UPDATE clients SET ${assignments.join(', ')}, updated_at = ${laterThan('updated_at', ':now')}
      WHERE id = :id AND updated_at = :seen AND ${free.sql} RETURNING id`,
    params: { ...clientValues(client), now, id, seen, ...free.params },
  };
  return (await writeTogether(first, then)).length > 0;
}

/**
 * The statements that change some fields of a client, and its addresses, whatever they were before.
 */
export function changingClient(
  id: string,
  client: ClientSettings,
  fields: readonly ClientField[],
  now: Date,
): Statement[] {
  const changed = columnsOf(fields);
  const set = changed.map((column) => `${column} = :${column}`);
  const at = laterThan('updated_at', 'CAST(:now AS TIMESTAMPTZ)');
  const sql = `UPDATE clients SET ${set.join(', ')}, updated_at = ${at} WHERE id = :id`;
  return [
    { sql, params: { ...clientValues(client), id, now } },
    { sql: 'DELETE FROM client_addresses WHERE client_id = :id', params: { id } },
    ...addressStatements(id, client),
  ];
}

/** The statements that store the addresses of a client. */
export function addressStatements(clientId: string, client: ClientSettings): Statement[] {
  const sql =
    'INSERT INTO client_addresses (client_id, kind, uri, position) VALUES (:clientId, :kind, :uri, :position)';
  return addressRowsOf(client).map(({ kind, uri, position }) => ({
    sql,
    params: { clientId, kind, uri, position },
  }));
}

/** The statement that stores a secret, if there is one. */
export function secretStatements(clientId: string, hash: string | null, now: Date): Statement[] {
  if (hash === null) return [];
  return [
    {
      sql: 'INSERT INTO client_secrets (hash, client_id, created_at) VALUES (:hash, :clientId, :now)',
      params: { hash, clientId, now },
    },
  ];
}

const dropSecrets = (clientId: string) => ({
  sql: 'DELETE FROM client_secrets WHERE client_id = :clientId',
  params: { clientId },
});

/** Adds a secret, or replaces the existing ones, which end for good. False if there is no such confidential client. */
export async function addSecret(
  id: string,
  { hash, keepOld }: { hash: string; keepOld: boolean },
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const first = {
    sql: `UPDATE clients SET updated_at = :now WHERE id = :id AND type = 'confidential' RETURNING id`,
    params: { id, now },
  };
  const then = [
    ...(keepOld ? [] : [endingSecrets(id), dropSecrets(id)]),
    ...secretStatements(id, hash, now),
    raising(),
    auditing(event, now),
  ];
  return (await writeTogether(first, then)).length > 0;
}

/**
 * Adds and removes secrets in one step. False if there is no such client, or another client has one
 * of the new secrets.
 */
export async function changeSecrets(
  id: string,
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const first = {
    sql: `UPDATE clients SET updated_at = ${laterThan('updated_at', 'CAST(:now AS TIMESTAMPTZ)')} WHERE id = :id RETURNING id`,
    params: { id, now },
  };
  const drop = 'DELETE FROM client_secrets WHERE client_id = :id AND hash = :hash';
  const then = [
    ...removed.map((hash) => ({ sql: drop, params: { id, hash } })),
    ...added.flatMap((hash) => secretStatements(id, hash, now)),
    raising(),
    auditing(event, now),
  ];
  const rows = await writeTogether(first, then).catch(orTaken);
  return rows !== 'taken' && rows.length > 0;
}

/** Removes one of several secrets for good. False if it doesn't exist. */
export async function removeSecret(
  id: string,
  hash: string,
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const sql = 'DELETE FROM client_secrets WHERE client_id = :id AND hash = :hash RETURNING hash';
  const then = [endingSecret(hash), raising(), auditing(event, now)];
  return (await writeTogether({ sql, params: { id, hash } }, then)).length > 0;
}

/**
 * Disables a client and ends everything issued to it for good. False if it was already disabled.
 */
export async function disableClient(id: string, event: AuditEntry, now: Date): Promise<boolean> {
  const sql = `UPDATE clients SET disabled_at = :now, epoch = epoch + 1, updated_at = :now
    WHERE id = :id AND disabled_at IS NULL RETURNING id`;
  return (
    (await writeTogether({ sql, params: { id, now } }, [raising(), auditing(event, now)])).length >
    0
  );
}

/** Enables a client again. Revoked sessions stay revoked. False if it wasn't disabled. */
export async function enableClient(id: string, event: AuditEntry, now: Date): Promise<boolean> {
  const sql =
    'UPDATE clients SET disabled_at = NULL, updated_at = :now WHERE id = :id AND disabled_at IS NOT NULL RETURNING id';
  return (
    (await writeTogether({ sql, params: { id, now } }, [raising(), auditing(event, now)])).length >
    0
  );
}

const batch = 200;

/**
 * Deletes a client. It is first disabled in one step; dependent rows follow in small batches, so
 * that no one waits long. With `seen`, only if it has not changed since. `keeping` are the
 * statements that keep it, without what people allowed it, to be put back.
 */
export async function deleteClient(
  id: string,
  { event, seen, keeping }: { event: AuditEntry; seen?: Date | undefined; keeping: Statement[] },
  now: Date,
): Promise<boolean> {
  const shut = {
    sql: `UPDATE clients SET disabled_at = COALESCE(disabled_at, CAST(:now AS TIMESTAMPTZ)), epoch = epoch + 1
      WHERE id = :id ${seen ? 'AND updated_at = :seen' : ''} RETURNING id`,
    params: { id, now, seen: seen ?? null },
  };
  if ((await writeTogether(shut, [raising()])).length === 0) return false;
  await deleteGrants(id);
  const sql = 'UPDATE clients SET epoch = epoch + 1 WHERE id = :id RETURNING id';
  const gone = { sql: 'DELETE FROM clients WHERE id = :id', params: { id } };
  // If it comes back, it needs to be approved again, provided that admins want to be asked.
  const forget = {
    sql: "DELETE FROM client_requests WHERE client_id = :id AND decision = 'allowed'",
    params: { id },
  };
  const told = [raising(), auditing(event, now)];
  const then = [...keeping, gone, forget, ...keepingAway(id, now), ...told];
  return (await writeTogether({ sql, params: { id } }, then)).length > 0;
}

async function deleteGrants(clientId: string): Promise<void> {
  const sql = `DELETE FROM grants WHERE id IN (SELECT id FROM grants WHERE client_id = :clientId LIMIT ${batch}) RETURNING id`;
  while ((await write(sql, { clientId })).length === batch);
}
