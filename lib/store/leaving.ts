import { callerOf } from './api-keys.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { anotherAdmin, endingSessions, holdingPeople, takeAway } from './changing-people.ts';
import { notingDisabled } from './directories.ts';
import { type Columns, laterThan, read, readOne } from './engine/database.ts';
import { idsOf, inList } from './engine/parameters.ts';
import type { Statement } from './engine/statement.ts';
import { forgettingAnswers } from './kept-answers.ts';
import { shownName } from './shown-name.ts';
import { placeOf } from './sort-keys.ts';
import { reservingName } from './usernames.ts';

/*
 * People who leave: what they own, and handing it over. All of it is one transaction, so that no
 * one is ever gone while their apps are left without a contact.
 */

/**
 * SQL: apart from the user of the row `k`, its client has no contact who may sign in; or the client
 * is an agent that this user alone is responsible for.
 */
const alone = `(NOT EXISTS (SELECT 1 FROM client_contacts o JOIN users n ON n.id = o.user_id
  WHERE o.client_id = k.client_id AND o.user_id <> k.user_id AND n.disabled_at IS NULL)
  OR (k.owner = TRUE AND EXISTS (SELECT 1 FROM clients f WHERE f.id = k.client_id AND f.agent = TRUE)))`;

/** An app that a user is a contact of; `alone`: no other contact may sign in. */
export type OwnedApp = { id: string; name: string; alone: boolean };
export type OwnedKey = { id: string; name: string; rights: readonly string[]; expiresAt: Date };
export type OwnedToken = Columns<'registration_tokens', 'id' | 'name' | 'expiresAt'>;
export type SentInvitation = Columns<'mailed_links', 'id' | 'email' | 'expiresAt'>;

/** All apps that a user is a contact of, by name. */
export async function appsOfContact(userId: string): Promise<OwnedApp[]> {
  const sql = `SELECT c.id, ${shownName('c')} AS name, CASE WHEN ${alone} THEN 1 ELSE 0 END AS alone
    FROM client_contacts k JOIN clients c ON c.id = k.client_id WHERE k.user_id = :userId ORDER BY ${placeOf.client('c')}, c.id`;
  type Row = Columns<'clients', 'id' | 'name'> & { alone: number };
  const rows = await read<Row>(sql, { userId });
  return rows.map(({ id, name, alone }) => ({ id, name, alone: alone === 1 }));
}

/** The API keys that a user made, expired or not. */
export async function keysOfMaker(userId: string): Promise<OwnedKey[]> {
  const sql =
    'SELECT id, name, rights, expires_at FROM api_keys WHERE maker_id = :userId ORDER BY id';
  const rows = await read<Columns<'api_keys', 'id' | 'name' | 'rights' | 'expiresAt'>>(sql, {
    userId,
  });
  return rows.map((row) => ({ ...row, rights: row.rights.split(' ') }));
}

/** The registration tokens that a user made, as far back as the audit log records who made them. */
export function tokensOfMaker(userId: string): Promise<OwnedToken[]> {
  const sql = `SELECT t.id, t.name, t.expires_at FROM registration_tokens t WHERE EXISTS (SELECT 1 FROM audit_events a
    WHERE a.actor = :userId AND a.type = 'registration-token.created' AND a.detail LIKE '%"' || t.id || '"%') ORDER BY t.id`;
  return read<OwnedToken>(sql, { userId });
}

/** The invitations that a user sent and no one has answered, newest first; at most 200. */
export function invitationsBy(userId: string, now: Date): Promise<SentInvitation[]> {
  const sql = `SELECT id, email, expires_at FROM mailed_links WHERE purpose = 'invite' AND made_by = :userId
    AND used_at IS NULL AND expires_at > :now ORDER BY id DESC LIMIT 200`;
  return read<SentInvitation>(sql, { userId, now });
}

/**
 * How many decisions a user made on apps that asked to be let in, as far back as the audit log
 * goes.
 */
export async function countDecisions(userId: string): Promise<number> {
  const sql = `SELECT COUNT(*) AS count FROM audit_events
    WHERE actor = :userId AND type IN ('client.approved', 'client.refused')`;
  return (await readOne<{ count: number }>(sql, { userId }))?.count ?? 0;
}

