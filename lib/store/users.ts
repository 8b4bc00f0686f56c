import { foldName } from '../oauth/name.ts';
import { newId } from '../oauth/secrets.ts';
import { spelledAsStored } from '../people/email.ts';
import { type Role, roleOf } from '../people/roles.ts';
import { sortKey } from '../people/sort-key.ts';
import { usernameGlance } from '../people/username-glance.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type Columns, laterThan, orTaken, read, write, writeTogether } from './engine/database.ts';
import { inList } from './engine/parameters.ts';
import type { SqlValue, Statement } from './engine/statement.ts';
import { forgettingRemembered } from './remembered-devices.ts';
import { endingSetUpLinks, holdingSetUpLinks, noAdmin } from './set-up-links.ts';
import {
  changingName,
  findReservation,
  isUsernameFree,
  looksLikeNobody,
  looksTaken,
  reservedSince,
  takingName,
} from './usernames.ts';

export type User = {
  id: string;
  username: string;
  email: string;
  name: string | null;
  isAdmin: boolean;
  role: Role;
  /** An admin requires a second factor of them. */
  requireSecondFactor: boolean;
  disabled: boolean;
  passwordHash: string | null;
  /** An admin set the password: sign-in leads to a page that asks for a new one. */
  mustChangePassword: boolean;
  /** When the account is to be deleted, if its owner asked for that. */
  deletionAt: Date | null;
  epoch: number;
  /** Browsers that signed in before are unknown again; null: none for that reason. */
  knownFrom: Date | null;
};

/**
 * Folds a name or stored address for comparison: NFKC, lower case (Unicode's, of no language),
 * without what comes along with pasted text, and without joiners, since nobody types them alike.
 */
export function normalKey(text: string): string {
  return foldName(text.normalize('NFKC'))
    .replace(/[\u200c\u200d]/g, '')
    .toLowerCase();
}

/** The beginning of the keys that a search looks for. */
export const searchKeyOf = ({ search }: { search?: string }): string =>
  normalKey(search ?? '').slice(0, 300);

/** The search keys of a name: its start, and the start of its last word. */
export function nameKeys(name: string | null): [string | null, string | null] {
  const key = normalKey(name ?? '') || null;
  return [key, key?.split(/\s+/).at(-1) ?? null];
}

/** The place of a user in lists by name, which show the username of a user without a name. */
export const sortKeyOf = ({ name, username }: { name: string | null; username: string }): string =>
  sortKey(name || username);

const userColumns =
  'id, username, email, name, is_admin, role, require_second_factor, disabled_at, ends_at, password_hash, must_change_password, deletion_at, epoch, known_from';

/** These columns, of what a statement calls the table of users. */
export const userColumnsOf = (users: string) =>
  userColumns
    .split(', ')
    .map((column) => `${users}.${column}`)
    .join(', ');

export type UserRow = Columns<
  'users',
  | 'id'
  | 'username'
  | 'email'
  | 'name'
  | 'isAdmin'
  | 'role'
  | 'requireSecondFactor'
  | 'disabledAt'
  | 'endsAt'
  | 'passwordHash'
  | 'mustChangePassword'
  | 'deletionAt'
  | 'epoch'
  | 'knownFrom'
>;

/** The column an identifier is looked up in: email addresses only among email addresses. */
export function columnOfKey(key: string): 'email_key' | 'username_key' {
  return key.includes('@') ? 'email_key' : 'username_key';
}

/**
 * A username or email address as it was typed, for comparison. Tries are counted by it as well, so
 * every spelling that finds the same account counts as one name: capitals, full-width letters, both
 * spellings of a domain, and invisible signs, which our own mails put into names that look like a
 * domain.
 */
export function loginKey(login: string): string {
  return normalKey(/[@＠﹫]/.test(login) ? spelledAsStored(login) : login);
}

/** The user with this username or email address, or null. */
export async function findUserByLogin(login: string): Promise<User | null> {
  const key = loginKey(login);
  const [row] = await read<UserRow>(
    `SELECT ${userColumns} FROM users WHERE ${columnOfKey(key)} = :key`,
    { key },
  );
  return row ? toUser(row) : null;
}

export async function findUser(id: string): Promise<User | null> {
  const [row] = await read<UserRow>(`SELECT ${userColumns} FROM users WHERE id = :id`, { id });
  return row ? toUser(row) : null;
}

/** Those of these addresses (as keys) that belong to a user. */
export async function keysOfPeople(keys: readonly string[]): Promise<Set<string>> {
  const { marks, params } = inList('key', keys);
  const sql = `SELECT email_key FROM users WHERE email_key IN (${marks})`;
  const rows = await read<Columns<'users', 'emailKey'>>(sql, params);
  return new Set(rows.map(({ emailKey }) => emailKey));
}

