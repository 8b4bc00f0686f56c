import { deviceGrant } from '../oauth/grant-types.ts';
import { listed } from './access.ts';
import { type Columns, type Joined, read } from './engine/database.ts';
import { type Kept, Listing } from './engine/listing.ts';
import { Conditions, type Paging } from './engine/page.ts';
import { inList } from './engine/parameters.ts';
import { shownName } from './shown-name.ts';
import { placeOf } from './sort-keys.ts';

/** An app in which people sign in; `open` if everyone may use it. */
export type MatrixApp = { id: string; name: string; disabled: boolean; open: boolean };

/** Why someone may use an app; the group is the first by name of those it lists. */
export type Way = { by: 'everyone' | 'name' } | { by: 'group'; group: string };

/**
 * A user's relation to an app: why they may use it now (null if they may not), when they allowed
 * it, and when they last used it.
 */
export type Usage = { way: Way | null; allowedAt: Date | null; usedAt: Date | null };

/** Apps with this ID, with this kind of access, that list this user, or that are enabled. */
type MatrixFilter = Paging & {
  clientId?: string | undefined;
  access?: 'everybody' | 'listed' | undefined;
  listing?: string;
  enabled?: true;
};

const inColumns = "' ' || grants || ' ' LIKE ?";

function conditionsOf({ clientId, access, listing, enabled }: MatrixFilter): Conditions {
  const signsIn = [`% authorization_code %`, `% ${deviceGrant} %`];
  const conditions = new Conditions().and(`(${inColumns} OR ${inColumns})`, ...signsIn);
  if (clientId !== undefined) conditions.and('id = ?', clientId);
  if (access !== undefined) conditions.and('access = ?', access);
  if (enabled) conditions.and('disabled_at IS NULL');
  if (listing !== undefined) conditions.and(listed('clients.id', '?'), listing, listing);
  return conditions;
}

type AppRow = Columns<'clients', 'id' | 'access' | 'disabledAt' | 'sortKey'> & {
  shownName: string;
};

const byName: Kept<AppRow>[] = [
  { sql: placeOf.client('clients'), text: (row) => row.sortKey ?? '' },
  { sql: 'id', text: (row) => row.id },
];

/** The apps in which people sign in, by name. */
export const matrixApps = new Listing({
  sql: `SELECT id, access, disabled_at, sort_key, ${shownName('clients')} AS shown_name FROM clients`,
  count: 'clients',
  conditions: conditionsOf,
  order: () => ({ columns: byName, direction: 'ascending' }),
  sorts: { name: byName },
  toRecord: ({ id, shownName: name, access, disabledAt }): MatrixApp => {
    return { id, name, disabled: disabledAt !== null, open: access === 'everybody' };
  },
});
type Cell = {
  userId: string;
  clientId: string;
  way: 'everyone' | 'name' | 'group' | null;
} & Joined<{
  createdAt: Date;
  lastUsedAt: Date;
}> & { groupName: string | null };

/** The relation of each of these people to each of these apps, by `usageKey`. */
export async function readUsage(
  userIds: readonly string[],
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, Usage>> {
  if (userIds.length === 0 || clientIds.length === 0) return new Map();
  const [users, clients] = [inList('user', userIds), inList('client', clientIds)];
  const group = `(SELECT MIN(lg.name) FROM client_groups cg JOIN group_members gm ON gm.group_id = cg.group_id
      JOIN user_groups lg ON lg.id = cg.group_id WHERE cg.client_id = c.id AND gm.user_id = u.id)`;
  const sql = `SELECT u.id AS user_id, c.id AS client_id, g.created_at, g.last_used_at,
      ${group} AS group_name,
      CASE WHEN u.disabled_at IS NOT NULL OR c.disabled_at IS NOT NULL THEN NULL
        WHEN c.access = 'everybody' THEN 'everyone'
        WHEN NOT ${listed('c.id', 'u.id')} THEN NULL
        WHEN ${group} IS NOT NULL THEN 'group' ELSE 'name' END AS way
    FROM users u CROSS JOIN clients c
    LEFT JOIN grants g ON g.user_id = u.id AND g.client_id = c.id
    WHERE u.id IN (${users.marks}) AND c.id IN (${clients.marks})`;
  const rows = await read<Cell>(sql, { ...users.params, ...clients.params });
  return new Map(
    rows.map(({ userId, clientId, way: by, groupName: group, ...row }) => {
      const way: Way | null = by === 'group' ? { by, group: group ?? '' } : by && { by };
      return [
        usageKey(userId, clientId),
        { way, allowedAt: row.createdAt, usedAt: row.lastUsedAt },
      ];
    }),
  );
}

/** The key of a user and a client. The id of a user contains no spaces. */
export const usageKey = (userId: string, clientId: string) => `${userId} ${clientId}`;
