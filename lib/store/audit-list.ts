import { typesOfArea } from './audit.ts';
import type { Columns, Joined } from './database.ts';
import { Conditions, type Page, type Paging, readCursor, readPage, writeCursor } from './page.ts';

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
  since?: Date;
  until?: Date;
};

const select = `
  SELECT e.id, e.at, e.type, e.actor, a.username AS actor_name, e.user_id, u.username, e.client_id, c.name AS client_name,
    e.address, e.request_id, e.detail
  FROM audit_events e
  LEFT JOIN users a ON a.id = e.actor
  LEFT JOIN users u ON u.id = e.user_id
  LEFT JOIN clients c ON c.id = e.client_id`;

type AuditRow = Columns<'audit_events'> &
  Joined<{ actor_name: string; username: string; client_name: string }>;

/** Audit events, newest first. */
export async function listAudit(filter: AuditFilter): Promise<Page<AuditRecord>> {
  const { type, limit = 50 } = filter;
  if (!type || type.includes('.')) return listOfType(filter);
  // One index lookup per type; a condition with several types would sort them all.
  const pages = await Promise.all(
    typesOfArea(type).map((each) => listOfType({ ...filter, type: each })),
  );
  const rows = pages.flatMap((page) => page.rows).sort(latestFirst);
  const last = rows.length > limit || pages.some((page) => page.next) ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), next: last ? writeCursor(cursorOf(last)) : null };
}

function listOfType({
  type,
  userId,
  clientId,
  actor,
  since,
  until,
  cursor,
  limit = 50,
}: AuditFilter): Promise<Page<AuditRecord>> {
  const conditions = new Conditions();
  if (type) conditions.and('e.type = ?', type);
  if (userId) conditions.and('e.user_id = ?', userId);
  if (clientId) conditions.and('e.client_id = ?', clientId);
  if (actor) conditions.and('e.actor = ?', actor);
  if (since) conditions.and('e.at >= ?', since);
  if (until) conditions.and('e.at < ?', until);
  if (cursor) {
    const [at, id] = readCursor(cursor, ['number', 'string']);
    conditions.and('(e.at, e.id) < (?, ?)', new Date(Number(at)), String(id));
  }
  return readPage(select, conditions, 'e.at DESC, e.id DESC', limit, toAuditRecord, cursorOf);
}

const cursorOf = (event: AuditRecord) => [event.at.getTime(), event.id];

function latestFirst(one: AuditRecord, other: AuditRecord): number {
  return other.at.getTime() - one.at.getTime() || (other.id < one.id ? -1 : 1);
}

function toAuditRecord(row: AuditRow): AuditRecord {
  return {
    id: row.id,
    at: row.at,
    type: row.type,
    actor: row.actor,
    actorName: row.actor_name,
    userId: row.user_id,
    username: row.username,
    clientId: row.client_id,
    clientName: row.client_name,
    address: row.address,
    requestId: row.request_id,
    detail: JSON.parse(row.detail) as Record<string, unknown>,
  };
}
