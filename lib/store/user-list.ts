import { type StoredClaims, storedClaims } from '../oauth/claims.ts';
import { type Role, roleOf } from '../people/roles.ts';
import type { BatchSubject } from './batches.ts';
import { type Columns, positionIn, read, readListed, write } from './engine/database.ts';
import { Listing, type Order, sortingFew } from './engine/listing.ts';
import { after, Conditions, type Paging, storable } from './engine/page.ts';
import { inList } from './engine/parameters.ts';
import type { SqlValue } from './engine/statement.ts';
import { picturePath } from './pictures.ts';
import { placeOf } from './sort-keys.ts';
import { columnOfKey, loginKey, searchKeyOf } from './users.ts';

/** A user, as shown to admins. */
export type UserRecord = {
  id: string;
  username: string;
  /** The username predates the rules and breaks them. */
  usernameUnfit: boolean;
  email: string;
  emailVerified: boolean;
  name: string | null;
  /** The picture's address on this server. */
  picture: string | null;
  admin: boolean;
  /** The role in the dashboard; 'admin' for an admin. */
  role: Role;
  /** An admin requires a second factor of them. */
  requireSecondFactor: boolean;
  hasPassword: boolean;
  /** The user must choose a new password at the next sign-in. */
  mustChangePassword: boolean;
  /** Further standard claims (OpenID Connect Core section 5.1). */
  claims: StoredClaims;
  disabledAt: Date | null;
  /** When the account ends by itself, or ended. */
  endsAt: Date | null;
  /** 'unused': it ends then because it has not been used. */
  endReason: string | null;
  /** When the account is to be deleted, if its owner asked for that. */
  deletionAt: Date | null;
  lastSignInAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

export type UserFilter = Paging & {
  search?: string;
  /** Only the one with this username, in any spelling that signs them in. */
  username?: string;
  /** Only the one with this email address, in any spelling that signs them in. */
  email?: string;
  admin?: boolean;
  role?: Role;
  disabled?: boolean;
  /** Only users whose username has to change. */
  unfit?: boolean;
  /** Only users whose sign-in is blocked at this moment, after wrong tries. */
  lockedAt?: Date;
  /** Only members of this group. */
  group?: string;
  /** Only users whose password is in the directory with this id. */
  directory?: string;
  /** Only users who have not signed in since then, and had an account before. */
  quietSince?: Date;
  /** Only users who never signed in (true), or who did (false). */
  neverSignedIn?: boolean;
  /** Only users who have a second step (true), or have none (false). */
  secondStep?: boolean;
  /** Only users who are required to have a second step (true), or are not (false). */
  secondStepRequired?: boolean;
  /** Only users who may use this client now. */
  mayUse?: string;
  /** Only these, and of them only those who meet all other conditions. */
  ids?: readonly string[];
  /** Only users whose value of a field begins with `start`; for a list, any entry. */
  field?: { name: string; start: string; inList: boolean };
};

const select = `
  SELECT id, username, username_unfit, email, email_verified, name, picture, is_admin, role, require_second_factor,
    CASE WHEN password_hash IS NULL THEN 0 ELSE 1 END AS has_password,
    must_change_password, claims,
    disabled_at, ends_at, end_reason, deletion_at, last_sign_in_at, created_at, updated_at
  FROM users`;

type UserRow = Columns<
  'users',
  | 'id'
  | 'username'
  | 'usernameUnfit'
  | 'email'
  | 'emailVerified'
  | 'name'
  | 'picture'
  | 'isAdmin'
  | 'role'
  | 'requireSecondFactor'
  | 'mustChangePassword'
  | 'claims'
  | 'disabledAt'
  | 'endsAt'
  | 'endReason'
  | 'deletionAt'
  | 'lastSignInAt'
  | 'createdAt'
  | 'updatedAt'
> & { hasPassword: 0 | 1 };

/** The maximum number of matches that a search reads per column; to find others, type more. */
const maxMatches = 500;
/** One index lookup each, by prefix. */
const beginning = ['username_key', 'email_key', 'name_key', 'last_name_key']
  .map(
    (key) =>
      `SELECT id FROM (SELECT id FROM users WHERE ${key} >= ? AND ${key} < ? ORDER BY ${key} LIMIT ${maxMatches}) AS ${key}s`,
  )
  .join(' UNION ');

/** The columns that people can be sorted by. */
export const userSorts = ['created', 'name', 'email', 'signIn'] as const;
export type UserSort = (typeof userSorts)[number];

/** Ids start with their creation time. */
const newestFirst: Order<UserRow> = {
  columns: [{ sql: 'id', text: (row) => row.id }],
  direction: 'descending',
};

/**
 * Users, newest first. `search` matches the start of username, email address, name or last name; of
 * its matches only the first of each column are counted.
 */
export const userList = new Listing({
  sql: select,
  count: 'users',
  conditions: conditionsOf,
  order: (filter) => (searchKeyOf(filter) ? sortingFew(newestFirst) : newestFirst),
  sorts: {
    created: ['id'],
    name: [placeOf.person('users'), 'id'],
    email: ['email_key'],
    signIn: [{ nullable: 'last_sign_in_at' }, 'id'],
  },
  toRecord: toUserRecord,
});

/** The users that a filter finds, newest first, with their usernames. */
export function findPeople(filter: UserFilter, most: number): Promise<BatchSubject[]> {
  const { where, params } = conditionsOf(filter);
  const sql = `SELECT id AS subject, username AS label FROM users ${where} ORDER BY id DESC LIMIT ${most}`;
  return readListed<BatchSubject>(sql, params);
}

/** The usernames of those of these users who exist, by id. */
export async function labelsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const labels = new Map<string, string>();
  for (let from = 0; from < ids.length; from += maxMatches) {
    const { marks, params } = inList('id', ids.slice(from, from + maxMatches).map(storable));
    const sql = `SELECT id, username FROM users WHERE id IN (${marks})`;
    for (const { id, username } of await read<Columns<'users', 'id' | 'username'>>(sql, params))
      labels.set(id, username);
  }
  return labels;
}

