import { type StoredClaims, storedClaims } from '../oauth/claims.ts';
import { date, dateOrNull, type Row, read } from './database.ts';
import {
  after,
  Conditions,
  type Page,
  type PageRequest,
  readCursor,
  readPage,
  storable,
} from './page.ts';
import { pictureAt } from './pictures.ts';
import { normalKey } from './users.ts';

/** A person as an admin sees them. */
export type UserRecord = {
  id: string;
  username: string;
  email: string;
  emailVerified: boolean;
  name: string | null;
  /** Where their picture is, on our own pages. */
  picture: string | null;
  admin: boolean;
  hasPassword: boolean;
  /** Further standard claims (OpenID Connect Core section 5.1). */
  claims: StoredClaims;
  disabledAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

export type UserFilter = PageRequest & { search?: string; admin?: boolean; disabled?: boolean };

const select = `
  SELECT id, username, email, email_verified, name, picture, is_admin, password_hash IS NOT NULL AS has_password, claims,
    disabled_at, created_at, updated_at
  FROM users`;

/** How many people a search looks at for each thing it compares: past that, more has to be typed. */
const enough = 500;
/** One look-up in an index each: what begins with the text. */
const beginning = ['username_key', 'email_key', 'name_key', 'last_name_key']
  .map(
    (key) =>
      `SELECT id FROM (SELECT id FROM users WHERE ${key} >= ? AND ${key} < ? ORDER BY ${key} LIMIT ${enough}) AS ${key}s`,
  )
  .join(' UNION ');

/** People, the latest first; `search` finds those whose user name, e-mail address, name or last name begins so. */
export function listUsers({
  search,
  admin,
  disabled,
  cursor,
  limit = 50,
}: UserFilter): Promise<Page<UserRecord>> {
  const conditions = new Conditions();
  const sought = normalKey(search ?? '').slice(0, 300);
  if (sought) {
    const range = [sought, after(sought)];
    conditions.and(`id IN (${beginning})`, ...range, ...range, ...range, ...range);
  }
  if (admin !== undefined) conditions.and('is_admin = ?', admin);
  if (disabled !== undefined) conditions.and(`disabled_at IS ${disabled ? 'NOT' : ''} NULL`);
  // Ids begin with the time they were made at.
  if (cursor) conditions.and('id < ?', ...readCursor(cursor, ['string']));
  return readPage(select, conditions, 'id DESC', limit, toUserRecord, (user) => [user.id]);
}

/** The person with this id, user name or e-mail address, or null. */
export async function findUserRecord(key: string): Promise<UserRecord | null> {
  const rows = await read(`${select} WHERE id = $1 OR username_key = $2 OR email_key = $2`, [
    storable(key),
    normalKey(storable(key)),
  ]);
  const records = rows.map(toUserRecord);
  // A user name may look like somebody else's id.
  return records.find((record) => record.id === key) ?? records[0] ?? null;
}

function toUserRecord(row: Row): UserRecord {
  return {
    id: String(row.id),
    username: String(row.username),
    email: String(row.email),
    emailVerified: Boolean(row.email_verified),
    name: row.name as string | null,
    picture: pictureAt(row.picture),
    admin: Boolean(row.is_admin),
    hasPassword: Boolean(row.has_password),
    claims: storedClaims.catch({}).parse(JSON.parse(String(row.claims))),
    disabledAt: dateOrNull(row.disabled_at),
    createdAt: date(row.created_at),
    updatedAt: date(row.updated_at),
  };
}
