import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { belongsTo, hostIn } from './blocked-hosts.ts';
import { type Columns, read, readOne, writeTogether } from './engine/database.ts';
import { distinctMoment } from './engine/distinct-moment.ts';
import { raising } from './engine/revision.ts';
import { countLive } from './live-sign-ins.ts';

/*
 * Apps of a blocked host, or of a subdomain of it, cannot register themselves. Those that did are
 * treated as removed for as long as the host is blocked (`lib/store/clients.ts`). What they had
 * been given ends for good when the host is blocked.
 */

const belongs = (host: string) => belongsTo(host, 'CAST(:host AS TEXT)');

const leadsThere = (uri: string) =>
  `CASE WHEN LOWER(${uri}) LIKE 'https://%' OR LOWER(${uri}) LIKE 'http://%' THEN ${belongs(hostIn(uri))}
    ELSE CAST(:host AS TEXT) LIKE '%:' AND SUBSTR(LOWER(${uri}), 1, LENGTH(CAST(:host AS TEXT))) = :host END`;

/**
 * SQL: the introductions `i` of a host and its subdomains, and of apps that name an address there.
 */
const ofHost = `(${belongs('i.host')}
  OR EXISTS (SELECT 1 FROM client_addresses a WHERE a.client_id = i.client_id AND ${leadsThere('a.uri')})
  OR EXISTS (SELECT 1 FROM clients r WHERE r.id = i.client_id
    AND (${leadsThere('r.backchannel_logout_uri')} OR ${leadsThere('r.initiate_login_uri')} OR ${leadsThere('r.jwks_uri')})))`;
const clientsOf = `client_id IN (SELECT i.client_id FROM client_introductions i WHERE ${ofHost})`;

/**
 * The maximum number that can be blocked; anyone who needs more should name the accepted hosts
 * instead.
 */
export const mostBlocked = 1000;

export type BlockedHost = {
  host: string;
  /** Apps of this host that are still stored. */
  apps: number;
  createdAt: Date;
};

/** The blocked hosts, the latest first. */
export async function listBlockedHosts(): Promise<BlockedHost[]> {
  const sql = `SELECT b.host, b.created_at, (SELECT COUNT(*) FROM client_introductions i WHERE i.host = b.host) AS apps
    FROM blocked_hosts b ORDER BY b.created_at DESC, b.host LIMIT ${mostBlocked}`;
  const rows = await read<Columns<'blocked_hosts', 'host' | 'createdAt'> & { apps: number }>(
    sql,
    {},
  );
  return rows.map(({ host, apps, createdAt }) => ({ host, apps, createdAt }));
}

/**
 * Blocks a host and ends everything that its apps were given. False: it is already blocked, or
 * there is no room.
 */
export async function blockHost(host: string, event: AuditEntry, now: Date): Promise<boolean> {
  const block = {
    sql: `INSERT INTO blocked_hosts (host, created_at) SELECT :host, CAST(:createdAt AS TIMESTAMPTZ)
      WHERE (SELECT COUNT(*) FROM blocked_hosts) < ${mostBlocked} ON CONFLICT DO NOTHING RETURNING host`,
    params: { host, createdAt: distinctMoment(now) },
  };
  const end = {
    sql: `UPDATE clients SET epoch = epoch + 1 WHERE id IN (SELECT i.client_id FROM client_introductions i WHERE ${ofHost})`,
    params: { host },
  };
  return (await writeTogether(block, [end, raising(), auditing(event, now)])).length > 0;
}

/** Unblocks a host; what was revoked stays revoked. False: it was not blocked. */
export async function unblockHost(host: string, event: AuditEntry, now: Date): Promise<boolean> {
  const sql = 'DELETE FROM blocked_hosts WHERE host = :host RETURNING host';
  return (
    (await writeTogether({ sql, params: { host } }, [raising(), auditing(event, now)])).length > 0
  );
}

/** How much a host has: apps, people who allowed one of them, and live sign-ins. */
export type HostCount = { apps: number; people: number; signIns: number };

/** How much ends when all apps of a host are removed. */
export async function countOfHost(host: string, now: Date): Promise<HostCount> {
  const sql = `SELECT
    (SELECT COUNT(*) FROM client_introductions i WHERE ${ofHost}) AS apps,
    (SELECT COUNT(DISTINCT g.user_id) FROM grants g WHERE g.${clientsOf}) AS people,
    ${countLive(`g.${clientsOf}`)} AS sign_ins`;
  const row = await readOne<{ apps: number; people: number; signIns: number }>(sql, { host, now });
  return { apps: row?.apps ?? 0, people: row?.people ?? 0, signIns: row?.signIns ?? 0 };
}

/** The ids of some self-registered apps of a host. */
export async function clientsOfHost(host: string, limit: number): Promise<string[]> {
  const sql = `SELECT i.client_id FROM client_introductions i WHERE ${ofHost} ORDER BY i.client_id LIMIT ${limit}`;
  const rows = await read<Columns<'client_introductions', 'clientId'>>(sql, { host });
  return rows.map(({ clientId }) => clientId);
}