/** Whether the user's email address is verified. */
export async function isEmailVerified(id: string): Promise<boolean> {
  const [row] = await read<Columns<'users', 'emailVerified'>>(
    'SELECT email_verified FROM users WHERE id = :id',
    { id },
  );
  return row?.emailVerified ?? false;
}

/** The language a user has chosen. */
export async function findLanguageOf(id: string): Promise<string | undefined> {
  const [row] = await read<Columns<'users', 'claims'>>('SELECT claims FROM users WHERE id = :id', {
    id,
  });
  const claims: { locale?: unknown } = row ? JSON.parse(row.claims) : {};
  return typeof claims.locale === 'string' ? claims.locale : undefined;
}

export const toUser = ({ disabledAt, endsAt, ...row }: UserRow): User => ({
  ...row,
  role: roleOf(row),
  disabled: disabledAt !== null || hasEnded({ ...row, endsAt }),
});

/**
 * Whether an account has reached its date, also if nothing has disabled it yet. Admins' accounts do
 * not end.
 */
export const hasEnded = ({ isAdmin, endsAt }: { isAdmin: boolean | null; endsAt: Date | null }) =>
  !isAdmin && endsAt !== null && endsAt <= new Date();

export type NewUser = {
  username: string;
  email: string;
  name: string | null;
  passwordHash: string | null;
  isAdmin: boolean;
  emailVerified?: boolean;
  /** An admin set the password. */
  mustChangePassword?: boolean;
  /** Their id where they come from; otherwise a new one is made. */
  id?: string;
};

/**
 * Why an account can't be created: the name or address is taken, or the name is reserved or looks
 * like another user's.
 */
export type Taken = 'username' | 'email' | 'former-username' | 'look-alike';

const insertColumns =
  'id, username, username_key, email, email_key, email_verified, name, claims, password_hash, is_admin, epoch, created_at, updated_at, name_key, last_name_key, must_change_password, username_glance, sort_key';
const insertValues = `SELECT :id, :username, :usernameKey, :email, :emailKey, CAST(:emailVerified AS BOOLEAN), :name, '{}', :passwordHash, CAST(:isAdmin AS BOOLEAN), 0,
  CAST(:now AS TIMESTAMPTZ), CAST(:now AS TIMESTAMPTZ), :nameKey, :lastNameKey, CAST(:mustChangePassword AS BOOLEAN), :glance, :sortKey`;

/**
 * The statement that stores a new user unless the name is reserved or looks like another user's,
 * and the new id. `condition` starts with AND and uses the parameters of `more`.
 */
export function insertingUser(
  user: NewUser,
  now: Date,
  condition = '',
  more: Readonly<Record<string, SqlValue>> = {},
): { id: string; statement: Statement; along: Statement } {
  const id = user.id ?? newId(now);
  const [nameKey, lastNameKey] = nameKeys(user.name);
  const params = {
    emailVerified: false,
    mustChangePassword: false,
    ...user,
    id,
    usernameKey: normalKey(user.username),
    emailKey: normalKey(user.email),
    now,
    nameKey,
    lastNameKey,
    glance: usernameGlance(user.username),
    sortKey: sortKeyOf(user),
    reservedSince: reservedSince(now),
    ...more,
  };
  const sql = `INSERT INTO users (${insertColumns}) ${insertValues} WHERE ${isUsernameFree(':usernameKey', ':id', ':reservedSince')}
    AND ${looksLikeNobody(':glance', ':id')} ${condition}`;
  return { id, statement: { sql, params }, along: takingName(params.usernameKey) };
}

/** Which value kept an account from being created. */
export async function whatIsTaken(user: Pick<NewUser, 'username' | 'email'>): Promise<Taken> {
  const holds = async (column: string, value: string) =>
    (await read(`SELECT id FROM users WHERE ${column} = :key`, { key: normalKey(value) })).length >
    0;
  if (await holds('username_key', user.username)) return 'username';
  if (await holds('email_key', user.email)) return 'email';
  return (await looksTaken(user.username, null)) ? 'look-alike' : 'former-username';
}

/** Why a user (a new one, without an id) can't have this username; null if they can. */
export async function whyNameIsTaken(
  username: string,
  userId: string | null,
  now: Date,
): Promise<Taken | null> {
  const key = normalKey(username);
  const sql = 'SELECT 1 AS found FROM users WHERE username_key = :key AND id <> :id';
  if ((await read(sql, { key, id: userId ?? '' })).length > 0) return 'username';
  if (await looksTaken(username, userId)) return 'look-alike';
  return (await findReservation(key, userId, now)) && 'former-username';
}

