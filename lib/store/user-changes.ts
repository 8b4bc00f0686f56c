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
  isFree,
  looksLikeNobody,
  reservedSince,
  reservingName,
} from './usernames.ts';
import { nameKeys, normalKey } from './users.ts';

/*
 * What admins do to people. Each change and the event that tells of it are one transaction (`writeTogether`).
 * Somebody who can be the last enabled admin is only taken away while there is another one; the
 * lock makes those who do so at the same moment look one after the other. Who is no admin waits for nobody.
 *
 * first: the change itself, on a condition; where that is not met nothing happens.
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

/** PostgreSQL: what is about to become of these people, and what they are given, comes one after the other. */
export function holdingPeople(ids: readonly string[]): Statement {
  const { marks, params } = inList('id', ids);
  return { sql: `SELECT id FROM users WHERE id IN (${marks}) ORDER BY id FOR UPDATE`, params };
}

/** SQL: nobody is left without whom an agent acts for people. */
export const answersForNoAgent = `NOT EXISTS (SELECT 1 FROM client_contacts k JOIN clients a ON a.id = k.client_id
  WHERE k.user_id = users.id AND k.owner = TRUE AND a.agent = TRUE)`;

/** The statements that end a user's sessions and remembered devices, for the same transaction as the reason. */
export const endingSessions = (id: string): Statement[] => [
  ...endingSessionsThat('s.user_id = :id', { id }),
  forgettingRemembered(id),
];
/** The statement that clears all failed attempts of a user, for whoever has decided about them. */
const clearingThrottles = (id: string): Statement => ({
  sql: 'DELETE FROM throttles WHERE user_id = :id',
  params: { id },
});
/**
 * The statement that clears a user's failed attempts at password and mailed codes, since they have read a letter.
 * Guesses at the second factor stay counted, or whoever reads the mailbox could go on with them for ever.
 */
export const clearingFirstFactorThrottles = (id: string): Statement => ({
  sql: `DELETE FROM throttles WHERE user_id = :id AND key NOT LIKE 'factor:user:%' AND key NOT LIKE 'factor:device:%'`,
  params: { id },
});

/**
 * Says that the address of an account is its person's, since they have read a letter there. Only where the
 * mailbox is the one way in: whoever else has one may have made the account in their name, and would be
 * believed to be them from then on.
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
  /** It is so already, or the row has changed since it was seen. */
  | 'unchanged'
  | 'missing'
  | 'last-admin'
  | 'answers-for-agent'
  | 'out-of-reach';

/** Who disables or enables somebody: people, or the directory that has their password. */
type By = 'people' | 'directory';

/**
 * Disables a user and ends everything they have for good. A deletion they asked for is dropped:
 * whoever disabled them decides. Whom their directory had disabled people may disable as well: then it is
 * their doing. A directory disables those alone who are in one.
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
 * Enables a user again. Revoked sessions stay revoked. A directory enables those alone whom it disabled, and
 * nobody has disabled since: the lock lets it see what an admin has done in this instant.
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

/** Deletes a user with sessions, grants, codes and tokens; with `seen`, unless changed since. */
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

/** Deletes a user who asked for it, once that is due; `along` happens with it. */
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
  // Disabled first: the sessions tell which clients to notify.
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
 * Gives a user this role instead of `before`; it is in force with their next request. A role that
 * allows more ends their sessions and tokens: whoever reset their password may still have them.
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

/** Asks a second factor of somebody, or no longer. It is in force with their next request. */
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

/** Clears all failed attempts, so the user needn't wait. */
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
 * is reserved or looks like another's. `values` of fields change along.
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
    claims = :claims, name_key = :nameKey, last_name_key = :lastNameKey, updated_at = :updatedAt WHERE id = :id AND updated_at = :seen
    AND (username_key = :usernameKey OR ${isFree(':usernameKey', ':id', ':reservedSince')})
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

/** Runs a change that only the reach of the one who acts can forbid. */
const changeInReach = (id: string, first: Statement, then: Statement[]): Promise<Outcome> =>
  change(id, first, then, () => 'out-of-reach');

/** Runs a change. @param why what it means of the row that the condition was not met */
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
 * Runs a change that takes somebody away, who must not be the last enabled admin. Only among admins it
 * waits for others.
 * @param first the change, whose condition has to have `mayGo`
 * @param explains whether the row says by itself that there is nothing to do: `unchanged`
 * @returns `refused` where it does not: they are the last admin, or another part of the condition was not met
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

/** Runs a change that takes somebody away who must neither be the last admin nor answer for an agent. */
export async function takeAwayOwner(...said: Parameters<typeof takeAway>): Promise<Outcome> {
  const outcome = await takeAway(...said);
  if (outcome !== 'refused') return outcome;
  const [id] = said;
  const sql = `SELECT id FROM users WHERE id = :id AND NOT ${answersForNoAgent}`;
  return (await read(sql, { id })).length > 0 ? 'answers-for-agent' : 'last-admin';
}
