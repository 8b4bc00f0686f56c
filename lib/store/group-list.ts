import { allColumns } from './engine/all-columns.ts';
import { type Columns, read } from './engine/database.ts';
import { type Kept, Listing } from './engine/listing.ts';
import { after, Conditions, type Paging, storable, type Total } from './engine/page.ts';
import { inList } from './engine/parameters.ts';
import { type Group, mostGroupsOfPerson, toGroup } from './groups.ts';
import { placeOf } from './sort-keys.ts';
import { normalKey, searchKeyOf } from './users.ts';

export type GroupFilter = Paging & {
  /** The beginning of the name. */
  search?: string;
  /** Only the one with this name, in any spelling. */
  name?: string;
  /** Only those without members (true), or only those with members (false). */
  empty?: boolean;
  /** Only the groups that this person is in. */
  userId?: string;
  sort?: 'name' | 'newest';
};

/** The columns that groups can be sorted by. */
export const groupSorts = ['name', 'created'] as const;
export type GroupSort = (typeof groupSorts)[number];

const byId: Kept<Columns<'user_groups'>> = { sql: 'g.id', text: (row) => row.id };
const byName: Kept<Columns<'user_groups'>>[] = [
  { sql: placeOf.group('g'), text: (row) => row.sortKey ?? row.nameKey },
  byId,
];
const byAge: Kept<Columns<'user_groups'>>[] = [
  { sql: 'g.created_at', moment: (row) => row.createdAt },
  byId,
];

/** Groups, by name or newest first. */
export const groupList = new Listing({
  sql: `SELECT ${allColumns('user_groups', 'g')} FROM user_groups g`,
  count: 'user_groups g',
  conditions: conditionsOf,
  order: ({ sort }) =>
    sort === 'newest'
      ? { columns: byAge, direction: 'descending' }
      : { columns: byName, direction: 'ascending' },
  sorts: { name: byName, created: byAge },
  toRecord: toGroup,
});

function conditionsOf({ name, empty, userId, ...filter }: GroupFilter): Conditions {
  const conditions = new Conditions();
  const sought = searchKeyOf(filter);
  if (sought) conditions.and('g.name_key >= ? AND g.name_key < ?', sought, after(sought));
  if (name !== undefined) conditions.and('g.name_key = ?', normalKey(storable(name)));
  if (empty !== undefined) conditions.and(`${empty ? 'NOT ' : ''}EXISTS (${anyMember})`);
  if (userId)
    conditions.and('g.id IN (SELECT group_id FROM group_members WHERE user_id = ?)', userId);
  return conditions;
}

const anyMember = 'SELECT 1 FROM group_members m WHERE m.group_id = g.id';

/** The groups that a person is in, by name. */
export function groupsOf(userId: string): Promise<Pick<Group, 'id' | 'name'>[]> {
  const sql = `SELECT g.id, g.name FROM group_members m JOIN user_groups g ON g.id = m.group_id
    WHERE m.user_id = :userId ORDER BY ${placeOf.group('g')}, g.id LIMIT ${mostGroupsOfPerson}`;
  return read<Columns<'user_groups', 'id' | 'name'>>(sql, { userId });
}

/** The names of the groups of these people, by the id of each person who is in one. */
export async function groupsOfPeople(
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids.length === 0) return new Map();
  const { marks, params } = inList('id', ids);
  const sql = `SELECT m.user_id, g.name FROM group_members m JOIN user_groups g ON g.id = m.group_id
    WHERE m.user_id IN (${marks}) ORDER BY ${placeOf.group('g')}, g.id`;
  type Named = Columns<'group_members', 'userId'> & Columns<'user_groups', 'name'>;
  const names = new Map<string, string[]>();
  for (const { userId, name } of await read<Named>(sql, params))
    names.set(userId, [...(names.get(userId) ?? []), name]);
  return names;
}

/** What a list shows about a group besides its name. */
export type GroupFacts = {
  members: Total;
  /** Apps that its members may use because of it. */
  apps: number;
};

const countedAtMost = 10_000;
const members = `SELECT count(*) FROM (SELECT 1 AS one FROM group_members m WHERE m.group_id = g.id LIMIT ${countedAtMost + 1}) AS few`;
const apps = 'SELECT count(*) FROM client_groups c WHERE c.group_id = g.id';

type FactsRow = Columns<'user_groups', 'id'> & { members: number; apps: number };

/** The facts of these groups, by id; a bounded number of rows is read for each. */
export async function factsOfGroups(
  ids: readonly string[],
): Promise<ReadonlyMap<string, GroupFacts>> {
  if (ids.length === 0) return new Map();
  const { marks, params } = inList('id', ids);
  const sql = `SELECT g.id, (${members}) AS members, (${apps}) AS apps FROM user_groups g WHERE g.id IN (${marks})`;
  const rows = await read<FactsRow>(sql, params);
  const total = (count: number) => ({
    count: Math.min(count, countedAtMost),
    more: count > countedAtMost,
  });
  return new Map(rows.map((row) => [row.id, { members: total(row.members), apps: row.apps }]));
}

/** How much ends with a group: its members, and the apps it allows. */
export async function countOfGroup(id: string): Promise<{ members: number; apps: number }> {
  const sql = `SELECT (SELECT count(*) FROM group_members WHERE group_id = :id) AS members,
    (SELECT count(*) FROM client_groups WHERE group_id = :id) AS apps`;
  const [row] = await read<{ members: number; apps: number }>(sql, { id });
  return row ?? { members: 0, apps: 0 };
}
