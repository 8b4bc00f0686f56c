import { type AuditEntry, auditing } from './audit.ts';
import { type Columns, read, type SqlValue, write, writeTogether } from './engine/database.ts';

/** The host that passkeys belong to: the relying party ID of WebAuthn, which has neither scheme nor port. */
export const rpIdOf = (issuer: string): string => new URL(issuer).hostname;

/** A credential of WebAuthn. */
export type Passkey = {
  /** The credential's id, base64url. */
  id: string;
  userId: string;
  name: string;
  /** COSE key, base64url. */
  publicKey: string;
  counter: number;
  transports: string[];
  syncable: boolean;
  backedUp: boolean;
  aaguid: string;
  /** The host it works at; null: this one, until the next start. */
  rpId: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
};

const columns =
  'id, user_id, name, public_key, counter, transports, syncable, backed_up, aaguid, rp_id, created_at, last_used_at';

export async function listPasskeys(userId: string): Promise<Passkey[]> {
  return (
    await read<Columns<'passkeys'>>(
      `SELECT ${columns} FROM passkeys WHERE user_id = $1 ORDER BY created_at, id`,
      [userId],
    )
  ).map(toPasskey);
}

export async function findPasskey(id: string): Promise<Passkey | null> {
  const [row] = await read<Columns<'passkeys'>>(`SELECT ${columns} FROM passkeys WHERE id = $1`, [
    id,
  ]);
  return row ? toPasskey(row) : null;
}

function toPasskey(row: Columns<'passkeys'>): Passkey {
  return {
    id: row.id,
    userId: row.userId,
    name: row.name,
    publicKey: row.publicKey,
    counter: row.counter,
    transports: row.transports.split(' ').filter(Boolean),
    syncable: row.syncable,
    backedUp: row.backedUp,
    aaguid: row.aaguid,
    rpId: row.rpId,
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
  };
}

/** More than anybody has, so that nobody fills the database. */
const maxPasskeys = 25;

// PostgreSQL wants to be told the type of a parameter that is selected.
const insert = `
  INSERT INTO passkeys (${columns})
  SELECT $1, $2, $3, $4, CAST($5 AS BIGINT), $6, CAST($7 AS BOOLEAN), CAST($8 AS BOOLEAN), $9, CAST($10 AS TEXT), CAST($11 AS TIMESTAMPTZ), NULL
  WHERE (SELECT COUNT(*) FROM passkeys WHERE user_id = $2) < ${maxPasskeys}
  ON CONFLICT (id) DO NOTHING RETURNING id`;

/** Stores a passkey; a credential is one person's once. */
export async function storePasskey(
  passkey: Omit<Passkey, 'createdAt' | 'lastUsedAt'>,
  event: AuditEntry,
  now: Date,
): Promise<'stored' | 'refused'> {
  const { id, userId, name, publicKey, counter, transports, syncable, backedUp, aaguid, rpId } =
    passkey;
  const params: SqlValue[] = [
    id,
    userId,
    name,
    publicKey,
    counter,
    transports.join(' '),
    syncable,
    backedUp,
    aaguid,
    rpId,
    now,
  ];
  const rows = await writeTogether({ sql: insert, params }, [auditing(event, now)]);
  return rows.length === 1 ? 'stored' : 'refused';
}

/**
 * Notes a use. A count of signatures that does not grow tells of a copied key (WebAuthn section
 * 6.1.1): it is refused, also when two uses race. Authenticators that do not count stay at 0.
 */
export async function takePasskeyUse(
  id: string,
  counter: number,
  backedUp: boolean,
  now: Date,
): Promise<'used' | 'refused'> {
  const sql = `UPDATE passkeys SET counter = $2, backed_up = $3, last_used_at = $4
    WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING id`;
  return (await write(sql, [id, counter, backedUp, now])).length === 1 ? 'used' : 'refused';
}

export async function renamePasskey(
  userId: string,
  id: string,
  name: string,
  event: AuditEntry,
  now: Date,
): Promise<'renamed' | 'none'> {
  const sql = 'UPDATE passkeys SET name = $3 WHERE user_id = $1 AND id = $2 RETURNING id';
  const rows = await writeTogether({ sql, params: [userId, id, name] }, [auditing(event, now)]);
  return rows.length === 1 ? 'renamed' : 'none';
}
