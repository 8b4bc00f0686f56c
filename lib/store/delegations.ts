import { type Columns, date, type Moment, read } from './engine/database.ts';
import { lineageLives, readLineage } from './lineage.ts';

/** An app that acts for a user because another app exchanged one of their tokens. */
export type Delegation = {
  clientId: string;
  /** The clients it came through, the nearest first; the user signed in to the last one. */
  lineage: readonly string[];
  since: Date;
};

/** The maximum number shown. */
const most = 200;

/** The apps that act for a user now, the earliest first; each app once per chain. */
export async function listDelegations(userId: string, now: Date): Promise<Delegation[]> {
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