/**
 * Stores a new user and returns the id, or which value is taken. `along` runs in the same
 * transaction.
 */
export async function storeUser(
  user: NewUser,
  now: Date,
  along: (id: string) => Statement[] = () => [],
): Promise<{ id: string } | { taken: Taken }> {
  const { id, statement, along: taking } = insertingUser(user, now);
  const first = { ...statement, sql: `${statement.sql} ON CONFLICT DO NOTHING RETURNING id` };
  if ((await writeTogether(first, [taking, ...along(id)])).length === 1) return { id };
  return { taken: await whatIsTaken(user) };
}

const whileThereIsNone = `AND ${noAdmin} AND EXISTS (SELECT 1 FROM set_up_links WHERE hash = :linkHash)
  ON CONFLICT DO NOTHING RETURNING id`;

/**
 * Stores the first admin by a set-up link, if there is none. Of concurrent calls, one succeeds;
 * this ends all links.
 */
export async function storeFirstAdmin(
  user: NewUser,
  linkHash: string,
  now: Date,
): Promise<{ id: string } | { taken: Taken } | 'exists'> {
  const admin = { ...user, isAdmin: true };
  const { id, statement, along } = insertingUser(admin, now, whileThereIsNone, { linkHash });
  const rows = await writeTogether(statement, [along, endingSetUpLinks], [holdingSetUpLinks]);
  if (rows.length === 1) return { id };
  return (await adminExists()) ? 'exists' : { taken: await whatIsTaken(user) };
}

async function adminExists(): Promise<boolean> {
  return (
    (
      await read('SELECT 1 AS found FROM users WHERE is_admin = :isAdmin LIMIT 1', {
        isAdmin: true,
      })
    ).length > 0
  );
}

/** Whether any account exists. */
export async function hasPeople(): Promise<boolean> {
  return (await read('SELECT 1 AS found FROM users LIMIT 1', {})).length > 0;
}

/** Replaces the password that was just verified; false if it has changed. */
export async function replacePassword(
  id: string,
  verified: string,
  passwordHash: string,
  now: Date,
): Promise<boolean> {
  const sql =
    'UPDATE users SET password_hash = :passwordHash, updated_at = :now WHERE id = :id AND password_hash = :verified RETURNING id';
  return (await write(sql, { id, verified, passwordHash, now })).length === 1;
}

/**
 * Like `replacePassword`, for a password chosen by the user: no longer demands a new one, and
 * forgets the remembered devices. `along` runs in the same transaction.
 * @param verified '' if there was none until now
 */
export async function choosePassword(
  id: string,
  verified: string,
  passwordHash: string,
  now: Date,
  along: Statement[] = [],
): Promise<boolean> {
  const sql = `UPDATE users SET password_hash = :passwordHash, must_change_password = FALSE, updated_at = :now
    WHERE id = :id AND COALESCE(password_hash, '') = :verified AND disabled_at IS NULL RETURNING id`;
  const params = { id, verified, passwordHash, now };
  return (await writeTogether({ sql, params }, [forgettingRemembered(id), ...along])).length === 1;
}

/**
 * Renames a user, unless the name is taken, looks like another user's, or the user has changed;
 * with the audit event.
 */
export async function renameUser(
  user: { id: string; username: string },
  wanted: string,
  event: AuditEntry,
  now: Date,
): Promise<'done' | 'taken' | 'look-alike' | 'changed-meanwhile'> {
  const [before, after] = [normalKey(user.username), normalKey(wanted)];
  const sql = `UPDATE users SET username = :wanted, username_key = :after, username_glance = :glance, username_unfit = FALSE,
    sort_key = CASE WHEN name IS NULL THEN :sortKey ELSE sort_key END, updated_at = ${laterThan('updated_at', ':now')}
    WHERE id = :id AND username = :username AND ${isUsernameFree(':after', ':id', ':reservedSince')}
      AND ${looksLikeNobody(':glance', ':id')} RETURNING id`;
  const glance = usernameGlance(wanted);
  const { id, username } = user;
  const params = {
    id,
    username,
    wanted,
    after,
    now,
    glance,
    sortKey: sortKey(wanted),
    reservedSince: reservedSince(now),
  };
  const then = [...changingName(user.id, before, after, now), auditing(event, now)];
  const rows = await writeTogether({ sql, params }, then).catch(orTaken);
  if (rows !== 'taken' && rows.length === 1) return 'done';
  const why = await whyNameIsTaken(wanted, user.id, now);
  return why === 'look-alike' ? why : why ? 'taken' : 'changed-meanwhile';
}
