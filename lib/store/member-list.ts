import { type Columns, read } from './engine/database.ts';
import { Listing, type Order, sortingFew } from './engine/listing.ts';
import { after, Conditions, type Paging } from './engine/page.ts';
import { picturePath } from './pictures.ts';
import { searchKeyOf } from './users.ts';

/** A user in a group. */
export type Member = {
  id: string;
  username: string;
  email: string;
  name: string | null;
  picture: string | null;
  disabledAt: Date | null;
  /** Since when they are in it. */
  since: Date;
  /** When the membership ends; null: it stays. */
  endsAt: Date | null;
};

export type MemberFilter = Paging & {
  groupId: string;
  /** The beginning of username, email address, name or last name. */
  search?: string;
};

const from = 'group_members m JOIN users u ON u.id = m.user_id';
const select = `SELECT u.id, u.username, u.email, u.name, u.picture, u.disabled_at, m.created_at, m.ends_at FROM ${from}`;
type MemberRow = Columns<'users', 'id' | 'username' | 'email' | 'name' | 'picture' | 'disabledAt'> &
  Columns<'group_members', 'createdAt' | 'endsAt'>;

/** Ids start with their creation time. */
const newestFirst: Order<MemberRow> = {
  columns: [{ sql: 'm.user_id', text: (row) => row.id }],
  direction: 'descending',
};

/** The members of a group, with the newest accounts first. */
export const memberList = new Listing({
  sql: select,
  count: from,
  conditions: conditionsOf,
  order: (filter) => (searchKeyOf(filter) ? sortingFew(newestFirst) : newestFirst),
  sorts: {},
  toRecord,
});

async function conditionsOf({ groupId, ...filter }: MemberFilter): Promise<Conditions> {
  const conditions = new Conditions().and('m.group_id = ?', groupId);
  const sought = searchKeyOf(filter);
  if (!sought) return conditions;
  const range = [sought, after(sought)];
  const ranges = [...range, ...range, ...range, ...range];
  if (await isSmall(groupId))
    return conditions.and(`(${keys.map(within).join(' OR ')})`, ...ranges);
  const ids = ranges.flatMap((value, index) => (index % 2 ? [value, groupId] : [value]));
  return conditions.and(`m.user_id IN (${keys.map(beginning).join(' UNION ')})`, ...ids);
}

const keys = ['username_key', 'email_key', 'name_key', 'last_name_key'];

/** For a small group: each member is looked at. */
const within = (key: string) => `(u.${key} >= ? AND u.${key} < ?)`;

/** The maximum number of matches that a search reads per column; to find others, type more. */
const maxMatches = 500;
/** For a large group: people are found by their indexes, and then those who are members. */
const beginning = (key: string) =>
  `SELECT id FROM (SELECT p.id FROM users p WHERE p.${key} >= ? AND p.${key} < ?
    AND EXISTS (SELECT 1 FROM group_members i WHERE i.group_id = ? AND i.user_id = p.id)
    ORDER BY p.${key} LIMIT ${maxMatches}) AS ${key}s`;

const few = 2000;

async function isSmall(groupId: string): Promise<boolean> {
  const sql = `SELECT 1 AS one FROM group_members WHERE group_id = :groupId LIMIT 1 OFFSET ${few}`;
  return (await read(sql, { groupId })).length === 0;
}

function toRecord({ picture, createdAt, ...row }: MemberRow): Member {
  return { ...row, picture: picturePath(picture), since: createdAt };
}
