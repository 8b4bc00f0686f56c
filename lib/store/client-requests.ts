import type { Client, ClientOrigin } from '../oauth/client.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { allColumns } from './engine/all-columns.ts';
import { type Columns, read, readOne, writeTogether } from './engine/database.ts';

/** The maximum number of apps that wait for an admin, in all and for one person. */
export const mostWaitingApps = { inAll: 100, ofOne: 5 };

/** An app that a user wants to use, and that an admin has to approve first. */
export type ClientRequest = {
  clientId: string;
  origin: ClientOrigin;
  name: string;
  host: string;
  userId: string;
  askedAt: Date;
  decision: 'allowed' | 'refused' | null;
};

/** A waiting request, with the name of the user who asked first. */
export type WaitingRequest = ClientRequest & { username: string };

type Row = Columns<'client_requests'> & Pick<ClientRequest, 'origin' | 'decision'>;

/** SQL: admins have refused this client. */
export const isRefusedByAdmins = (client: string) =>
  `EXISTS (SELECT 1 FROM client_requests q WHERE q.client_id = ${client} AND q.decision = 'refused')`;

/** What was asked and decided about a client, or null. */
export async function findClientRequest(clientId: string): Promise<ClientRequest | null> {
  const sql = `SELECT ${allColumns('client_requests')} FROM client_requests WHERE client_id = :clientId`;
  return (await readOne<Row>(sql, { clientId })) ?? null;
}

/**
 * Puts an app into the queue. 'waiting': it was already in it; 'full': too many are waiting, for
 * this person or in all.
 */
export async function storeClientRequest(
  { id, origin, name, host }: Pick<Client, 'id' | 'origin' | 'name' | 'host'>,
  userId: string,
  event: AuditEntry,
  now: Date,
): Promise<'stored' | 'waiting' | 'full'> {
  const store = {
    sql: `INSERT INTO client_requests (client_id, origin, name, host, user_id, asked_at)
      SELECT :id, :origin, :name, :host, :userId, CAST(:now AS TIMESTAMPTZ)
      WHERE (SELECT COUNT(*) FROM client_requests WHERE decision IS NULL) < ${mostWaitingApps.inAll}
        AND (SELECT COUNT(*) FROM client_requests WHERE decision IS NULL AND user_id = :userId) < ${mostWaitingApps.ofOne}
      ON CONFLICT DO NOTHING RETURNING client_id`,
    params: { id, origin, name, host: host ?? '', userId, now },
  };
  if ((await writeTogether(store, [auditing(event, now)])).length > 0) return 'stored';
  return (await findClientRequest(id)) ? 'waiting' : 'full';
}

const select = `SELECT ${allColumns('client_requests', 'r')}, u.username FROM client_requests r JOIN users u ON u.id = r.user_id`;

/** The waiting requests, the longest waiting first. */
export async function listWaiting(): Promise<WaitingRequest[]> {
  const sql = `${select} WHERE r.decision IS NULL ORDER BY r.asked_at, r.client_id LIMIT ${mostWaitingApps.inAll}`;
  return listed(sql);
}

/** The refused requests, the latest first. */
export async function listRefused(): Promise<WaitingRequest[]> {
  const sql = `${select} WHERE r.decision = 'refused' ORDER BY r.decided_at DESC, r.client_id LIMIT ${mostWaitingApps.inAll}`;
  return listed(sql);
}

const listed = (sql: string): Promise<WaitingRequest[]> =>
  read<Row & Columns<'users', 'username'>>(sql, {});

/** Whether a request is waiting that was made after a moment. */
export async function hasWaitingSince(moment: Date): Promise<boolean> {
  const sql =
    'SELECT 1 AS one FROM client_requests WHERE decision IS NULL AND asked_at > :moment LIMIT 1';
  return (await readOne(sql, { moment })) !== undefined;
}

/** Decides about an app that was asked for. False: this was decided already, or no one asked. */
export async function decideClientRequest(
  clientId: string,
  decision: 'allowed' | 'refused',
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const decide = {
    sql: `UPDATE client_requests SET decision = :decision, decided_at = :now
      WHERE client_id = :clientId AND (decision IS NULL OR decision <> :decision) RETURNING client_id`,
    params: { clientId, decision, now },
  };
  return (await writeTogether(decide, [auditing(event, now)])).length > 0;
}
