import { newId } from '../oauth/secrets.ts';
import { type AuditEntry, auditing } from './audit.ts';
import {
  type Columns,
  isTaken,
  laterThan,
  read,
  readOne,
  type SqlValue,
  type Statement,
  write,
  writeTogether,
} from './database.ts';
import {
  changingName,
  findReservation,
  isFree,
  lockNames,
  lockNamesAfter,
  reservedSince,
  takingName,
} from './usernames.ts';

/** A person, as the rest of the server knows them. */
export type User = {
  id: string;
  username: string;
  email: string;
  name: string | null;
  isAdmin: boolean;
  disabled: boolean;
  passwordHash: string | null;
  /** Somebody else chose the password: signing in with it goes on to a page that asks for another. */
  mustChangePassword: boolean;
  epoch: number;
};

/** The form in which names and addresses are compared: NFKC, lower case, trimmed. */
export function normalKey(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

/** What a search for a name goes by: the beginning of it, or of its last word. */
export function nameKeys(name: string | null): [string | null, string | null] {
  const key = normalKey(name ?? '') || null;
  return [key, key?.split(/\s+/).at(-1) ?? null];
}

const userColumns =
  'id, username, email, name, is_admin, disabled_at, password_hash, must_change_password, epoch';

type UserRow = Columns<
  'users',
  | 'id'
  | 'username'
  | 'email'
  | 'name'
  | 'is_admin'
  | 'disabled_at'
  | 'password_hash'
  | 'must_change_password'
  | 'epoch'
>;

/** The column that says who is meant: an address is found among addresses alone, and nothing else is. */
export function columnOfKey(key: string): 'email_key' | 'username_key' {
  return key.includes('@') ? 'email_key' : 'username_key';
}

/** The person with this user name or e-mail address, or null. */
export async function findUserByLogin(login: string): Promise<User | null> {
  // Our mails hold an invisible sign in names that look like a domain; who copies one brings it along.
  const key = normalKey(login.replaceAll('\u2060', ''));
  const [row] = await read<UserRow>(
    `SELECT ${userColumns} FROM users WHERE ${columnOfKey(key)} = $1`,
    [key],
  );
  return row ? toUser(row) : null;
}

export async function findUser(id: string): Promise<User | null> {
  const [row] = await read<UserRow>(`SELECT ${userColumns} FROM users WHERE id = $1`, [id]);
  return row ? toUser(row) : null;
}

/** The language that a person chose to be spoken to in. */
export async function findLanguageOf(id: string): Promise<string | undefined> {
  const [row] = await read<Columns<'users', 'claims'>>('SELECT claims FROM users WHERE id = $1', [
    id,
  ]);
  const claims: { locale?: unknown } = row ? JSON.parse(row.claims) : {};
  return typeof claims.locale === 'string' ? claims.locale : undefined;
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    name: row.name,
    isAdmin: row.is_admin,
    disabled: row.disabled_at !== null,
    passwordHash: row.password_hash,
    mustChangePassword: row.must_change_password,
    epoch: row.epoch,
  };
}

export type NewUser = {
  username: string;
  email: string;
  name: string | null;
  passwordHash: string | null;
  isAdmin: boolean;
  emailVerified?: boolean;
  /** Somebody else chose the password. */
  mustChangePassword?: boolean;
};

/** Why an account is not made: the name or the address is somebody's, or the name was until lately. */
export type Taken = 'username' | 'email' | 'former-username';

const insertColumns =
  'id, username, username_key, email, email_key, email_verified, name, claims, password_hash, is_admin, epoch, created_at, updated_at, name_key, last_name_key, must_change_password';
const insertValues = `SELECT $1, $2, $3, $4, $5, CAST($6 AS BOOLEAN), $7, $8, $9, CAST($10 AS BOOLEAN), CAST($11 AS INTEGER),
  CAST($12 AS TIMESTAMPTZ), CAST($13 AS TIMESTAMPTZ), $14, $15, CAST($16 AS BOOLEAN)`;

/**
 * The statement that stores a new person unless their name is reserved, and the id it gives them;
 * `condition` goes on with an AND and has parameters from $18 on. To be run under `lockNames`.
 */
export function insertingUser(
  user: NewUser,
  now: Date,
  condition = '',
  more: SqlValue[] = [],
): { id: string; statement: Statement; along: Statement } {
  const id = newId(now);
  const params = [
    id,
    user.username,
    normalKey(user.username),
    user.email,
    normalKey(user.email),
    user.emailVerified ?? false,
    user.name,
    '{}',
    user.passwordHash,
    user.isAdmin,
    0,
    now,
    now,
    ...nameKeys(user.name),
    user.mustChangePassword ?? false,
    reservedSince(now),
    ...more,
  ];
  const sql = `INSERT INTO users (${insertColumns}) ${insertValues} WHERE ${isFree('$3', '$1', '$17')} ${condition}`;
  return { id, statement: { sql, params }, along: takingName(normalKey(user.username)) };
}

