import { digest, prefixes } from '../oauth/secrets.ts';
import { auditing } from './audit.ts';
import { type Columns, read, readOne, writeTogether } from './engine/database.ts';
import { raising } from './engine/revision.ts';
import type { Statement } from './engine/statement.ts';
import { shownName } from './shown-name.ts';

const day = 24 * 3600_000;

/** How long the id of a client that registered itself lets it in before anybody has agreed to it. */
export const unusedIdLife = 30 * day;
/** After this time without use a client that registered itself is removed. */
const unusedClientLife = 90 * day;

const removalOf = (id: string) => digest(`removed client ${id}`);

/**
 * Keeps a client that registered itself from coming back by its id alone, which says all that was
 * stored of it, for as long as that could let it in. Nothing for any other client.
 */
export function keepingAway(id: string, now: Date): Statement[] {
  if (!id.startsWith(prefixes.registeredClient)) return [];
  const sql =
    'INSERT INTO spent_values (hash, expires_at) VALUES (:hash, :expiresAt) ON CONFLICT (hash) DO UPDATE SET expires_at = :expiresAt';
  return [
    { sql, params: { hash: removalOf(id), expiresAt: new Date(now.getTime() + unusedIdLife) } },
  ];
}

/** Whether the client of this id was removed. */
export async function wasRemoved(id: string): Promise<boolean> {
  const sql = 'SELECT hash FROM spent_values WHERE hash = :hash';
  return (
    (await readOne<Columns<'spent_values', 'hash'>>(sql, { hash: removalOf(id) })) !== undefined
  );
}

/*
 * One with a document comes back by it. What an admin decided about it must not be forgotten then,
 * so that one stays. Nor does one go that the configuration file keeps.
 */
const goes = `(clients.origin = 'registration' OR (clients.origin = 'document' AND clients.disabled_at IS NULL
  AND clients.access = 'everybody' AND clients.networks = '' AND NOT clients.require_second_factor
  AND clients.max_sign_in_age IS NULL AND clients.sign_in_life IS NULL))
  AND NOT EXISTS (SELECT 1 FROM file_owned f WHERE f.kind = 'client' AND f.key = clients.id)`;

/*
 * A client is in use while it has got or used a token, or somebody has agreed to something, since
 * `:before`; and as long as anything that it was given may still work at `:now`.
 */
const unused = `${goes} AND COALESCE(clients.last_used_at, clients.created_at) < :before
  AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.client_id = clients.id AND (g.updated_at >= :before OR g.last_used_at >= :before))
  AND NOT EXISTS (SELECT 1 FROM grants g JOIN authorizations a ON a.grant_id = g.id WHERE g.client_id = clients.id
    AND a.revoked_at IS NULL AND a.keep_until > :now AND COALESCE(a.idle_until, a.keep_until) > :now)`;

const batch = 50;

/**
 * Removes clients that registered themselves and that nobody uses any more, at most `batch` at a
 * time. Returns how many.
 */
export async function removeUnusedClients(now: Date): Promise<number> {
  const before = new Date(now.getTime() - unusedClientLife);
  const sql = `SELECT id, ${shownName('clients')} AS name FROM clients WHERE ${unused} ORDER BY id LIMIT ${batch}`;
  const found = await read<Columns<'clients', 'id' | 'name'>>(sql, { before, now });
  let removed = 0;
  for (const client of found) if (await removeIfUnused(client, before, now)) removed += 1;
  return removed;
}

/** Once more on the condition, so that somebody who comes back meanwhile keeps what they come back to. */
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

/** Whoever agrees to something or gets a code waits, and then finds that the client is gone. */
const holding = (id: string): Statement[] => [
  { sql: 'SELECT id FROM clients WHERE id = :id FOR UPDATE', params: { id } },
  { sql: 'SELECT id FROM grants WHERE client_id = :id FOR UPDATE', params: { id } },
];
