import type { StoredClaims } from '../oauth/claims.ts';
import { type Role, roleOf } from '../people/roles.ts';
import { usernameGlance } from '../people/username-glance.ts';
import { inReach, type Reach } from './actor.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import {
  anotherAdmin,
  answersForNoAgent,
  change,
  endingSessions,
  holdingAdmins,
  holdingPeople,
  type Outcome,
  type Standing,
  takeAway,
  takeAwayOwner,
} from './changing-people.ts';
import { isDisabledByDirectory, isOfDirectory, notingDisabled } from './directories.ts';
import { type Columns, laterThan, writeTogether } from './engine/database.ts';
import type { SqlValue, Statement } from './engine/statement.ts';
import { holdingFieldsForValues, settingFieldValues, type ValueChange } from './user-fields.ts';
import {
  changingName,
  isUsernameFree,
  looksLikeNobody,
  reservedSince,
  reservingName,
} from './usernames.ts';
import { nameKeys, normalKey, sortKeyOf } from './users.ts';

/** The statement that clears all failed attempts of a user, after a decision about this user. */
const clearingThrottles = (id: string): Statement => ({
  sql: 'DELETE FROM throttles WHERE user_id = :id',
  params: { id },
});
/**
 * The statement that clears a user's failed attempts at the password and at mailed codes, because
 * they have shown that they read their mail. Guesses at the second factor stay counted; otherwise
 * anyone who can read the mailbox could go on with them for ever.
 */
export const clearingFirstFactorThrottles = (id: string): Statement => ({
  sql: `DELETE FROM throttles WHERE user_id = :id AND key NOT LIKE 'factor:user:%' AND key NOT LIKE 'factor:device:%'`,
  params: { id },
});

/**
 * Marks the address of an account as verified, because its owner has read a mail there. Only if the
 * mailbox is the only way to sign in: someone with another way may have made the account in the
 * owner's name, and would be taken for them from then on.
 */
export async function proveAddress(
  { id, email }: { id: string; email: string },
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const sql = `UPDATE users SET email_verified = TRUE, updated_at = ${laterThan('updated_at', ':now')}
    WHERE id = :id AND email_key = :key AND email_verified = FALSE AND password_hash IS NULL AND disabled_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = users.id)
      AND NOT EXISTS (SELECT 1 FROM identities i WHERE i.user_id = users.id)
      AND NOT ${isOfDirectory('users.id')}
    RETURNING id`;
  const first = { sql, params: { id, key: normalKey(email), now } };
  return (await writeTogether(first, [auditing(event, now)])).length > 0;
}

/** Who disables or enables a user: people, or the directory that has their password. */
type By = 'people' | 'directory';

/**
 * Disables a user and ends everything they have for good. A deletion they asked for is dropped:
 * from now on, it is up to those who disabled them. People may also disable a user whom the
 * directory has disabled, and then it counts as their own decision. A directory disables only users
 * who are in one.
 */
export async function disableUser(
  id: string,
  event: AuditEntry,
  now: Date,
  by: By = 'people',
): Promise<Outcome> {
  const may =
    by === 'people'
      ? `(disabled_at IS NULL OR ${isDisabledByDirectory('users.id')})`
      : `disabled_at IS NULL AND ${isOfDirectory('users.id')}`;
  const first = (mayGo: string) => ({
    sql: `UPDATE users SET disabled_at = COALESCE(disabled_at, CAST(:now AS TIMESTAMPTZ)), deletion_at = NULL, epoch = epoch + 1,
        updated_at = :now
      WHERE id = :id AND ${may} AND ${mayGo} RETURNING id`,
    params: { id, now },
  });
  const noting = notingDisabled(id, by === 'directory');
  const then = [...endingSessions(id), noting, auditing(event, now)];
  const outcome = await takeAway(id, { first, then }, ({ disabledAt }) => disabledAt !== null);
  return outcome === 'refused' ? 'last-admin' : outcome;
}

/**
 * Enables a user again. Revoked sessions stay revoked. A directory enables only users whom it
 * disabled itself, and whom no one else has disabled since: the lock lets it see what an admin is
 * doing at this moment.
 */
export function enableUser(
  id: string,
  event: AuditEntry,
  now: Date,
  by: By = 'people',
): Promise<Outcome> {
  const may = by === 'people' ? 'TRUE' : isDisabledByDirectory('users.id');
  // A date that has passed would disable them again, and so would having been away.
  const sql = `UPDATE users SET disabled_at = NULL, updated_at = :now, last_used_at = CAST(:now AS TIMESTAMPTZ), end_reason = NULL,
      ends_at = CASE WHEN ends_at > CAST(:now AS TIMESTAMPTZ) AND end_reason IS NULL THEN ends_at END
    WHERE id = :id AND disabled_at IS NOT NULL AND ${may} RETURNING id`;
  const first = { sql, params: { id, now } };
  const then = [notingDisabled(id, false), auditing(event, now)];
  return change(id, { first, then, hold: [holdingPeople([id])] }, () => 'unchanged');
}

