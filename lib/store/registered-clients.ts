import { digest, prefixes } from '../oauth/secrets.ts';
import { auditing } from './audit.ts';
import { type Columns, read, readOne, writeTogether } from './engine/database.ts';
import { raising } from './engine/revision.ts';
import type { Statement } from './engine/statement.ts';
import { shownName } from './shown-name.ts';

const day = 24 * 3600_000;

/** How long the id of a self-registered client lets it in before anyone has agreed to it. */
export const unusedIdLife = 30 * day;
/** After this time without use, a self-registered client is removed. */
const unusedClientLife = 90 * day;

const removalOf = (id: string) => digest(`removed client ${id}`);

/**
 * Keeps a self-registered client from coming back with nothing but its id, which contains
 * everything that was stored about it, for as long as the id could let it in. Does nothing for
 * other clients.
 */
export function keepingAway(id: string, now: Date): Statement[] {
  if (!id.startsWith(prefixes.registeredClient)) return [];
  const sql =
    'INSERT INTO spent_values (hash, expires_at) VALUES (:hash, :expiresAt) ON CONFLICT (hash) DO UPDATE SET expires_at = :expiresAt';
  return [
    { sql, params: { hash: removalOf(id), expiresAt: new Date(now.getTime() + unusedIdLife) } },
  ];
}

/** Whether the client with this id was removed. */
export async function wasRemoved(id: string): Promise<boolean> {
  const sql = 'SELECT hash FROM spent_values WHERE hash = :hash';
  return (
    (await readOne<Columns<'spent_values', 'hash'>>(sql, { hash: removalOf(id) })) !== undefined
  );
}

/*
 * A client with a document comes back through that document. An admin's decisions about it must not
 * be lost then, so a client that has some stays. So does one that the configuration file manages.
 */
const goes = `(clients.origin = 'registration' OR (clients.origin = 'document' AND clients.disabled_at IS NULL
  AND clients.access = 'everybody' AND clients.networks = '' AND NOT clients.require_second_factor
  AND clients.max_sign_in_age IS NULL AND clients.sign_in_life IS NULL))
  AND NOT EXISTS (SELECT 1 FROM file_owned f WHERE f.kind = 'client' AND f.key = clients.id)`;

/*
 * A client is in use if it got or used a token, or a user agreed to something, since `:before`; and
 * as long as anything it was given may still work at `:now`.
 */
const unused = `${goes} AND COALESCE(clients.last_used_at, clients.created_at) < :before
  AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.client_id = clients.id AND (g.updated_at >= :before OR g.last_used_at >= :before))
  AND NOT EXISTS (SELECT 1 FROM grants g JOIN authorizations a ON a.grant_id = g.id WHERE g.client_id = clients.id
    AND a.revoked_at IS NULL AND a.keep_until > :now AND COALESCE(a.idle_until, a.keep_until) > :now)`;

const batch = 50;

/**
 * Removes self-registered clients that no one uses any more, at most `batch` at a time. Returns how
 * many.
 */
export async function removeUnusedClients(now: Date): Promise<number> {
  const before = new Date(now.getTime() - unusedClientLife);
  const sql = `SELECT id, ${shownName('clients')} AS name FROM clients WHERE ${unused} ORDER BY id LIMIT ${batch}`;
  const found = await read<Columns<'clients', 'id' | 'name'>>(sql, { before, now });
  let removed = 0;
  for (const client of found) if (await removeIfUnused(client, before, now)) removed += 1;
  return removed;
}

/**
 * Checks the condition once more, so that a user who comes back meanwhile keeps what they come back
 * to.
 */
async function removeIfUnused(
  { id, name }: Columns<'clients', 'id' | 'name'>,
  before: Date,
  now: Date,
): Promise<boolean> {
  const sql = `DELETE FROM clients WHERE ${unused} AND clients.id = :id RETURNING id`;
  const detail = { name, unused: true };
  const event = { type: 'client.deleted', actor: 'system', clientId: id, detail } as const;
  const forget = { sql: 'DELETE FROM client_requests WHERE client_id = :id', params: { id } };
  const then = [forget, ...keepingAway(id, now), raising(), auditing(event, now)];
  return (await writeTogether({ sql, params: { before, now, id } }, then, holding(id))).length > 0;
}

/**
 * Makes anyone who agrees to something or gets a code wait, and then find that the client is gone.
 */
const holding = (id: string): Statement[] => [
  { sql: 'SELECT id FROM clients WHERE id = :id FOR UPDATE', params: { id } },
  { sql: 'SELECT id FROM grants WHERE client_id = :id FOR UPDATE', params: { id } },
];
