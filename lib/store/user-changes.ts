import type { StoredClaims } from '../oauth/claims.ts';
import { type Role, roleOf } from '../people/roles.ts';
import { usernameGlance } from '../people/username-glance.ts';
import { inReach, type Reach } from './actor.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { isDisabledByDirectory, isOfDirectory, notingDisabled } from './directories.ts';
import { type Columns, laterThan, read, writeTogether } from './engine/database.ts';
import { inList } from './engine/parameters.ts';
import type { SqlValue, Statement } from './engine/statement.ts';
import { forgettingRemembered } from './remembered-devices.ts';
import { endingSessionsThat } from './session-endings.ts';
import { holdingFieldsForValues, settingFieldValues, type ValueChange } from './user-fields.ts';
import {
  changingName,
  isUsernameFree,
  looksLikeNobody,
  reservedSince,
  reservingName,
} from './usernames.ts';
import { nameKeys, normalKey, sortKeyOf } from './users.ts';

/*
 * What admins do to people. Each change and the event that reports it are one transaction
 * (`writeTogether`). A change that takes away someone who might be the last enabled admin only
 * happens while there is another one; the lock makes such changes run one after the other. Changes
 * to people who are not admins do not wait for them.
 *
 * first: the change itself, with a condition; if the condition is not met, nothing happens.
 * then: what follows from it.
 * hold, holding…: locks on the rows that the condition looks at (PostgreSQL).
 * mayGo: the part of a condition that says that an admin is left.
 */
const holdingAdmins: readonly Statement[] = [
  {
    sql: 'SELECT id FROM users WHERE is_admin AND disabled_at IS NULL ORDER BY id FOR UPDATE',
    params: {},
  },
];
const isEnabledAdmin = '(users.is_admin = TRUE AND users.disabled_at IS NULL)';
const isNoAdmin = `NOT ${isEnabledAdmin}`;
export const anotherAdmin = `(${isNoAdmin} OR EXISTS (
  SELECT 1 FROM users AS other WHERE other.is_admin = TRUE AND other.disabled_at IS NULL AND other.id <> users.id))`;

/**
 * PostgreSQL: makes changes to these people, and changes to what they are given, run one after the
 * other.
 */
export function holdingPeople(ids: readonly string[]): Statement {
  const { marks, params } = inList('id', ids);
  return { sql: `SELECT id FROM users WHERE id IN (${marks}) ORDER BY id FOR UPDATE`, params };
}

/**
 * SQL: the user is not responsible for an agent, which would be left without anyone responsible.
 */
export const answersForNoAgent = `NOT EXISTS (SELECT 1 FROM client_contacts k JOIN clients a ON a.id = k.client_id
  WHERE k.user_id = users.id AND k.owner = TRUE AND a.agent = TRUE)`;

/** The statements that end a user's sessions and remembered devices, for the same transaction as the reason. */
export const endingSessions = (id: string): Statement[] => [
  ...endingSessionsThat('s.user_id = :id', { id }),
  forgettingRemembered(id),
];
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

export type Outcome =
  | 'done'
  /** It was so already, or the row has changed since it was seen. */
  | 'unchanged'
  | 'missing'
  | 'last-admin'
  | 'answers-for-agent'
  | 'out-of-reach';

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
  const outcome = await takeAway(id, first, then, ({ disabledAt }) => disabledAt !== null);
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
  const sql = `UPDATE users SET disabled_at = NULL, updated_at = :now
    WHERE id = :id AND disabled_at IS NOT NULL AND ${may} RETURNING id`;
  const then = [notingDisabled(id, false), auditing(event, now)];
  const why = () => 'unchanged' as const;
  return change(id, { sql, params: { id, now } }, then, why, [holdingPeople([id])]);
}

/** Deletes a user with sessions, grants, codes and tokens; with `seen`, only if unchanged since. */
export function deleteUser(
  id: string,
  event: AuditEntry,
  now: Date,
  seen?: Date,
): Promise<Outcome> {
  const condition = seen ? 'AND updated_at = :seen' : '';
  const isOther = ({ updatedAt }: Standing) => seen !== undefined && +updatedAt !== +seen;
  return deleting(id, { condition, params: { seen: seen ?? null }, isOther }, event, now);
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
  return deleting(id, { condition, params: {}, isOther }, event, now, along);
}

type Condition = {
  condition: string;
  params: Readonly<Record<string, SqlValue>>;
  isOther: (row: Standing) => boolean;
};

