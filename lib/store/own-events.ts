import type { AuditType } from './audit-entry.ts';
import type { Columns, Joined } from './engine/database.ts';
import { Listing, type Order } from './engine/listing.ts';
import { Conditions, type Paging } from './engine/page.ts';
import { shownName } from './shown-name.ts';

/** An audit event as the person it is about may see it. */
export type OwnEvent = {
  id: string;
  at: Date;
  type: AuditType;
  /** Who did it: the person, someone else, or no one who was signed in. */
  by: 'you' | 'other' | 'nobody';
  clientName: string | null;
  /** Where it came from; null if someone else did it. */
  address: string | null;
  /** In our own words; '' if unknown. */
  device: string;
  /** The app through which an agent acted, and the APIs it was for. */
  through?: { app: string; apis: string };
};

type OwnEventFilter = Paging & {
  userId: string;
  types: readonly AuditType[];
  since: Date;
};

type EventRow = Columns<'audit_events', 'id' | 'at' | 'type' | 'actor' | 'address' | 'detail'> &
  Columns<'audit_events', 'userId'> &
  Joined<{ clientName: string }>;

const select = `
  SELECT e.id, e.at, e.type, e.actor, e.user_id, e.address, e.detail, ${shownName('c')} AS client_name
  FROM audit_events e LEFT JOIN clients c ON c.id = e.client_id`;

/** The events of these types about a person, newest first. */
export const ownEventList = new Listing({
  sql: select,
  count: 'audit_events e',
  conditions: ({ userId, types, since }: OwnEventFilter) =>
    new Conditions()
      .and('e.user_id = ?', userId)
      .and('e.at >= ?', since)
      // The `|| ''` keeps the index on types from being used: the index on people has the events
      // in order.
      .and(`(e.type || '') IN (${types.map(() => '?').join(', ')})`, ...types),
  order: () => latestFirst,
  sorts: {},
  toRecord: toOwnEvent,
});

const latestFirst: Order<EventRow> = {
  columns: [
    { sql: 'e.at', moment: ({ at }) => at },
    { sql: 'e.id', text: ({ id }) => id },
  ],
  direction: 'descending',
};

/**
 * Leaves out where someone else is, such as an admin, because that does not concern this person.
 */
function toOwnEvent(row: EventRow): OwnEvent {
  const by = row.actor === row.userId ? 'you' : row.actor === null ? 'nobody' : 'other';
  const { device, name, apis } = JSON.parse(row.detail) as Record<string, unknown>;
  return {
    id: row.id,
    at: row.at,
    type: row.type as AuditType,
    by,
    clientName: row.clientName,
    address: by === 'other' ? null : row.address,
    device: by !== 'other' && typeof device === 'string' ? device : '',
    ...(row.type === 'agent.acted' && { through: { app: String(name), apis: String(apis) } }),
  };
}
