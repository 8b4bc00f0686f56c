import { deviceGrant } from '../oauth/grant-types.ts';
import { listed } from './access.ts';
import { type Columns, type Joined, read } from './engine/database.ts';
import { readNumbered } from './engine/numbered.ts';
import { Conditions, countRows, type Total } from './engine/page.ts';
import { inList } from './engine/parameters.ts';
import { shownName } from './shown-name.ts';

/** An app in which people sign in. */
export type MatrixApp = { id: string; name: string; disabled: boolean };

/**
 * A user's relation to an app: whether they may use it now, when they allowed it, and when they
 * last used it.
 */
export type Usage = { may: boolean; allowedAt: Date | null; usedAt: Date | null };

const inColumns = "' ' || grants || ' ' LIKE ?";

function conditionsOf(clientId?: string): Conditions {
  const signsIn = [`% authorization_code %`, `% ${deviceGrant} %`];
  const conditions = new Conditions().and(`(${inColumns} OR ${inColumns})`, ...signsIn);
  return clientId === undefined ? conditions : conditions.and('id = ?', clientId);
}

/** How many apps there are in which people sign in. */
export const countMatrixApps = (clientId?: string): Promise<Total> =>
  countRows('clients', conditionsOf(clientId));

/** A page of these apps, by name. */
export function listMatrixApps(
  page: number,
  limit: number,
  clientId?: string,
): Promise<MatrixApp[]> {
  type Row = Columns<'clients', 'id' | 'disabledAt'> & { shownName: string };
  const sql = `SELECT id, disabled_at, ${shownName('clients')} AS shown_name FROM clients`;
  const conditions = conditionsOf(clientId);
  const toRecord = ({ id, shownName: name, disabledAt }: Row) => {
    return { id, name, disabled: disabledAt !== null };
  };
  const sort = { by: 'name', direction: 'ascending' } as const;
  const sorts = { name: ['name', 'id'] };
  return readNumbered({ sql, conditions, toRecord }, sorts, { page, sort, limit });
}

type Cell = { userId: string; clientId: string; may: number } & Joined<{
  createdAt: Date;
  lastUsedAt: Date;
}>;

/** The relation of each of these people to each of these apps, by `usageKey`. */
export async function readUsage(
  userIds: readonly string[],
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, Usage>> {
  if (userIds.length === 0 || clientIds.length === 0) return new Map();
  const [users, clients] = [inList('user', userIds), inList('client', clientIds)];
  const may = `u.disabled_at IS NULL AND c.disabled_at IS NULL
    AND (c.access = 'everybody' OR ${listed('c.id', 'u.id')})`;
  const sql = `SELECT u.id AS user_id, c.id AS client_id, g.created_at, g.last_used_at,
      CASE WHEN ${may} THEN 1 ELSE 0 END AS may
    FROM users u CROSS JOIN clients c
    LEFT JOIN grants g ON g.user_id = u.id AND g.client_id = c.id
    WHERE u.id IN (${users.marks}) AND c.id IN (${clients.marks})`;
  const rows = await read<Cell>(sql, { ...users.params, ...clients.params });
  return new Map(
    rows.map(({ userId, clientId, ...row }) => [
      usageKey(userId, clientId),
      { may: row.may === 1, allowedAt: row.createdAt, usedAt: row.lastUsedAt },
    ]),
  );
}

/** The key of a user and a client. The id of a user contains no spaces. */
export const usageKey = (userId: string, clientId: string) => `${userId} ${clientId}`;
