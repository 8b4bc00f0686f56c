import { config } from '../config.ts';
import { newId } from '../oauth/secrets.ts';
import { comesBy } from './account-basis.ts';
import { inReach, type Reach } from './actor.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { endingSessions } from './changing-people.ts';
import { type Columns, read, readOne, write, writeTogether } from './engine/database.ts';
import type { SqlValue, Statement } from './engine/statement.ts';
import { rpIdOf } from './passkeys.ts';
import type { Provider } from './providers.ts';
import { endingSessionsThat } from './session-endings.ts';
import { anotherWay } from './ways.ts';

/** Who a person is at a provider. Only the issuer and the subject identify them. */
type Subject = { issuer: string; subject: string };

/** An identity that belongs to an account here. */
export type Identity = Subject & {
  id: string;
  userId: string;
  providerId: string;
  /** The provider's latest name for them: for display only, never to find them by. */
  label: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
};

/** An identity as its owner sees it. */
export type LinkedIdentity = Identity & {
  provider: Pick<Provider, 'slug' | 'kind' | 'name' | 'mark' | 'enabled' | 'maySignIn'>;
};

/** More than anyone needs; a limit so that no one can fill the database. */
export const mostIdentities = 20;

/**
 * On PostgreSQL, makes changes to the ways in which one person signs in run one after the other
 * (SQLite has one writer). What a statement counts or finds there then stays true until its
 * transaction ends.
 */
export const holdingIdentities = (userId: string): Statement => ({
  sql: 'SELECT id FROM users WHERE id = :userId FOR UPDATE',
  params: { userId },
});

const columns = 'id, issuer, subject, user_id, provider_id, label, created_at, last_used_at';

/** The identity with this issuer and subject, with the account it belongs to, or null. */
export async function findIdentity({ issuer, subject }: Subject): Promise<Identity | null> {
  const sql = `SELECT ${columns} FROM identities WHERE issuer = :issuer AND subject = :subject`;
  return (await readOne<Columns<'identities'>>(sql, { issuer, subject })) ?? null;
}

/**
 * SQL: another server may mean the user by their address alone. It is verified, they have no role,
 * and no identity of that issuer, which would decide.
 */
export const mayBeMeant = (user: string, issuer: string) => `(${user}.email_verified
  AND NOT ${user}.is_admin AND ${user}.role IS NULL
  AND NOT EXISTS (SELECT 1 FROM identities o WHERE o.user_id = ${user}.id AND o.issuer = ${issuer}))`;

/** Whether a server with this issuer may mean the user by their address alone. */
export async function isMeantByAddress(userId: string, issuer: string): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM users u WHERE u.id = :userId AND ${mayBeMeant('u', ':issuer')}`;
  return (await readOne(sql, { userId, issuer })) !== undefined;
}

/**
 * Whether a user may sign in with this identity: it is theirs, and its provider signs people in.
 */
export async function signsIn({ id, userId }: Pick<Identity, 'id' | 'userId'>): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM users u WHERE u.id = :userId AND ${comesBy('u.id')}`;
  return (await readOne(sql, { identityId: id, userId })) !== undefined;
}

/** The identities that a user has linked, oldest first. */
export async function listIdentities(userId: string): Promise<LinkedIdentity[]> {
  type Row = Columns<'identities'> &
    Columns<'providers', 'slug' | 'kind' | 'name' | 'mark' | 'enabled' | 'maySignIn'>;
  const sql = `SELECT i.id, i.issuer, i.subject, i.user_id, i.provider_id, i.label, i.created_at, i.last_used_at,
      p.slug, p.kind, p.name, p.mark, p.enabled, p.may_sign_in
    FROM identities i JOIN providers p ON p.id = i.provider_id WHERE i.user_id = :userId ORDER BY i.created_at, i.id`;
  const rows = await read<Row>(sql, { userId });
  return rows.map(({ slug, kind, name, mark, enabled, maySignIn, ...identity }) => ({
    ...identity,
    provider: { slug, kind: kind as Provider['kind'], name, mark, enabled, maySignIn },
  }));
}

/** Notes a sign-in with an identity, and the provider's current name for the user. */
export async function noteIdentityUse(id: string, label: string | null, now: Date): Promise<void> {
  const sql = 'UPDATE identities SET last_used_at = :now, label = :label WHERE id = :id';
  await write(sql, { id, label, now });
}

type NewIdentity = Subject & { userId: string; providerId: string; label: string | null };

/** PostgreSQL needs to know the type of a parameter that is selected. */
const insert = `INSERT INTO identities (${columns})
  SELECT :identityId, :issuer, :subject, u.id, p.id, CAST(:label AS TEXT), CAST(:now AS TIMESTAMPTZ), CAST(:usedAt AS TIMESTAMPTZ)
  FROM users u, providers p WHERE u.id = :userId AND p.id = :providerId AND p.enabled`;

function paramsOf(identity: NewIdentity, usedAt: Date | null, now: Date) {
  const { issuer, subject, userId, providerId, label } = identity;
  return { identityId: newId(now), issuer, subject, userId, providerId, label, usedAt, now };
}

/**
 * The statement that gives a new account its identity. If another account has it, the whole
 * transaction fails.
 */
