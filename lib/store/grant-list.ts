import type { Columns } from './engine/database.ts';
import { type Numbered, readNumbered, type SortColumns } from './engine/numbered.ts';
import {
  Conditions,
  countRows,
  type Order,
  type Page,
  type Paging,
  readPage,
  type Total,
} from './engine/page.ts';
import { shownName } from './shown-name.ts';

/** A grant, as shown to admins. */
export type GrantRecord = {
  id: string;
  userId: string;
  username: string;
  /** The user's name. */
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

/** Grants, newest first. */
export function listGrants(filter: GrantFilter): Promise<Page<GrantRecord>> {
  const list = { sql: select, conditions: conditionsOf(filter), order, toRecord: toGrantRecord };
  return readPage(list, filter);
}

/** The columns that grants can be ordered by. */
export const grantSorts = ['created', 'used'] as const;
export type GrantSort = (typeof grantSorts)[number];

const sorts: SortColumns<GrantSort> = {
  created: ['g.id'],
  used: [{ nullable: 'g.last_used_at' }, 'g.id'],
};

/** One page of grants, by its number and in the chosen order. */
export function listGrantsBy(
  filter: GrantFilter,
  wanted: Numbered<GrantSort>,
): Promise<GrantRecord[]> {
  const list = { sql: select, conditions: conditionsOf(filter), toRecord: toGrantRecord };
  return readNumbered(list, sorts, wanted);
}

/** How many grants a filter finds. */
export function countGrants(filter: GrantFilter): Promise<Total> {
  return countRows('grants g', conditionsOf(filter));
}

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

/** Ids start with their creation time. */
const order: Order<GrantRecord> = {
  columns: ['g.id'],
  kinds: ['text'],
  direction: 'descending',
  valuesOf: (grant) => [grant.id],
};

function toGrantRecord(row: GrantRow): GrantRecord {
  return { ...row, scopes: row.scopes.split(' ').filter(Boolean) };
}