/** Whether this user is the only enabled admin. */
export async function isLastAdmin(id: string): Promise<boolean> {
  const sql = `SELECT id FROM users WHERE id = :id AND NOT ${anotherAdmin}`;
  return (await readOne(sql, { id })) !== undefined;
}

type Leaving = {
  id: string;
  /** Who gets their apps; null: no one has to. */
  successor: string | null;
  apps: readonly OwnedApp[];
  keys: readonly OwnedKey[];
  tokens: readonly OwnedToken[];
  account: 'disable' | 'delete';
  /** The statements that keep a deleted account to be put back. */
  keeping: Statement[];
};

/**
 * Hands over a user's apps, ends their keys, tokens and sessions, and disables or deletes the
 * account. `unchanged` (or `refused` for an admin): they own something else by now, or the
 * successor may no longer sign in. `refused` also means that this is the last admin.
 */
export function leave(
  leaving: Leaving,
  events: readonly AuditEntry[],
  now: Date,
): ReturnType<typeof takeAway> {
  const { id, successor, apps, keys, tokens, account, keeping } = leaving;
  const params = { id, now, successor: successor ?? '', apps: apps.length, keys: keys.length };
  const first = (mayGo: string) => ({
    sql: `UPDATE users SET disabled_at = COALESCE(disabled_at, CAST(:now AS TIMESTAMPTZ)), deletion_at = NULL, epoch = epoch + 1,
        updated_at = ${laterThan('updated_at', ':now')}
      WHERE id = :id AND ${mayGo} AND ${asSeen} RETURNING id`,
    params,
  });
  const then = [
    ...handingOver(id, successor, now),
    ...endingSessions(id),
    ...keys.map((key) => forgettingAnswers(callerOf(key))),
    { sql: 'DELETE FROM api_keys WHERE maker_id = :id', params: { id } },
    ...endingTokens(tokens),
    notingDisabled(id, false),
    ...(account === 'delete' ? [...keeping, ...deletingUser(id, now)] : []),
    ...events.map((event) => auditing(event, now)),
  ];
  const hold = [holdingPeople(successor === null ? [id] : [id, successor]), holdingApps(id)];
  return takeAway(id, { first, then, hold }, ({ isAdmin }) => !isAdmin);
}

/**
 * PostgreSQL: if two contacts of an app leave at the same time, the later one sees that the other
 * has gone.
 */
const holdingApps = (id: string): Statement => ({
  sql: `SELECT c.id FROM clients c JOIN client_contacts k ON k.client_id = c.id
    WHERE k.user_id = :id ORDER BY c.id FOR UPDATE OF c`,
  params: { id },
});

/**
 * SQL: they own what was seen, and the successor may sign in; without a successor, no app may be
 * left alone.
 */
const asSeen = `(SELECT COUNT(*) FROM client_contacts WHERE user_id = :id) = :apps
  AND (SELECT COUNT(*) FROM api_keys WHERE maker_id = :id) = :keys
  AND (EXISTS (SELECT 1 FROM users AS heir WHERE heir.id = :successor AND heir.disabled_at IS NULL)
    OR (:successor = '' AND NOT EXISTS (SELECT 1 FROM client_contacts k WHERE k.user_id = :id AND ${alone})))`;

function handingOver(id: string, successor: string | null, now: Date): Statement[] {
  const sql = `INSERT INTO client_contacts (client_id, user_id, owner, created_at)
    SELECT client_id, :successor, owner, CAST(:now AS TIMESTAMPTZ) FROM client_contacts WHERE user_id = :id
    ON CONFLICT (client_id, user_id) DO UPDATE SET owner = CASE WHEN excluded.owner = TRUE THEN TRUE ELSE client_contacts.owner END`;
  const gone = { sql: 'DELETE FROM client_contacts WHERE user_id = :id', params: { id } };
  return successor === null ? [gone] : [{ sql, params: { id, successor, now } }, gone];
}

function endingTokens(tokens: readonly OwnedToken[]): Statement[] {
  if (tokens.length === 0) return [];
  const { marks, params } = inList('token', idsOf(tokens));
  return [{ sql: `DELETE FROM registration_tokens WHERE id IN (${marks})`, params }];
}

const deletingUser = (id: string, now: Date): Statement[] => [
  reservingName(id, now),
  { sql: 'DELETE FROM users WHERE id = :id', params: { id } },
];