/** Sets when a user's account ends; null: it does not. An admin's cannot. */
export function setUserEnd(
  id: string,
  endsAt: Date | null,
  event: AuditEntry,
  now: Date,
): Promise<Outcome> {
  // Whoever lets an unused account go on counts as using it.
  const sql = `UPDATE users SET ends_at = CAST(:endsAt AS TIMESTAMPTZ), end_told_at = NULL, end_reason = NULL,
      last_used_at = CASE WHEN end_reason IS NULL THEN last_used_at ELSE CAST(:now AS TIMESTAMPTZ) END,
      updated_at = ${laterThan('updated_at', ':now')}
    WHERE id = :id AND (is_admin = FALSE OR CAST(:endsAt AS TIMESTAMPTZ) IS NULL) RETURNING id`;
  const first = { sql, params: { id, endsAt, now } };
  const then = [auditing(event, now)];
  return change(id, { first, then }, () => 'last-admin');
}

/** The statement that gives a new account its end. */
export const givingEnd = (id: string, endsAt: Date): Statement => ({
  sql: 'UPDATE users SET ends_at = :endsAt WHERE id = :id AND is_admin = FALSE',
  params: { id, endsAt },
});

/**
 * Deletes a user with sessions, grants, codes and tokens; with `seen`, only if unchanged since.
 * `keeping` are the statements that keep them to be put back.
 */
export function deleteUser(
  id: string,
  { event, seen, keeping }: { event: AuditEntry; seen?: Date | undefined; keeping: Statement[] },
  now: Date,
): Promise<Outcome> {
  const condition = seen ? 'AND updated_at = :seen' : '';
  const isOther = ({ updatedAt }: Standing) => seen !== undefined && +updatedAt !== +seen;
  const along = { keeping, following: [auditing(event, now)] };
  return deleting(id, { condition, params: { seen: seen ?? null }, isOther }, now, along);
}

/** Deletes a user who asked for it, once that is due; `along` runs in the same transaction. */
export function deleteDueUser(
  id: string,
  event: AuditEntry,
  now: Date,
  along: Statement[],
): Promise<Outcome> {
  const condition = 'AND deletion_at <= :now AND disabled_at IS NULL';
  const isOther = ({ deletionAt, disabledAt }: Standing) =>
    deletionAt === null || deletionAt > now || disabledAt !== null;
  const following = [auditing(event, now), ...along];
  return deleting(id, { condition, params: {}, isOther }, now, { keeping: [], following });
}

type Condition = {
  condition: string;
  params: Readonly<Record<string, SqlValue>>;
  isOther: (row: Standing) => boolean;
};

function deleting(
  id: string,
  { condition, params, isOther }: Condition,
  now: Date,
  along: { keeping: Statement[]; following: Statement[] },
): Promise<Outcome> {
  // The user is disabled first, because the sessions tell which clients to notify.
  const first = (mayGo: string) => ({
    sql: `UPDATE users SET disabled_at = COALESCE(disabled_at, CAST(:now AS TIMESTAMPTZ)), epoch = epoch + 1
      WHERE id = :id AND ${mayGo} AND ${answersForNoAgent} ${condition} RETURNING id`,
    params: { ...params, id, now },
  });
  const then = [
    ...endingSessions(id),
    ...along.keeping,
    reservingName(id, now),
    { sql: 'DELETE FROM users WHERE id = :id', params: { id } },
    ...along.following,
  ];
  return takeAwayOwner(id, { first, then }, isOther);
}

const columnsOf = (role: Role) =>
  `is_admin = ${role === 'admin'}, role = ${role === 'admin' || role === 'none' ? 'NULL' : `'${role}'`}`;
const hasRole = (role: Role) =>
  role === 'admin'
    ? 'is_admin'
    : `(NOT is_admin AND COALESCE(role, '') = '${role === 'none' ? '' : role}')`;

/**
 * Gives a user this role instead of `before`; it applies from their next request. A role that
 * allows more ends their sessions and tokens, because someone who reset their password may still
 * have them.
 */
export function setRole(
  id: string,
  { before, after }: { before: Role; after: Role },
  event: AuditEntry,
  now: Date,
): Promise<Outcome> {
  const gains = before === 'none' || after === 'admin';
  const ending = gains ? ', epoch = epoch + 1' : '';
  const sql = `UPDATE users SET ${columnsOf(after)}${ending}, updated_at = ${laterThan('updated_at', ':now')}
    WHERE id = :id AND ${hasRole(before)} AND ${after === 'admin' ? 'ends_at IS NULL' : anotherAdmin} RETURNING id`;
  const why = (row: Standing) => (roleOf(row) === before ? 'last-admin' : 'unchanged');
  const hold = before === 'admin' ? holdingAdmins : undefined;
  const then = [...(gains ? endingSessions(id) : []), auditing(event, now)];
  return change(id, { first: { sql, params: { id, now } }, then, hold }, why);
}