export function givingIdentity(identity: NewIdentity, now: Date): Statement {
  return { sql: insert, params: paramsOf(identity, now, now) };
}

/**
 * An account as it was when its owner proved that it is theirs, and the session in which they did.
 */
type Basis = { epoch: number; passwordHash: string | null; sessionHash: string };

/**
 * Links an identity to an account that has not changed since its owner was asked, while their
 * session exists and the provider is enabled. 'taken': an account has the identity already; 'full':
 * the user has too many; 'changed': neither, so the account, its session or the provider changed.
 */
export async function linkIdentity(
  identity: NewIdentity,
  basis: Basis,
  event: AuditEntry,
  now: Date,
): Promise<'linked' | 'taken' | 'full' | 'changed'> {
  const sql = `${insert} AND u.disabled_at IS NULL AND u.epoch = :epoch AND COALESCE(u.password_hash, '') = :passwordHash
      AND EXISTS (SELECT 1 FROM sessions s WHERE s.hash = :sessionHash AND s.user_id = u.id AND s.user_epoch = u.epoch)
      AND (SELECT COUNT(*) FROM identities WHERE user_id = :userId) < ${mostIdentities}
    ON CONFLICT (issuer, subject) DO NOTHING RETURNING id`;
  const { epoch, passwordHash, sessionHash } = basis;
  const params: Record<string, SqlValue> = {
    ...paramsOf(identity, null, now),
    epoch,
    passwordHash: passwordHash ?? '',
    sessionHash,
  };
  const hold = [holdingIdentities(identity.userId)];
  const rows = await writeTogether({ sql, params }, [auditing(event, now)], hold);
  if (rows.length > 0) return 'linked';
  if (await findIdentity(identity)) return 'taken';
  return (await listIdentities(identity.userId)).length >= mostIdentities ? 'full' : 'changed';
}

/** The identity that is a user's only way to sign in, or null. */
export async function onlyWayOf(userId: string): Promise<string | null> {
  const sql = `SELECT i.id FROM identities i JOIN providers p ON p.id = i.provider_id
    WHERE i.user_id = :userId AND p.enabled AND p.may_sign_in AND NOT ${anotherWay(':userId', 'o.id <> i.id')}`;
  const params = { userId, rpId: rpIdOf(config().issuer) };
  return (await readOne<Columns<'identities', 'id'>>(sql, params))?.id ?? null;
}

/**
 * Removes an identity from its user, unless it is their last way to sign in. Ends the sessions it
 * opened, except for the one to keep, because its provider could no longer end them.
 */
export async function unlinkIdentity(
  { userId, id, keepHash }: Pick<Identity, 'userId' | 'id'> & { keepHash: string },
  event: AuditEntry,
  now: Date,
): Promise<'unlinked' | 'last-way' | 'none'> {
  const sql = `DELETE FROM identities WHERE id = :id AND user_id = :userId AND ${anotherWay(':userId', 'o.id <> :id')} RETURNING id`;
  const params = { id, userId, rpId: rpIdOf(config().issuer) };
  const hold = [holdingIdentities(userId)];
  const then = [...endingWhatCameBy(id, userId, keepHash), auditing(event, now)];
  const rows = await writeTogether({ sql, params }, then, hold);
  if (rows.length > 0) return 'unlinked';
  const left = await read('SELECT 1 FROM identities WHERE id = :id AND user_id = :userId', {
    id,
    userId,
  });
  return left.length > 0 ? 'last-way' : 'none';
}

/**
 * The statements that end the sessions opened with an identity, except for the one to keep, and
 * forget their browsers.
 */
function endingWhatCameBy(id: string, userId: string, keepHash: string): Statement[] {
  // The condition on the user is there for the index on it.
  const condition = 's.user_id = :userId AND s.identity_id = :id AND s.hash <> :keepHash';
  const params = { id, userId, keepHash };
  const sql = `DELETE FROM remembered_devices WHERE user_id = :userId
    AND session_hash IN (SELECT s.hash FROM sessions s WHERE ${condition})`;
  return [{ sql, params }, ...endingSessionsThat(condition, params)];
}

/**
 * Removes an identity from its user, whatever ways to sign in are left, and ends what was opened.
 * False: it did not exist, or its user is out of reach.
 */
export async function removeIdentity(
  { userId, id }: Pick<Identity, 'userId' | 'id'>,
  event: AuditEntry,
  now: Date,
  reach?: Reach,
): Promise<boolean> {
  const sql = `DELETE FROM identities WHERE id = :id AND user_id = :userId
    AND EXISTS (SELECT 1 FROM users WHERE users.id = :userId ${inReach(reach)}) RETURNING id`;
  const ending = {
    sql: 'UPDATE users SET epoch = epoch + 1 WHERE id = :userId',
    params: { userId },
  };
  const then = [...endingSessions(userId), ending, auditing(event, now)];
  const hold = [holdingIdentities(userId)];
  return (await writeTogether({ sql, params: { id, userId } }, then, hold)).length > 0;
}

/**
 * The statement that removes all identities from an account, because the person who linked them may
 * not own its address.
 */
export const takingIdentities = (userId: string): Statement => ({
  sql: 'DELETE FROM identities WHERE user_id = :userId',
  params: { userId },
});