function conditionsOf(filter: UserFilter): Conditions {
  const { admin, role, disabled, unfit, lockedAt, field } = filter;
  const conditions = furtherConditions(filter);
  const sought = searchKeyOf(filter);
  if (sought) {
    const range = [sought, after(sought)];
    conditions.and(`id IN (${beginning})`, ...range, ...range, ...range, ...range);
  }
  if (admin !== undefined) conditions.and('is_admin = ?', admin);
  if (role !== undefined) conditions.and(...withRole(role));
  if (disabled !== undefined) conditions.and(`disabled_at IS ${disabled ? 'NOT' : ''} NULL`);
  if (unfit !== undefined) conditions.and('username_unfit = ?', unfit);
  if (lockedAt) conditions.and(`id IN (${lockedIds})`, lockedAt);
  if (field?.inList) conditions.and(`id IN (${holding()})`, field.name, `\n${field.start}`);
  else if (field) conditions.and(`id IN (${valued})`, field.name, field.start, after(field.start));
  return conditions;
}

function furtherConditions(filter: UserFilter): Conditions {
  const { username, email, group, directory, quietSince, neverSignedIn } = filter;
  const { secondStep, secondStepRequired, mayUse, ids } = filter;
  const conditions = new Conditions();
  if (username !== undefined) conditions.and('username_key = ?', loginKey(storable(username)));
  if (email !== undefined) conditions.and('email_key = ?', loginKey(storable(email)));
  if (group !== undefined)
    conditions.and('id IN (SELECT user_id FROM group_members WHERE group_id = ?)', group);
  if (directory !== undefined)
    conditions.and('id IN (SELECT user_id FROM directory_people WHERE directory = ?)', directory);
  if (neverSignedIn !== undefined)
    conditions.and(`last_sign_in_at IS ${neverSignedIn ? '' : 'NOT'} NULL`);
  if (quietSince) conditions.and('coalesce(last_sign_in_at, created_at) < ?', quietSince);
  if (secondStep !== undefined) conditions.and(`${secondStep ? '' : 'NOT '}(${anySecondStep})`);
  if (secondStepRequired !== undefined)
    conditions.and('require_second_factor = ?', secondStepRequired);
  if (mayUse !== undefined) conditions.and(allowed, mayUse, mayUse, mayUse, mayUse);
  if (ids) conditions.and(`id IN (${ids.map(() => '?').join(', ') || 'NULL'})`, ...ids);
  return conditions;
}