function deleting(
  id: string,
  { condition, params, isOther }: Condition,
  event: AuditEntry,
  now: Date,
  along: Statement[] = [],
): Promise<Outcome> {
  // The user is disabled first, because the sessions tell which clients to notify.
  const first = (mayGo: string) => ({
    sql: `UPDATE users SET disabled_at = :now, epoch = epoch + 1
      WHERE id = :id AND ${mayGo} AND ${answersForNoAgent} ${condition} RETURNING id`,
    params: { ...params, id, now },
  });
  const then = [
    ...endingSessions(id),
    reservingName(id, now),
    { sql: 'DELETE FROM users WHERE id = :id', params: { id } },
    auditing(event, now),
    ...along,
  ];
  return takeAwayOwner(id, first, then, isOther);
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
    WHERE id = :id AND ${hasRole(before)} AND ${after === 'admin' ? 'TRUE' : anotherAdmin} RETURNING id`;
  const why = (row: Standing) => (roleOf(row) === before ? 'last-admin' : 'unchanged');
  const hold = before === 'admin' ? holdingAdmins : undefined;
  const then = [...(gains ? endingSessions(id) : []), auditing(event, now)];
  return change(id, { sql, params: { id, now } }, then, why, hold);
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
  return change(id, { sql, params }, [auditing(event, now)], () => 'unchanged');
}

/** Resets a password: ends everything opened with the old one and clears failed attempts. */
export function resetPassword(
  id: string,
  passwordHash: string,
  mustChange: boolean,
  event: AuditEntry,
  now: Date,
  reach?: Reach,
): Promise<Outcome> {
  const sql = `UPDATE users SET password_hash = :passwordHash, epoch = epoch + 1, updated_at = :now, must_change_password = :mustChange
    WHERE id = :id ${inReach(reach)} RETURNING id`;
  const then = [...endingSessions(id), clearingThrottles(id), auditing(event, now)];
  return changeInReach(id, { sql, params: { id, passwordHash, now, mustChange } }, then);
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
 * Updates a user, unless it has changed since `seen` (when the name was `before`), or the new name
 * is reserved or looks like another user's. `values` of custom fields change with it.
 * @throws the driver's unique violation
 */
export function changeProfile(
  id: string,
  before: string,
  profile: Profile,
  seen: Date,
  event: AuditEntry,
  now: Date,
  values: readonly ValueChange[] = [],
): Promise<Outcome> {
  const { username, name } = profile;
  const [nameKey, lastNameKey] = nameKeys(name);
  const sql = `UPDATE users SET username_unfit = (username_unfit AND username = :username), username = :username, username_key = :usernameKey,
    username_glance = CASE WHEN username = :username THEN username_glance ELSE :glance END, email = :email, email_key = :emailKey, email_verified = :emailVerified, name = :name,
    claims = :claims, name_key = :nameKey, last_name_key = :lastNameKey, sort_key = :sortKey, updated_at = :updatedAt WHERE id = :id AND updated_at = :seen
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
    updatedAt: now > seen ? now : new Date(seen.getTime() + 1),
    seen,
    reservedSince: reservedSince(now),
  };
  return change(
    id,
    { sql, params },
    [
      ...changingName(id, normalKey(before), normalKey(username), now),
      ...settingFieldValues(id, values),
      auditing(event, now),
    ],
    () => 'unchanged',
    values.length > 0 ? [holdingFieldsForValues] : [],
  );
}

type Standing = Columns<'users', 'isAdmin' | 'role' | 'disabledAt' | 'updatedAt' | 'deletionAt'>;

/** Runs a change that only the actor's reach can forbid. */
const changeInReach = (id: string, first: Statement, then: Statement[]): Promise<Outcome> =>
  change(id, first, then, () => 'out-of-reach');

/** Runs a change. @param why what an unmet condition means, judging by the row */
export async function change<Why extends string>(
  id: string,
  first: Statement,
  then: Statement[],
  why: (row: Standing) => Why,
  hold?: readonly Statement[],
): Promise<'done' | 'missing' | Why> {
  if ((await writeTogether(first, then, hold)).length > 0) return 'done';
  const [row] = await read<Standing>(
    'SELECT is_admin, role, disabled_at, updated_at, deletion_at FROM users WHERE id = :id',
    { id },
  );
  return row ? why(row) : 'missing';
}

/**
 * Runs a change that takes a user away, who must not be the last enabled admin. Only a change to an
 * admin waits for others.
 * @param first the change, whose condition has to include `mayGo`
 * @param explains whether the row alone shows that there is nothing to do: `unchanged`
 * @returns `refused` if it does not: they are the last admin, or another part of the condition was
 * not met
 */
export async function takeAway(
  id: string,
  first: (mayGo: string) => Statement,
  then: Statement[],
  explains: (row: Standing) => boolean,
  hold: readonly Statement[] = [holdingPeople([id])],
): Promise<'done' | 'missing' | 'unchanged' | 'refused'> {
  const why = (row: Standing) => (explains(row) ? 'unchanged' : 'refused');
  const outcome = await change(id, first(isNoAdmin), then, why, hold);
  if (outcome !== 'refused') return outcome;
  return change(id, first(anotherAdmin), then, why, [...holdingAdmins, ...hold]);
}

/**
 * Runs a change that takes a user away who must neither be the last admin nor be responsible for an
 * agent.
 */
export async function takeAwayOwner(...said: Parameters<typeof takeAway>): Promise<Outcome> {
  const outcome = await takeAway(...said);
  if (outcome !== 'refused') return outcome;
  const [id] = said;
  const sql = `SELECT id FROM users WHERE id = :id AND NOT ${answersForNoAgent}`;
  return (await read(sql, { id })).length > 0 ? 'answers-for-agent' : 'last-admin';
}
