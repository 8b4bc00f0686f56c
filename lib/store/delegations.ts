import { type Columns, date, type Moment, read } from './engine/database.ts';
import { lineageLives, readLineage } from './lineage.ts';

/** An app that acts for a user because another app exchanged one of their tokens. */
export type Delegation = {
  clientId: string;
  /** The clients it came through, the nearest first; the user signed in to the last one. */
  lineage: readonly string[];
  since: Date;
};

/** One that has ended, of an app that the user never allowed. */
type FormerDelegation = Omit<Delegation, 'since'> & { until: Date };
export type Delegations = { live: readonly Delegation[]; former: readonly FormerDelegation[] };

/** The maximum number shown. */
const most = 200;

/** The apps that act for a user, and those that did and that the user never allowed. */
export async function listDelegations(userId: string, now: Date): Promise<Delegations> {
  const live = await listLive(userId, now);
  const former = await listFormer(userId, now);
  const acts = new Set(live.map(({ clientId }) => clientId));
  return { live, former: former.filter(({ clientId }) => !acts.has(clientId)) };
}

/** The last one of each chain first. */
async function listFormer(userId: string, now: Date): Promise<FormerDelegation[]> {
  const sql = `SELECT a.client_id, a.lineage, MAX(COALESCE(a.revoked_at, p.revoked_at, g.last_used_at, a.created_at)) AS until
    FROM grants g JOIN authorizations a ON a.grant_id = g.id JOIN authorizations p ON p.id = a.parent_id
    WHERE g.user_id = :userId AND a.created_at <= :now
      AND NOT EXISTS (SELECT 1 FROM authorizations o WHERE o.grant_id = g.id AND o.parent_id IS NULL)
    GROUP BY a.client_id, a.lineage ORDER BY until DESC LIMIT ${most}`;
  type Row = Columns<'authorizations', 'clientId' | 'lineage'> & { until: Moment };
  const rows = await read<Row>(sql, { userId, now });
  return rows.map(({ clientId, lineage, until }) => ({
    clientId,
    lineage: readLineage(lineage),
    until: date(until),
  }));
}

/** The apps that act for a user now, the earliest first; each app once per chain. */
async function listLive(userId: string, now: Date): Promise<Delegation[]> {
  const sql = `SELECT a.client_id, a.lineage, MIN(a.created_at) AS since
    FROM grants g JOIN authorizations a ON a.grant_id = g.id JOIN users u ON u.id = g.user_id JOIN clients c ON c.id = g.client_id
    WHERE g.user_id = :userId AND a.parent_id IS NOT NULL AND a.revoked_at IS NULL AND a.idle_until > :now
      AND a.user_epoch = u.epoch AND a.client_epoch = c.epoch AND ${lineageLives('a')}
    GROUP BY a.client_id, a.lineage ORDER BY MIN(a.id) LIMIT ${most}`;
  type Row = Columns<'authorizations', 'clientId' | 'lineage'> & { since: Moment };
  const rows = await read<Row>(sql, { userId, now });
  return rows.map(({ clientId, lineage, since }) => ({
    clientId,
    lineage: readLineage(lineage),
    since: date(since),
  }));
}