/** Enabled users, if the client is enabled, and is open to everyone or lists them. */
const allowed = `disabled_at IS NULL
  AND EXISTS (SELECT 1 FROM clients c WHERE c.id = ? AND c.disabled_at IS NULL)
  AND (EXISTS (SELECT 1 FROM clients c WHERE c.id = ? AND c.access = 'everybody')
    OR id IN (SELECT user_id FROM client_users WHERE client_id = ?
      UNION SELECT m.user_id FROM client_groups k JOIN group_members m ON m.group_id = k.group_id
      WHERE k.client_id = ?))`;

const anySecondStep = `EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = users.id)
  OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = users.id)`;

/** Uses the index, which has everything that is read. */
const valued = `SELECT user_id FROM (SELECT user_id FROM user_field_values
  WHERE field = ? AND value_key >= ? AND value_key < ? ORDER BY value_key LIMIT ${maxMatches}) AS valued`;
/** Reads all index entries of one field. */
const holding = () => `SELECT user_id FROM (SELECT user_id FROM user_field_values
  WHERE field = ? AND ${positionIn('value_key', '?')} > 0 LIMIT ${maxMatches}) AS holding`;

/** For an admin, `role` is NULL. */
function withRole(role: Role): [string, ...SqlValue[]] {
  if (role === 'none') return ['is_admin = ? AND role IS NULL', false];
  return role === 'admin' ? ['is_admin = ?', true] : ['role = ?', role];
}

const lockedIds = 'SELECT user_id FROM throttles WHERE blocked_until > ? AND user_id IS NOT NULL';

/**
 * The user with this id, username or email address, or null. An old username may equal another
 * user's id: then the result is ambiguous.
 */
export async function findUserRecord(text: string): Promise<UserRecord | 'several' | null> {
  const key = loginKey(storable(text));
  const column = columnOfKey(key);
  const which = column === 'email_key' ? 'email_key = :key' : '(username_key = :key OR id = :id)';
  const rows = await read<UserRow>(`${select} WHERE ${which} LIMIT 2`, {
    key,
    id: storable(text),
  });
  return rows.length > 1 ? 'several' : rows[0] ? toUserRecord(rows[0]) : null;
}

/** The user with this id, or null. */
export async function findUserRecordById(id: string): Promise<UserRecord | null> {
  const [row] = await read<UserRow>(`${select} WHERE id = :id`, { id: storable(id) });
  return row ? toUserRecord(row) : null;
}

/** Checks the flagged usernames and unflags valid ones. */
export async function judgeUsernames(isFit: (username: string) => boolean): Promise<void> {
  for (let last = ''; ; ) {
    const rows = await read<Columns<'users', 'id' | 'username'>>(
      'SELECT id, username FROM users WHERE username_unfit = :usernameUnfit AND id > :last ORDER BY id LIMIT 500',
      { usernameUnfit: true, last },
    );
    for (const row of rows) {
      if (!isFit(row.username)) continue;
      await write(
        'UPDATE users SET username_unfit = FALSE WHERE id = :id AND username = :username',
        { id: row.id, username: row.username },
      );
    }
    if (rows.length < 500) return;
    last = rows.at(-1)?.id ?? '';
  }
}

function toUserRecord({ isAdmin, ...row }: UserRow): UserRecord {
  return {
    ...row,
    picture: picturePath(row.picture),
    admin: isAdmin,
    role: roleOf({ isAdmin, role: row.role }),
    hasPassword: row.hasPassword === 1,
    claims: storedClaims.catch({}).parse(JSON.parse(row.claims)),
  };
}
