import { read, writeTogether } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';

/**
 * The maximum number of links. Every start makes one, and those of several processes all work; the
 * oldest make room.
 */
const most = 20;
const newest = `SELECT hash FROM set_up_links ORDER BY expires_at DESC, hash LIMIT ${most}`;
export const noAdmin = 'NOT EXISTS (SELECT 1 FROM users WHERE is_admin = TRUE)';

/**
 * Stores a link that makes the first admin, by the digest of its token, unless there is an admin.
 */
export async function storeSetUpLink(hash: string, expiresAt: Date): Promise<'stored' | 'set-up'> {
  const first = {
    sql: `INSERT INTO set_up_links (hash, expires_at) SELECT :hash, CAST(:expiresAt AS TIMESTAMPTZ) WHERE ${noAdmin} RETURNING hash`,
    params: { hash, expiresAt },
  };
  const cut = { sql: `DELETE FROM set_up_links WHERE hash NOT IN (${newest})`, params: {} };
  return (await writeTogether(first, [cut])).length === 1 ? 'stored' : 'set-up';
}

/** Whether this link can still make the first admin. */
export async function isSetUpLinkLive(hash: string, now: Date): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM set_up_links WHERE hash = :hash AND expires_at > :now AND ${noAdmin}`;
  return (await read(sql, { hash, now })).length > 0;
}

/** On PostgreSQL, makes concurrent uses of links run one after the other. */
export const holdingSetUpLinks: Statement = {
  sql: 'SELECT hash FROM set_up_links ORDER BY hash FOR UPDATE',
  params: {},
};
/** Ends every link, after one has been used. */
export const endingSetUpLinks: Statement = { sql: 'DELETE FROM set_up_links', params: {} };
