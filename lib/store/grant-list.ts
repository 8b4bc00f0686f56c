import type { Columns } from './engine/database.ts';
import { Listing } from './engine/listing.ts';
import { Conditions, type Paging } from './engine/page.ts';
import { shownName } from './shown-name.ts';

/** A grant, as shown to admins. */
export type GrantRecord = {
  id: string;
  userId: string;
  username: string;
  name: string | null;
  clientId: string;
  clientName: string;
  scopes: string[];
  createdAt: Date;
  updatedAt: Date;
  lastUsedAt: Date | null;
};

export type GrantFilter = Paging & {
  userId?: string;
  clientId?: string;
  /** Only grants by members of this group. */
  group?: string;
  /** Only grants used since then. */
  usedSince?: Date;
  /** Only grants given before then and not used since. */
  unusedSince?: Date;
};

const select = `
  SELECT g.id, g.user_id, u.username, u.name, g.client_id, ${shownName('c')} AS client_name, g.scopes, g.created_at, g.updated_at, g.last_used_at
  FROM grants g JOIN users u ON u.id = g.user_id JOIN clients c ON c.id = g.client_id`;

type GrantRow = Omit<Columns<'grants'>, 'remembered'> &
  Columns<'users', 'username' | 'name'> & {
    clientName: string;
  };

/** The columns that grants can be sorted by. */
export const grantSorts = ['created', 'used'] as const;
export type GrantSort = (typeof grantSorts)[number];

/** Grants, newest first: ids start with their creation time. */
export const grantList = new Listing({
  sql: select,
  count: 'grants g',
  conditions: conditionsOf,
  order: () => ({ columns: [{ sql: 'g.id', text: ({ id }) => id }], direction: 'descending' }),
  sorts: { created: ['g.id'], used: [{ nullable: 'g.last_used_at' }, 'g.id'] },
  toRecord: toGrantRecord,
});

function conditionsOf(filter: GrantFilter): Conditions {
  const { userId, clientId, group, usedSince, unusedSince } = filter;
  const conditions = new Conditions();
  if (userId) conditions.and('g.user_id = ?', userId);
  if (clientId) conditions.and('g.client_id = ?', clientId);
  if (group !== undefined)
    conditions.and('g.user_id IN (SELECT user_id FROM group_members WHERE group_id = ?)', group);
  if (usedSince) conditions.and('g.last_used_at >= ?', usedSince);
  if (unusedSince) conditions.and('coalesce(g.last_used_at, g.created_at) < ?', unusedSince);
  return conditions;
}

function toGrantRecord(row: GrantRow): GrantRecord {
  return { ...row, scopes: row.scopes.split(' ').filter(Boolean) };
}