/** Requires a second factor of a user, or no longer does. It applies from their next request. */
export function requireSecondFactor(
  id: string,
  required: boolean,
  event: AuditEntry,
  now: Date,
): Promise<Outcome> {
  const sql = `UPDATE users SET require_second_factor = :required, updated_at = ${laterThan('updated_at', ':now')}
    WHERE id = :id AND require_second_factor = :before RETURNING id`;
  const params = { id, required, before: !required, now };
  const then = [auditing(event, now)];
  return change(id, { first: { sql, params }, then }, () => 'unchanged');
}

/** Resets a password: ends everything opened with the old one and clears failed attempts. */
export function resetPassword(
  id: string,
  { hash, mustChange, reach }: { hash: string; mustChange: boolean; reach?: Reach },
  event: AuditEntry,
  now: Date,
): Promise<Outcome> {
  const sql = `UPDATE users SET password_hash = :hash, epoch = epoch + 1, updated_at = :now, must_change_password = :mustChange
    WHERE id = :id ${inReach(reach)} RETURNING id`;
  const then = [...endingSessions(id), clearingThrottles(id), auditing(event, now)];
  return changeInReach(id, { sql, params: { id, hash, now, mustChange } }, then);
}

/** Ends all sessions, codes and tokens of a user; grants stay. */
export function endEverything(
  id: string,
  event: AuditEntry,
  now: Date,
  reach?: Reach,
): Promise<Outcome> {
  const sql = `UPDATE users SET epoch = epoch + 1 WHERE id = :id ${inReach(reach)} RETURNING id`;
  return changeInReach(id, { sql, params: { id } }, [...endingSessions(id), auditing(event, now)]);
}

/** Clears all failed attempts, so that the user need not wait. */
export function clearFailures(
  id: string,
  event: AuditEntry,
  now: Date,
  reach?: Reach,
): Promise<Outcome> {
  const sql = `SELECT id FROM users WHERE id = :id ${inReach(reach)}`;
  return changeInReach(id, { sql, params: { id } }, [clearingThrottles(id), auditing(event, now)]);
}

export type Profile = {
  username: string;
  email: string;
  emailVerified: boolean;
  name: string | null;
  claims: StoredClaims;
};

/**
 * Updates a user, unless they have changed since they were read, or the new name is reserved or
 * looks like another user's. `values` of custom fields change with it.
 * @throws the driver's unique violation
 */
export function changeProfile(
  { id, username: before, updatedAt: seen }: Columns<'users', 'id' | 'username' | 'updatedAt'>,
  { values = [], ...profile }: Profile & { values?: readonly ValueChange[] },
  event: AuditEntry,
  now: Date,
): Promise<Outcome> {
  const { username, name } = profile;
  const [nameKey, lastNameKey] = nameKeys(name);
  const sql = `UPDATE users SET username_unfit = (username_unfit AND username = :username), username = :username, username_key = :usernameKey,
    username_glance = CASE WHEN username = :username THEN username_glance ELSE :glance END, email = :email, email_key = :emailKey, email_verified = :emailVerified, name = :name,
    claims = :claims, name_key = :nameKey, last_name_key = :lastNameKey, sort_key = :sortKey, updated_at = ${laterThan('updated_at', ':now')} WHERE id = :id AND updated_at = :seen
    AND (username_key = :usernameKey OR ${isUsernameFree(':usernameKey', ':id', ':reservedSince')})
    AND (username = :username OR ${looksLikeNobody(':glance', ':id')}) RETURNING id`;
  const params = {
    ...profile,
    id,
    usernameKey: normalKey(username),
    glance: usernameGlance(username),
    emailKey: normalKey(profile.email),
    claims: JSON.stringify(profile.claims),
    nameKey,
    lastNameKey,
    sortKey: sortKeyOf(profile),
    now,
    seen,
    reservedSince: reservedSince(now),
  };
  const then = [
    ...changingName(id, normalKey(before), normalKey(username), now),
    ...settingFieldValues(id, values),
    auditing(event, now),
  ];
  const hold = values.length > 0 ? [holdingFieldsForValues] : [];
  return change(id, { first: { sql, params }, then, hold }, () => 'unchanged');
}

/** Runs a change that only the actor's reach can forbid. */
const changeInReach = (id: string, first: Statement, then: Statement[]): Promise<Outcome> =>
  change(id, { first, then }, () => 'out-of-reach');
