import { type Role, roleOf } from '../people/roles.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import {
  type Columns,
  type Joined,
  orTaken,
  read,
  readOne,
  writeTogether,
} from './engine/database.ts';
import { wordsIn } from './engine/parameters.ts';
import { forgettingAnswers } from './kept-answers.ts';
import { hasEnded } from './users.ts';

/** Lets a program call the HTTP API. */
export type ApiKey = {
  id: string;
  name: string;
  /** Such as `group:write`. */
  rights: readonly string[];
  /** The person whose role limits it; null: made by the operator on the command line. */
  maker: { id: string; username: string } | null;
  /** What its maker may do now: 'none' while the account is disabled. */
  role: Role;
  networks: readonly string[];
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
};

/** The maximum number of keys, counting those that expired recently. */
export const mostApiKeys = 200;

/** How `kept_answers` identifies the caller that uses a key. */
export const callerOf = ({ id }: Pick<ApiKey, 'id'>) => `key:${id}`;

type NewApiKey = Pick<ApiKey, 'id' | 'name' | 'rights' | 'networks' | 'createdAt' | 'expiresAt'> & {
  nameKey: string;
  makerId: string | null;
};

/** Stores a key by its digest, unless there are too many or another key has its name. */
export async function storeApiKey(
  key: NewApiKey,
  hash: string,
  event: AuditEntry,
): Promise<'stored' | 'full' | 'taken'> {
  const sql = `INSERT INTO api_keys (hash, id, name, name_key, rights, maker_id, networks, created_at, expires_at)
    SELECT :hash, :id, :name, :nameKey, :rights, :makerId, :networks, CAST(:createdAt AS TIMESTAMPTZ), CAST(:expiresAt AS TIMESTAMPTZ)
    WHERE (SELECT COUNT(*) FROM api_keys) < ${mostApiKeys} RETURNING id`;
  const params = {
    ...key,
    hash,
    rights: key.rights.join(' '),
    networks: key.networks.join(' '),
  };
  const then = [auditing(event, key.createdAt)];
  const rows = await writeTogether({ sql, params }, then).catch(orTaken);
  return rows === 'taken' ? rows : rows.length > 0 ? 'stored' : 'full';
}

type KeyRow = Columns<'api_keys', Exclude<keyof Columns<'api_keys'>, 'hash' | 'nameKey'>>;
type MakerRow = Joined<Columns<'users', 'username' | 'isAdmin' | 'role' | 'disabledAt' | 'endsAt'>>;
const keys = `SELECT k.id, k.name, k.rights, k.maker_id, k.networks, k.created_at, k.expires_at, k.last_used_at,
    u.username, u.is_admin, u.role, u.disabled_at, u.ends_at
  FROM api_keys k LEFT JOIN users u ON u.id = k.maker_id`;

/** All of them, newest first, and expired ones for another 30 days. */
export async function listApiKeys(): Promise<ApiKey[]> {
  return (await read<KeyRow & MakerRow>(`${keys} ORDER BY k.id DESC`, {})).map(toKey);
}

/** The key with this id, expired or not. */
export async function findApiKey(id: string): Promise<ApiKey | null> {
  const row = await readOne<KeyRow & MakerRow>(`${keys} WHERE k.id = :id`, { id });
  return row ? toKey(row) : null;
}

/** The key with this digest, unless it has expired. */
export async function findLiveApiKey(hash: string, now: Date): Promise<ApiKey | null> {
  const sql = `${keys} WHERE k.hash = :hash AND k.expires_at > :now`;
  const row = await readOne<KeyRow & MakerRow>(sql, { hash, now });
  return row ? toKey(row) : null;
}

/** Removes a key, and the answers kept for it. False if there is none. */
export async function removeApiKey(id: string, event: AuditEntry, now: Date): Promise<boolean> {
  const sql = 'DELETE FROM api_keys WHERE id = :id RETURNING id';
  const then = [forgettingAnswers(callerOf({ id })), auditing(event, now)];
  return (await writeTogether({ sql, params: { id } }, then)).length > 0;
}

function toKey(found: KeyRow & MakerRow): ApiKey {
  const { makerId, username, isAdmin, role, disabledAt, endsAt, ...row } = found;
  const isAway = username === null || disabledAt !== null || hasEnded({ isAdmin, endsAt });
  const ofMaker = isAway ? 'none' : roleOf({ isAdmin: isAdmin ?? false, role });
  return {
    ...row,
    rights: wordsIn(row.rights),
    maker: makerId === null ? null : { id: makerId, username: username ?? makerId },
    role: makerId === null ? 'admin' : ofMaker,
    networks: wordsIn(row.networks),
  };
}
