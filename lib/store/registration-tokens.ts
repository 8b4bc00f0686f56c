import { type AuditEntry, auditing } from './audit.ts';
import { type Columns, read, readOne, writeTogether } from './engine/database.ts';

/** Lets an app register itself (RFC 7591 section 1.2, "initial access token"). */
export type RegistrationToken = {
  id: string;
  name: string;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
};

/** How many there can be, those that expired lately among them. */
export const mostRegistrationTokens = 100;

/** Stores a token by its digest, unless there are too many. */
export async function storeRegistrationToken(
  { id, name, expiresAt }: Pick<RegistrationToken, 'id' | 'name' | 'expiresAt'>,
  hash: string,
  event: AuditEntry,
  now: Date,
): Promise<'stored' | 'full'> {
  const sql = `INSERT INTO registration_tokens (hash, id, name, created_at, expires_at)
    SELECT $1, $2, $3, CAST($4 AS TIMESTAMPTZ), CAST($5 AS TIMESTAMPTZ)
    WHERE (SELECT COUNT(*) FROM registration_tokens) < ${mostRegistrationTokens} RETURNING id`;
  const params = [hash, id, name, now, expiresAt];
  const rows = await writeTogether({ sql, params }, [auditing(event, now)]);
  return rows.length > 0 ? 'stored' : 'full';
}

type TokenRow = Columns<'registration_tokens', Exclude<keyof Row, 'hash'>>;
type Row = Columns<'registration_tokens'>;
const columns = 'id, name, created_at, expires_at, last_used_at';

/** All of them, newest first. */
export async function listRegistrationTokens(): Promise<RegistrationToken[]> {
  const sql = `SELECT ${columns} FROM registration_tokens ORDER BY id DESC`;
  return (await read<TokenRow>(sql, [])).map(toToken);
}

/** The token with this id, expired or not. */
export async function findRegistrationToken(id: string): Promise<RegistrationToken | null> {
  const sql = `SELECT ${columns} FROM registration_tokens WHERE id = $1`;
  const row = await readOne<TokenRow>(sql, [id]);
  return row ? toToken(row) : null;
}

/** Whether a token with this digest may be used now. */
export async function isRegistrationToken(hash: string, now: Date): Promise<boolean> {
  const sql = 'SELECT id FROM registration_tokens WHERE hash = $1 AND expires_at > $2';
  return (await readOne<Columns<'registration_tokens', 'id'>>(sql, [hash, now])) !== undefined;
}

/** Removes a token: it registers nothing from now on. False if there is none. */
export async function removeRegistrationToken(
  id: string,
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const sql = 'DELETE FROM registration_tokens WHERE id = $1 RETURNING id';
  return (await writeTogether({ sql, params: [id] }, [auditing(event, now)])).length > 0;
}

function toToken(row: TokenRow): RegistrationToken {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    lastUsedAt: row.lastUsedAt,
  };
}
