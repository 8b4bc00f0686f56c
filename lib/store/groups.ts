import { newId } from '../oauth/secrets.ts';
import { sortKey } from '../people/sort-key.ts';
import { endingAccess } from './access.ts';
import { eventBy, type Someone } from './actor.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { allColumns } from './engine/all-columns.ts';
import {
  type Columns,
  isMissingParent,
  laterThan,
  locking,
  orTaken,
  read,
  readOne,
  writeTogether,
} from './engine/database.ts';
import { storable } from './engine/page.ts';
import { inList } from './engine/parameters.ts';
import { lookingAgain, raising } from './engine/revision.ts';
import type { Statement } from './engine/statement.ts';
import { placeOf } from './sort-keys.ts';
import { normalKey } from './users.ts';

/** People who are one group to apps, and can be given access together. */
export type Group = {
  id: string;
  name: string;
  description: string | null;
  createdAt: Date;
  updatedAt: Date;
};

/**
 * What an admin decides about a group: each column with the value that a statement gives it. A
 * field missing here does not compile.
 */
type GroupSettings = Omit<Group, 'id' | 'createdAt' | 'updatedAt'>;
const columnOf: Record<keyof GroupSettings, [column: string, value: string]> = {
  name: ['name', ':name'],
  description: ['description', ':description'],
};
const columns = Object.values(columnOf);
const keysOf = ({ name }: GroupSettings) => ({ nameKey: normalKey(name), sortKey: sortKey(name) });

/** The maximum number of groups, and of groups that one person can be in. */
export const mostGroups = 10_000;
export const mostGroupsOfPerson = 1000;

/** Stores a new group, unless its name is taken or there are too many. */
export async function storeGroup(
  group: GroupSettings,
  eventOf: (id: string) => AuditEntry,
  now: Date,
): Promise<Group | 'taken' | 'full'> {
  const id = newId(now);
  const sql = `INSERT INTO user_groups (id, ${columns.map(([column]) => column).join(', ')}, name_key, sort_key, created_at, updated_at)
    SELECT :id, ${columns.map(([, value]) => value).join(', ')}, :nameKey, :sortKey, CAST(:now AS TIMESTAMPTZ), CAST(:now AS TIMESTAMPTZ)
    WHERE (SELECT count(*) FROM user_groups) < ${mostGroups}
    ON CONFLICT (name_key) DO NOTHING RETURNING id`;
  const first = { sql, params: { ...group, id, ...keysOf(group), now } };
  const room = `(SELECT count(*) FROM user_groups) <= ${mostGroups}`;
  const then = [auditing(eventOf(id), now), raising(), lookingAgain(room, {})];
  const stored = await writeTogether(first, then);
  if (stored.length > 0) return { ...group, id, createdAt: now, updatedAt: now };
  return (await findGroup(group.name)) === null ? 'full' : 'taken';
}

/** Renames and describes a group, unless it has changed since it was read or the name is taken. */
export async function changeGroup(
  { id, updatedAt: seen }: Pick<Group, 'id' | 'updatedAt'>,
  group: GroupSettings,
  event: AuditEntry,
  now: Date,
): Promise<'done' | 'taken' | 'changed-meanwhile'> {
  const sets = columns.map(([column, value]) => `${column} = ${value}`);
  const sql = `UPDATE user_groups SET ${sets.join(', ')}, name_key = :nameKey, sort_key = :sortKey, updated_at = ${laterThan('updated_at', ':now')}
    WHERE id = :id AND updated_at = :seen RETURNING id`;
  const first = { sql, params: { ...group, id, ...keysOf(group), now, seen } };
  const rows = await writeTogether(first, [raising(), auditing(event, now)]).catch(orTaken);
  return rows === 'taken' ? rows : rows.length > 0 ? 'done' : 'changed-meanwhile';
}

/**
 * Deletes a group, and the access its members had through it, unless it has changed since `seen`.
 * `keeping` are the statements that keep it to be put back.
 */
export async function removeGroup(
  id: string,
  { event, seen, keeping }: { event: AuditEntry; seen?: Date | undefined; keeping: Statement[] },
  now: Date,
): Promise<boolean> {
  // The group is deleted last, because its rows tell who was in it and what it allowed.
  const sql = `UPDATE user_groups SET updated_at = :now
    WHERE id = :id AND updated_at = COALESCE(CAST(:seen AS TIMESTAMPTZ), updated_at) RETURNING id`;
  const then = [
    ...endingAccess({ groupId: id }, now),
    ...keeping,
    { sql: 'DELETE FROM user_groups WHERE id = :id', params: { id } },
    raising(),
    auditing(event, now),
  ];
  const first = { sql, params: { id, now, seen: seen ?? null } };
  // Locked, so that no one is added meanwhile.
  const hold = { sql: 'SELECT id FROM user_groups WHERE id = :id FOR UPDATE', params: { id } };
  return (await writeTogether(first, then, [hold])).length > 0;
}

type Membership = { groupId: string; userId: string };
/** A membership, and when it ends; null or nothing: it stays. */
type NewMembership = Membership & { endsAt?: Date | null };

type Added = 'added' | 'already' | 'full' | 'missing';

/** Adds a user to a group; `missing`: the user or the group does not exist. */
export async function storeMember(of: NewMembership, event: AuditEntry, now: Date): Promise<Added> {
  const room = `AND (SELECT count(*) FROM group_members WHERE user_id = :userId) < ${mostGroupsOfPerson}`;
  const sql = `${insertMember(room)} RETURNING user_id`;
  const first = { sql, params: { endsAt: null, ...of, now } };
  const then = [touchingMember(of.userId, now), auditing(event, now)];
  try {
    if ((await writeTogether(first, then, holding(of))).length > 0) return 'added';
  } catch (error) {
    if (!isMissingParent(error)) throw error;
  }
  // What prevented it may be gone by now, and then it is tried again.
  return (await whyNotAdded(of)) ?? storeMember(of, event, now);
}

