import { type AccountBasis, stillShown } from './account-basis.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { holdingPeople } from './changing-people.ts';
import { type Columns, read, readOne, write, writeTogether } from './engine/database.ts';

/** The host that passkeys belong to: the relying party ID of WebAuthn, which has neither scheme nor port. */
export const rpIdOf = (issuer: string): string => new URL(issuer).hostname;

/** A WebAuthn credential. */
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
  /** The host it works at; null: this one, until the next start notes it. */
  rpId: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
};

const columns =
  'id, user_id, name, public_key, counter, transports, syncable, backed_up, aaguid, rp_id, created_at, last_used_at';

export async function listPasskeys(userId: string): Promise<Passkey[]> {
  const sql = `SELECT ${columns} FROM passkeys WHERE user_id = :userId ORDER BY created_at, id`;
  return (await read<Columns<'passkeys'>>(sql, { userId })).map(toPasskey);
}

export async function findPasskey(id: string): Promise<Passkey | null> {
  const sql = `SELECT ${columns} FROM passkeys WHERE id = :id`;
  const row = await readOne<Columns<'passkeys'>>(sql, { id });
  return row ? toPasskey(row) : null;
}

function toPasskey(row: Columns<'passkeys'>): Passkey {
  return { ...row, transports: row.transports.split(' ').filter(Boolean) };
}

/** More than anyone needs; a limit so that no one can fill the database. */
const maxPasskeys = 25;

// PostgreSQL needs to know the type of a parameter that is selected.
const insert = (condition: string) => `
  INSERT INTO passkeys (${columns})
  SELECT :id, u.id, :name, :publicKey, CAST(:counter AS BIGINT), :transports, CAST(:syncable AS BOOLEAN),
    CAST(:backedUp AS BOOLEAN), :aaguid, CAST(:rpId AS TEXT), CAST(:now AS TIMESTAMPTZ), NULL
  FROM users u WHERE u.id = :userId AND ${condition}
    AND (SELECT COUNT(*) FROM passkeys WHERE user_id = :userId) < ${maxPasskeys}
  ON CONFLICT (id) DO NOTHING RETURNING id`;

/**
 * Stores a passkey, while the user's proof that the account is theirs is still valid. A credential
 * belongs to one user, and is stored only once.
 */
export async function storePasskey(
  passkey: Omit<Passkey, 'createdAt' | 'lastUsedAt'>,
  basis: AccountBasis,
  event: AuditEntry,
  now: Date,
): Promise<'stored' | 'refused'> {
  const { condition, params } = stillShown(basis);
  const said = { ...passkey, transports: passkey.transports.join(' '), now };
  const first = { sql: insert(condition), params: { ...params, ...said } };
  const hold = [holdingPeople([passkey.userId])];
  const rows = await writeTogether(first, [auditing(event, now)], hold);
  return rows.length === 1 ? 'stored' : 'refused';
}

/**
 * Notes a use. A signature counter that does not grow indicates a copied key (WebAuthn section
 * 6.1.1), so the use is refused, even if two uses race. Authenticators that do not count stay at 0.
 */
export async function takePasskeyUse(
  id: string,
  counter: number,
  backedUp: boolean,
  now: Date,
): Promise<'used' | 'refused'> {
  const sql = `UPDATE passkeys SET counter = :counter, backed_up = :backedUp, last_used_at = :now
    WHERE id = :id AND (counter < :counter OR (counter = 0 AND :counter = 0)) RETURNING id`;
  return (await write(sql, { id, counter, backedUp, now })).length === 1 ? 'used' : 'refused';
}

export async function renamePasskey(
  { userId, id }: { userId: string; id: string },
  name: string,
  event: AuditEntry,
  now: Date,
): Promise<'renamed' | 'none'> {
  const sql = 'UPDATE passkeys SET name = :name WHERE user_id = :userId AND id = :id RETURNING id';
  const rows = await writeTogether({ sql, params: { userId, id, name } }, [auditing(event, now)]);
  return rows.length === 1 ? 'renamed' : 'none';
}
