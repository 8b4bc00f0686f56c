import { date, dateOrNull, type Row, read } from './database.ts';
import { Conditions, containing, type Page, type PageRequest, readCursor, readPage, storable } from './page.ts';
import { normalKey } from './users.ts';

/** A person as an admin sees them. */
export type UserRecord = {
  id: string;
  username: string;
  email: string;
  emailVerified: boolean;
  name: string | null;
  admin: boolean;
  hasPassword: boolean;
  disabledAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

export type UserFilter = PageRequest & { search?: string; admin?: boolean; disabled?: boolean };

const select = `
  SELECT id, username, email, email_verified, name, is_admin, password_hash IS NOT NULL AS has_password,
    disabled_at, created_at, updated_at
  FROM users`;

/** People, the latest first; `search` finds parts of user name, e-mail address and name. */
export function listUsers({ search, admin, disabled, cursor, limit = 50 }: UserFilter): Promise<Page<UserRecord>> {
  const conditions = new Conditions();
  if (search?.trim()) {
    const pattern = containing(normalKey(search));
    const columns = ['username_key', 'email_key', "lower(coalesce(name, ''))"];
    const found = columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(' OR ');
    conditions.and(`(${found})`, pattern, pattern, pattern);
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
    admin: Boolean(row.is_admin),
    hasPassword: Boolean(row.has_password),
    disabledAt: dateOrNull(row.disabled_at),
    createdAt: date(row.created_at),
    updatedAt: date(row.updated_at),
  };
}
