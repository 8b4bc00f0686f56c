import type { Columns } from './database.ts';
import { Conditions, type Page, type Paging, readCursor, readPage } from './page.ts';

/** A grant, as shown to admins. */
export type GrantRecord = {
  id: string;
  userId: string;
  username: string;
  clientId: string;
  clientName: string;
  scopes: string[];
  createdAt: Date;
  updatedAt: Date;
  lastUsedAt: Date | null;
};

export type GrantFilter = Paging & { userId?: string; clientId?: string };

const select = `
  SELECT g.id, g.user_id, u.username, g.client_id, c.name AS client_name, g.scopes, g.created_at, g.updated_at, g.last_used_at
  FROM grants g JOIN users u ON u.id = g.user_id JOIN clients c ON c.id = g.client_id`;

type GrantRow = Omit<Columns<'grants'>, 'remembered'> & { username: string; client_name: string };

/** Grants, newest first. */
export function listGrants({
  userId,
  clientId,
  cursor,
  limit = 50,
}: GrantFilter): Promise<Page<GrantRecord>> {
  const conditions = new Conditions();
  if (userId) conditions.and('g.user_id = ?', userId);
  if (clientId) conditions.and('g.client_id = ?', clientId);
  // Ids start with their creation time.
  if (cursor) conditions.and('g.id < ?', ...readCursor(cursor, ['string']));
  return readPage(select, conditions, 'g.id DESC', limit, toGrantRecord, (grant) => [grant.id]);
}

function toGrantRecord(row: GrantRow): GrantRecord {
  return {
    id: row.id,
    userId: row.user_id,
    username: row.username,
    clientId: row.client_id,
    clientName: row.client_name,
    scopes: row.scopes.split(' ').filter(Boolean),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastUsedAt: row.last_used_at,
  };
}