/**
 * Adds a member. It waits for a deletion of the group that is under way, and then finds no group.
 */
function insertMember(condition = ''): string {
  return `INSERT INTO group_members (group_id, user_id, created_at, ends_at)
    SELECT g.id, u.id, CAST(:now AS TIMESTAMPTZ), CAST(:endsAt AS TIMESTAMPTZ) FROM user_groups g, users u
    WHERE g.id = :groupId AND u.id = :userId ${condition} ${locking('FOR KEY SHARE OF g')} ON CONFLICT DO NOTHING`;
}

/**
 * On PostgreSQL, makes changes to one person's groups run one after the other, and none while the
 * group is being deleted. What a statement counts or finds there then stays true until its
 * transaction ends.
 */
const holding = ({ groupId, userId }: Membership): Statement[] => [
  { sql: 'SELECT id FROM users WHERE id = :userId FOR UPDATE', params: { userId } },
  { sql: 'SELECT id FROM user_groups WHERE id = :groupId FOR KEY SHARE', params: { groupId } },
];

async function whyNotAdded({ groupId, userId }: Membership): Promise<Added | null> {
  const sql = `SELECT (SELECT count(*) FROM user_groups g, users u WHERE g.id = :groupId AND u.id = :userId) AS there,
    (SELECT count(*) FROM group_members WHERE group_id = :groupId AND user_id = :userId) AS inside,
    (SELECT count(*) FROM group_members WHERE user_id = :userId) AS groups`;
  const [row] = await read<{ there: number; inside: number; groups: number }>(sql, {
    groupId,
    userId,
  });
  if (!row?.there) return 'missing';
  if (row.inside > 0) return 'already';
  return row.groups >= mostGroupsOfPerson ? 'full' : null;
}

/** Sets when a membership ends; null: it stays. False: there is none, or it ends then already. */
export async function setMemberEnd(
  { groupId, userId, endsAt = null }: NewMembership,
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const sql = `UPDATE group_members SET ends_at = CAST(:endsAt AS TIMESTAMPTZ), end_told_at = NULL
    WHERE group_id = :groupId AND user_id = :userId AND ends_at IS DISTINCT FROM CAST(:endsAt AS TIMESTAMPTZ) RETURNING user_id`;
  const first = { sql, params: { groupId, userId, endsAt } };
  return (await writeTogether(first, [auditing(event, now)])).length > 0;
}

/** How many of these people are in a group. */
export async function countMembersAmong(groupId: string, ids: readonly string[]): Promise<number> {
  const { marks, params } = inList('id', ids);
  const sql = `SELECT COUNT(*) AS found FROM group_members WHERE group_id = :groupId AND user_id IN (${marks})`;
  return (await readOne<{ found: number }>(sql, { groupId, ...params }))?.found ?? 0;
}

/** Removes a user from a group. False: they are not in it. */
export async function removeMember(
  { groupId, userId }: Membership,
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const gone = {
    sql: 'DELETE FROM group_members WHERE group_id = :groupId AND user_id = :userId RETURNING user_id',
    params: { groupId, userId },
  };
  const then = [
    ...endingAccess({ userId }, now),
    touchingMember(userId, now),
    auditing(event, now),
  ];
  return (await writeTogether(gone, then, holding({ groupId, userId }))).length > 0;
}

/** Cached claims of a user depend on `updated_at`, so changing it makes them invalid. */
export function touchingMember(userId: string, now: Date): Statement {
  const sql = `UPDATE users SET updated_at = ${laterThan('updated_at', ':now')} WHERE id = :userId`;
  return { sql, params: { userId, now } };
}

/**
 * The statements that add a new user to groups, with their events. A group that has been deleted
 * since is left out.
 */
export function joiningAll(
  userId: string,
  groups: readonly Group[],
  by: Someone,
  now: Date,
): Statement[] {
  return groups.flatMap(({ id, name }) => [
    { sql: insertMember(), params: { groupId: id, userId, endsAt: null, now } },
    auditing(eventBy(by, 'group.member-added', { userId, detail: { id, name } }), now),
  ]);
}

/** Those of these groups that exist, by name. */
export async function groupsWithIds(ids: readonly string[]): Promise<Group[]> {
  if (ids.length === 0) return [];
  const { marks, params } = inList('id', ids);
  const sql = `SELECT ${allColumns('user_groups')} FROM user_groups WHERE id IN (${marks}) ORDER BY ${placeOf.group('user_groups')}, id`;
  return (await read<Columns<'user_groups'>>(sql, params)).map(toGroup);
}

/** The group with this name or id, or null. A name can equal another group's id: `several`. */
export async function findGroup(key: string): Promise<Group | 'several' | null> {
  const sql = `SELECT ${allColumns('user_groups')} FROM user_groups WHERE name_key = :nameKey OR id = :id LIMIT 2`;
  const text = storable(key);
  const rows = await read<Columns<'user_groups'>>(sql, {
    nameKey: normalKey(text),
    id: text.trim(),
  });
  return rows.length > 1 ? 'several' : rows[0] ? toGroup(rows[0]) : null;
}

/** The group with exactly this id, or null. */
export async function findGroupById(id: string): Promise<Group | null> {
  const sql = `SELECT ${allColumns('user_groups')} FROM user_groups WHERE id = :id`;
  const [row] = await read<Columns<'user_groups'>>(sql, { id: storable(id) });
  return row ? toGroup(row) : null;
}

export function toGroup({ nameKey: _, sortKey: _key, ...group }: Columns<'user_groups'>): Group {
  return group;
}
