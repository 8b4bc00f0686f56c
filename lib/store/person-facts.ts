import { type Columns, date, type Joined, type Moment, read } from './engine/database.ts';
import { inList } from './engine/parameters.ts';
import { placeOf } from './sort-keys.ts';

/** What a list shows about a user besides the account. */
export type PersonFacts = {
  /** Has an authenticator app. */
  totp: boolean;
  passkeys: number;
  /** Until when sign-in is blocked, after wrong tries. */
  lockedUntil: Date | null;
  /** The first of their groups by name, and the number of further ones. */
  groups: { names: readonly string[]; more: number };
};

const locked = `SELECT MAX(l.blocked_until) FROM throttles l WHERE l.user_id = u.id AND l.blocked_until > :now`;
const passkeys = 'SELECT count(*) FROM passkeys p WHERE p.user_id = u.id';

type FactsRow = Columns<'users', 'id'> & { passkeys: number } & Joined<{
    totp: string;
    lockedUntil: Moment;
  }>;

/** The number of group names that a row has room for. */
const named = 2;
type GroupRow = Columns<'group_members', 'userId'> &
  Columns<'user_groups', 'name'> & { total: number };
const groupsOf = (marks: string) => `SELECT user_id, name, total FROM (SELECT m.user_id, g.name,
    row_number() OVER (PARTITION BY m.user_id ORDER BY ${placeOf.group('g')}, g.id) AS place,
    count(*) OVER (PARTITION BY m.user_id) AS total
  FROM group_members m JOIN user_groups g ON g.id = m.group_id WHERE m.user_id IN (${marks})) AS ranked
  WHERE place <= ${named} ORDER BY user_id, place`;

const groupsIn = (rows: readonly GroupRow[]): PersonFacts['groups'] => ({
  names: rows.map(({ name }) => name),
  more: Math.max(0, (rows[0]?.total ?? 0) - rows.length),
});

/** The facts of these users, by id. */
export async function factsOfPeople(
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, PersonFacts>> {
  if (ids.length === 0) return new Map();
  const { marks, params } = inList('id', ids);
  const sql = `SELECT u.id, (${passkeys}) AS passkeys, t.user_id AS totp, (${locked}) AS locked_until
    FROM users u LEFT JOIN totp_secrets t ON t.user_id = u.id WHERE u.id IN (${marks})`;
  const [rows, groups] = await Promise.all([
    read<FactsRow>(sql, { now, ...params }),
    read<GroupRow>(groupsOf(marks), params),
  ]);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        totp: row.totp !== null,
        passkeys: row.passkeys,
        lockedUntil: row.lockedUntil === null ? null : date(row.lockedUntil),
        groups: groupsIn(groups.filter(({ userId }) => userId === row.id)),
      },
    ]),
  );
}
