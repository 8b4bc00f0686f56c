import { typesOfArea } from './audit-entry.ts';
import { type Columns, type Joined, read } from './engine/database.ts';
import { type Kept, Listing } from './engine/listing.ts';
import { Conditions, countRows, type Paging, storable, type Total } from './engine/page.ts';
import { shownName } from './shown-name.ts';

/** A stored event, with current names. */
export type AuditRecord = {
  id: string;
  at: Date;
  type: string;
  actor: string | null;
  actorName: string | null;
  userId: string | null;
  username: string | null;
  clientId: string | null;
  clientName: string | null;
  clientAgent: boolean;
  address: string | null;
  requestId: string | null;
  detail: Record<string, unknown>;
};

export type AuditFilter = Paging & {
  /** One type (`client.created`) or all of an area (`client`). */
  type?: string;
  userId?: string;
  clientId?: string;
  actor?: string;
  requestId?: string;
  since?: Date;
  until?: Date;
  /**
   * Of a bulk action only its beginning, unless what is asked for (a type, a person, an app, a
   * request) might leave that out.
   */
  folded?: boolean;
};

const select = `
  SELECT e.id, e.at, e.type, e.actor, a.username AS actor_name, e.user_id, u.username, e.client_id, ${shownName('c')} AS client_name, c.agent,
    e.address, e.request_id, e.detail
  FROM audit_events e
  LEFT JOIN users a ON a.id = e.actor
  LEFT JOIN users u ON u.id = e.user_id
  LEFT JOIN clients c ON c.id = e.client_id`;

type AuditRow = Columns<'audit_events'> &
  Joined<{ actorName: string; username: string; clientName: string }> &
  Joined<Columns<'clients', 'agent'>>;

const byTime: Kept<AuditRow>[] = [
  { sql: 'e.at', moment: ({ at }) => at },
  { sql: 'e.id', text: ({ id }) => id },
];

/** Audit events, newest first. */
export const auditList = new Listing({
  sql: select,
  count: countAudit,
  conditions: conditionsOf,
  split: eachType,
  order: () => ({ columns: byTime, direction: 'descending' }),
  sorts: { when: byTime },
  toRecord: toAuditRecord,
});

/** The event with this id, or null. */
export async function findAudit(id: string): Promise<AuditRecord | null> {
  const [row] = await read<AuditRow>(`${select} WHERE e.id = :id`, { id: storable(id) });
  return row ? toAuditRecord(row) : null;
}

/** More than anyone pages through. */
const countedAtMost = 10_000;

async function countAudit(filter: AuditFilter): Promise<Total> {
  const totals = await Promise.all(
    eachType(filter).map((each) => countRows('audit_events e', conditionsOf(each), countedAtMost)),
  );
  const count = totals.reduce((sum, total) => sum + total.count, 0);
  const more = count > countedAtMost || totals.some((total) => total.more);
  return { count: Math.min(count, countedAtMost), more };
}

/** The types that a filter names, one by one: a condition with several would sort all their events. */
function eachType(filter: AuditFilter): AuditFilter[] {
  const { type } = filter;
  if (!type || type.includes('.')) return [filter];
  return typesOfArea(type).map((each) => ({ ...filter, type: each }));
}

function conditionsOf(filter: AuditFilter): Conditions {
  const { type, userId, clientId, actor, requestId, since, until, folded } = filter;
  const conditions = new Conditions();
  if (type) conditions.and('e.type = ?', type);
  if (userId) conditions.and('e.user_id = ?', userId);
  if (clientId) conditions.and('e.client_id = ?', clientId);
  if (actor) conditions.and('e.actor = ?', actor);
  if (requestId) conditions.and('e.request_id = ?', requestId);
  if (since) conditions.and('e.at >= ?', since);
  if (until) conditions.and('e.at < ?', until);
  if (folded && !(type || userId || clientId || requestId))
    conditions.and(
      `(e.request_id IS NULL OR e.type IN ('batch.started', 'batch.stopped') OR e.request_id NOT IN (
        SELECT b.request_id FROM audit_events b
        WHERE b.type = 'batch.started' AND b.request_id IS NOT NULL AND b.at >= ?))`,
      since ?? new Date(0),
    );
  return conditions;
}

function toAuditRecord({ agent, detail, ...row }: AuditRow): AuditRecord {
  return { ...row, clientAgent: agent === true, detail: JSON.parse(detail) };
}
