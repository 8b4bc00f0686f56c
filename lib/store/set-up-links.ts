import { read, writeTogether } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';

/** Every start makes one, and those of several processes all work; the oldest give way. */
const most = 20;
const newest = `SELECT hash FROM set_up_links ORDER BY expires_at DESC, hash LIMIT ${most}`;
export const noAdmin = 'NOT EXISTS (SELECT 1 FROM users WHERE is_admin = TRUE)';

/** Stores a link that makes the first admin, by the digest of its token, unless there is one. */
export async function storeSetUpLink(hash: string, expiresAt: Date): Promise<'stored' | 'set-up'> {
  const first = {
    sql: `INSERT INTO set_up_links (hash, expires_at) SELECT :hash, CAST(:expiresAt AS TIMESTAMPTZ) WHERE ${noAdmin} RETURNING hash`,
    params: { hash, expiresAt },
  };
  const cut = { sql: `DELETE FROM set_up_links WHERE hash NOT IN (${newest})`, params: {} };
  return (await writeTogether(first, [cut])).length === 1 ? 'stored' : 'set-up';
}

/** Whether this link makes the first admin still. */
export async function isSetUpLinkLive(hash: string, now: Date): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM set_up_links WHERE hash = :hash AND expires_at > :now AND ${noAdmin}`;
  return (await read(sql, { hash, now })).length > 0;
}

/** Those who use links at one moment come one after the other on PostgreSQL. */
export const holdingSetUpLinks: Statement = {
  sql: 'SELECT hash FROM set_up_links ORDER BY hash FOR UPDATE',
  params: {},
};
/** Ends every link: it has been used. */
export const endingSetUpLinks: Statement = { sql: 'DELETE FROM set_up_links', params: {} };