/** Which value of an account that could not be made is the reason. */
export async function whatIsTaken(user: Pick<NewUser, 'username' | 'email'>): Promise<Taken> {
  const holds = async (column: string, value: string) =>
    (await read(`SELECT id FROM users WHERE ${column} = $1`, [normalKey(value)])).length > 0;
  if (await holds('username_key', user.username)) return 'username';
  return (await holds('email_key', user.email)) ? 'email' : 'former-username';
}

/**
 * Stores a new person and gives their id, or says which value somebody else has. What is to
 * happen along with it is part of the same transaction.
 */
export async function storeUser(
  user: NewUser,
  now: Date,
  along: (id: string) => Statement[] = () => [],
): Promise<{ id: string } | { taken: Taken }> {
  const { id, statement, along: taking } = insertingUser(user, now);
  const first = { ...statement, sql: `${statement.sql} ON CONFLICT DO NOTHING RETURNING id` };
  if ((await writeTogether(first, [taking, ...along(id)], lockNames)).length === 1) return { id };
  return { taken: await whatIsTaken(user) };
}

const whileThereIsNone = `AND NOT EXISTS (SELECT 1 FROM users WHERE is_admin = CAST($10 AS BOOLEAN))
  ON CONFLICT DO NOTHING RETURNING id`;
const onlyOneAtATime = 'SELECT value FROM revision WHERE id = 1 FOR UPDATE';

/** Stores the first admin, while there is none. Of several that race, one is made. */
export async function storeFirstAdmin(
  user: NewUser,
  now: Date,
): Promise<{ id: string } | { taken: Taken } | 'exists'> {
  const { id, statement } = insertingUser({ ...user, isAdmin: true }, now, whileThereIsNone);
  const rows = await writeTogether(statement, [], lockNamesAfter(onlyOneAtATime));
  if (rows.length === 1) return { id };
  return (await adminExists()) ? 'exists' : { taken: await whatIsTaken(user) };
}

export async function adminExists(): Promise<boolean> {
  return (
    (await read('SELECT 1 AS found FROM users WHERE is_admin = $1 LIMIT 1', [true])).length > 0
  );
}

/** Whether there is anybody with an account. */
export async function hasPeople(): Promise<boolean> {
  return (await read('SELECT 1 AS found FROM users LIMIT 1', [])).length > 0;
}

/** Whether this server has been set up: there is an admin. */
export const isSetUp = adminExists;

/** Puts a password in the place of the one that was verified; false: that one is no longer theirs. */
export async function replacePassword(
  id: string,
  verified: string,
  passwordHash: string,
  now: Date,
): Promise<boolean> {
  const sql =
    'UPDATE users SET password_hash = $3, updated_at = $4 WHERE id = $1 AND password_hash = $2 RETURNING id';
  return (await write(sql, [id, verified, passwordHash, now])).length === 1;
}

/** As `replacePassword`, for one that the person chose: nothing more is asked of them. */
export async function choosePassword(
  id: string,
  verified: string,
  passwordHash: string,
  now: Date,
  along: Statement[] = [],
): Promise<boolean> {
  const sql = `UPDATE users SET password_hash = $3, must_change_password = FALSE, updated_at = $4
    WHERE id = $1 AND password_hash = $2 AND disabled_at IS NULL RETURNING id`;
  const params = [id, verified, passwordHash, now];
  return (await writeTogether({ sql, params }, along)).length === 1;
}

/**
 * Gives a person another user name, unless it is somebody else's, or theirs has changed since it was
 * read; with the event that tells of it.
 */
export async function renameUser(
  user: { id: string; username: string },
  wanted: string,
  event: AuditEntry,
  now: Date,
): Promise<'done' | 'taken' | 'changed-meanwhile'> {
  const [before, after] = [normalKey(user.username), normalKey(wanted)];
  const sql = `UPDATE users SET username = $2, username_key = $3, username_unfit = FALSE, updated_at = ${laterThan('updated_at', '$4')}
    WHERE id = $1 AND username = $5 AND ${isFree('$3', '$1', '$6')} RETURNING id`;
  const params = [user.id, wanted, after, now, user.username, reservedSince(now)];
  const then = [...changingName(user.id, before, after, now), auditing(event, now)];
  try {
    if ((await writeTogether({ sql, params }, then, lockNames)).length === 1) return 'done';
    return (await findReservation(after, user.id, now)) ? 'taken' : 'changed-meanwhile';
  } catch (error) {
    if (isTaken(error)) return 'taken';
    throw error;
  }
}

/** The stored password that took longest to make: their index puts the cost before all that differs. Null: there is none. */
export async function findDearestPassword(): Promise<string | null> {
  const row = await readOne<{ dearest: string | null }>(
    'SELECT MAX(password_hash) AS dearest FROM users',
    [],
  );
  return row?.dearest ?? null;
}
