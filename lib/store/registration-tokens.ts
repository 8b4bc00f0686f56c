import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type Columns, read, readOne, writeTogether } from './engine/database.ts';

/** Lets an app register itself (RFC 7591 section 1.2, "initial access token"). */
export type RegistrationToken = Columns<
  'registration_tokens',
  'id' | 'name' | 'createdAt' | 'expiresAt' | 'lastUsedAt'
>;

/** The maximum number of tokens, counting those that expired recently. */
export const mostRegistrationTokens = 100;

/** Stores a token by its digest, unless there are too many. */
export async function storeRegistrationToken(
  { id, name, expiresAt }: Pick<RegistrationToken, 'id' | 'name' | 'expiresAt'>,
  hash: string,
  event: AuditEntry,
  now: Date,
): Promise<'stored' | 'full'> {
  const sql = `INSERT INTO registration_tokens (hash, id, name, created_at, expires_at)
    SELECT :hash, :id, :name, CAST(:now AS TIMESTAMPTZ), CAST(:expiresAt AS TIMESTAMPTZ)
    WHERE (SELECT COUNT(*) FROM registration_tokens) < ${mostRegistrationTokens} RETURNING id`;
  const params = { hash, id, name, now, expiresAt };
  const rows = await writeTogether({ sql, params }, [auditing(event, now)]);
  return rows.length > 0 ? 'stored' : 'full';
}

const columns = 'id, name, created_at, expires_at, last_used_at';

/** All of them, newest first. */
export function listRegistrationTokens(): Promise<RegistrationToken[]> {
  const sql = `SELECT ${columns} FROM registration_tokens ORDER BY id DESC`;
  return read<RegistrationToken>(sql, {});
}

/** The token with this id, expired or not. */
export async function findRegistrationToken(id: string): Promise<RegistrationToken | null> {
  const sql = `SELECT ${columns} FROM registration_tokens WHERE id = :id`;
  return (await readOne<RegistrationToken>(sql, { id })) ?? null;
}

/** Whether a token with this digest may be used now. */
export async function isRegistrationToken(hash: string, now: Date): Promise<boolean> {
  const sql = 'SELECT id FROM registration_tokens WHERE hash = :hash AND expires_at > :now';
  return (await readOne<Columns<'registration_tokens', 'id'>>(sql, { hash, now })) !== undefined;
}

/** Removes a token, which then registers nothing any more. False if there is none. */
export async function removeRegistrationToken(
  id: string,
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const sql = 'DELETE FROM registration_tokens WHERE id = :id RETURNING id';
  return (await writeTogether({ sql, params: { id } }, [auditing(event, now)])).length > 0;
}
