import { admitsOnlyListed, notListedRule } from '../oauth/access.ts';
import type { Client } from '../oauth/client.ts';
import type { Rule } from '../oauth/facts.ts';
import { type Actor, eventBy } from './actor.ts';
import { auditing, auditOnce } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import {
  type Columns,
  database,
  locking,
  read,
  readOne,
  writeTogether,
} from './engine/database.ts';
import { readHeld } from './engine/held.ts';
import type { Total } from './engine/page.ts';
import type { Statement } from './engine/statement.ts';
import { placeOf } from './sort-keys.ts';

/*
 * Who may use an app that lists its users. Only these rows decide, and they are read each time:
 * when a request is answered, a code redeemed, a token refreshed, or an authorization stored that
 * needs no code. A change that takes access away also ends the authorizations of those who lost it,
 * in the same transaction, so that their access tokens end with it.
 */

/** SQL: this client lists the user, or a group that the user is in. */
export const listed = (client: string, user: string, groups = '') => `(
  EXISTS (SELECT 1 FROM client_users lu WHERE lu.client_id = ${client} AND lu.user_id = ${user})
  OR EXISTS (SELECT 1 FROM client_groups lg JOIN group_members lm ON lm.group_id = lg.group_id
    WHERE lg.client_id = ${client} AND lm.user_id = ${user} ${groups}))`;

const isOneOfThem = `SELECT 1 AS found WHERE ${listed(':clientId', ':userId')}`;

/** Whether a user may use an app now. Runs no statement for an app that everyone may use. */
export async function mayUse(
  userId: string,
  client: Pick<Client, 'id' | 'access'>,
): Promise<boolean> {
  return (
    !admitsOnlyListed(client) ||
    (await readHeld(isOneOfThem, { userId, clientId: client.id })) !== undefined
  );
}

/** Whose access may have ended: those who match every field given. */
export type Losing = {
  clientId?: string;
  userId?: string;
  /**
   * Its members. The group itself no longer counts as listed, whether or not its rows are still
   * there.
   */
  groupId?: string;
};

/**
 * The statements that end the authorizations of everyone who may no longer use an app. They go into
 * the transaction of the change, after it, but before the deletion of a group. Grants stay, so that
 * a user who gets access back need not be asked again.
 *
 * On PostgreSQL they first lock the grants, as storing a code does. A code stored before that is
 * seen and ended. One stored later meets the new rule when it is redeemed, and an authorization
 * that needs no code meets it when it is stored. They also lock what each grant belongs to, so that
 * no grant is made meanwhile.
 */
export function endingAccess(losing: Losing, now: Date): Statement[] {
  const which = whose(losing);
  const { groupId = null, clientId = null, userId = null } = losing;
  const params = { groupId, clientId, userId, now };
  const gone = groupId === null ? '' : 'AND lg.group_id <> :groupId';
  const end = {
    sql: `UPDATE authorizations SET revoked_at = CAST(:now AS TIMESTAMPTZ)
      WHERE revoked_at IS NULL AND grant_id IN (
        SELECT g.id FROM grants g JOIN clients c ON c.id = g.client_id
        WHERE ${which} AND c.access = 'listed' AND NOT ${listed('g.client_id', 'g.user_id', gone)})`,
    params,
  };
  return [...holdingGrantsOf(losing), end];
}

/**
 * Locks these grants on PostgreSQL: no new one is made meanwhile, and anyone who stores something
 * on one either has been seen or will see the change.
 */
export function holdingGrantsOf(losing: Losing): Statement[] {
  if (database().kind === 'sqlite') return [];
  const { groupId = null, clientId = null, userId = null } = losing;
  const sql = `SELECT g.id FROM grants g WHERE ${whose(losing)} ORDER BY g.id FOR UPDATE`;
  return [parentsOf(losing), { sql, params: { groupId, clientId, userId } }];
}

/**
 * SQL: the grants `g` that a change concerns. The condition on the group comes first, if there is
 * one.
 */
function whose({ groupId, clientId, userId }: Losing): string {
  const conditions = [
    groupId !== undefined &&
      'g.user_id IN (SELECT m.user_id FROM group_members m WHERE m.group_id = :groupId)',
    clientId === undefined && groupId !== undefined && `g.client_id IN (${clientsOfGroup})`,
    clientId !== undefined && 'g.client_id = :clientId',
    userId !== undefined && 'g.user_id = :userId',
  ].filter(Boolean);
  if (conditions.length === 0) throw new Error('Whose access?');
  return conditions.join(' AND ');
}

const clientsOfGroup = 'SELECT k.client_id FROM client_groups k WHERE k.group_id = :groupId';

/**
 * Locks the client, the user, or the clients of the group, so that no grant can be made until the
 * transaction is over.
 */
function parentsOf({ clientId, userId, groupId }: Losing): Statement {
  const lock = 'ORDER BY id FOR UPDATE';
  if (clientId !== undefined)
    return { sql: `SELECT id FROM clients WHERE id = :clientId ${lock}`, params: { clientId } };
  if (userId !== undefined)
    return { sql: `SELECT id FROM users WHERE id = :userId ${lock}`, params: { userId } };
  const sql = `SELECT id FROM clients WHERE id IN (${clientsOfGroup}) ${lock}`;
  return { sql, params: { groupId: groupId ?? null } };
}

/** Groups and people that a client lists, by id. */
type Listing = { groups: readonly string[]; people: readonly string[] };

/** The maximum number of each that can be listed; for more people, a group has to be made. */
export const mostListed = { groups: 100, people: 200 };

/**
 * Lists these as well, as far as they exist and there is room. False: there is no such client.
 * `endsAt`: when these people, listed already or not, are taken off the list (null: never).
 */
export async function allow(
  clientId: string,
  { groups, people, endsAt }: Listing & { endsAt?: Date | null | undefined },
  events: readonly AuditEntry[],
  now: Date,
): Promise<boolean> {
  const then = [
    ...groups.map((id) => listing(groupList, clientId, id, now)),
    ...people.map((id) => listing(peopleList, clientId, id, now)),
    ...(endsAt === undefined ? [] : people.map((id) => settingEnd(clientId, id, endsAt))),
    ...events.map((event) => auditing(event, now)),
  ];
  return (await writeTogether(holding(clientId), then)).length > 0;
}

/**
 * One of the two lists of a client: its table, the column with the listed id, and the table that id
 * refers to.
 */
type List = { table: string; column: string; from: string; most: number };
const groupList: List = {
  table: 'client_groups',
  column: 'group_id',
  from: 'user_groups',
  most: mostListed.groups,
};
const peopleList: List = {
  table: 'client_users',
  column: 'user_id',
  from: 'users',
  most: mostListed.people,
};

function settingEnd(clientId: string, id: string, endsAt: Date | null): Statement {
  const sql = `UPDATE client_users SET ends_at = CAST(:endsAt AS TIMESTAMPTZ), end_told_at = NULL
    WHERE client_id = :clientId AND user_id = :id AND ends_at IS DISTINCT FROM CAST(:endsAt AS TIMESTAMPTZ)`;
  return { sql, params: { clientId, id, endsAt } };
}

function listing(list: List, clientId: string, id: string, now: Date): Statement {
  const { table, column, from, most } = list;
  // The lock keeps a group that is being deleted from being listed.
  const sql = `INSERT INTO ${table} (client_id, ${column}, created_at)
    SELECT :clientId, f.id, CAST(:now AS TIMESTAMPTZ) FROM ${from} f
    WHERE f.id = :id AND (SELECT COUNT(*) FROM ${table} WHERE client_id = :clientId) < ${most} ${locking('FOR SHARE OF f')}
    ON CONFLICT DO NOTHING`;
  return { sql, params: { clientId, id, now } };
}

/**
 * Stops listing these, and ends the authorizations of users who have no access any other way.
 * False: there is no such client.
 */
export async function disallow(
  clientId: string,
  { groups, people }: Listing,
  events: readonly AuditEntry[],
  now: Date,
): Promise<boolean> {
  const drop =
    ({ table, column }: List) =>
    (id: string) => ({
      sql: `DELETE FROM ${table} WHERE client_id = :clientId AND ${column} = :id`,
      params: { clientId, id },
    });
  const then = [
    ...groups.map(drop(groupList)),
    ...people.map(drop(peopleList)),
    ...endingAccess({ clientId }, now),
    ...events.map((event) => auditing(event, now)),
  ];
  return (await writeTogether(holding(clientId), then)).length > 0;
}

/**
 * The client, locked on PostgreSQL until the change of its lists is over, so that counts are right.
 */
function holding(clientId: string): Statement {
  return {
    sql: `SELECT id FROM clients WHERE id = :clientId ${locking('FOR UPDATE')}`,
    params: { clientId },
  };
}

/** A group that an app lists, with its number of members; a user it lists. */
export type ListedGroup = { id: string; name: string; members: Total };
export type ListedUser = {
  id: string;
  username: string;
  disabled: boolean;
  /** When they are taken off the list; null: they stay. */
  endsAt: Date | null;
};

/** Groups and people that a client lists, by name. */
export async function listedOf(
  clientId: string,
): Promise<{ groups: ListedGroup[]; people: ListedUser[] }> {
  const groups = `SELECT g.id, g.name, (SELECT COUNT(*) FROM (SELECT 1 AS one FROM group_members m
      WHERE m.group_id = g.id LIMIT ${countedAtMost + 1}) AS few) AS members
    FROM client_groups k JOIN user_groups g ON g.id = k.group_id WHERE k.client_id = :clientId ORDER BY ${placeOf.group('g')}, g.id`;
  const people = `SELECT u.id, u.username, u.disabled_at, k.ends_at FROM client_users k JOIN users u ON u.id = k.user_id
    WHERE k.client_id = :clientId ORDER BY ${placeOf.person('u')}, u.id`;
  const [ofGroups, ofPeople] = await Promise.all([
    read<Columns<'user_groups', 'id' | 'name'> & { members: number }>(groups, { clientId }),
    read<Columns<'users', 'id' | 'username' | 'disabledAt'> & Columns<'client_users', 'endsAt'>>(
      people,
      { clientId },
    ),
  ]);
  return {
    groups: ofGroups.map(({ members, ...group }) => ({ ...group, members: totalOf(members) })),
    people: ofPeople.map(({ id, username, disabledAt: at, endsAt }) => {
      return { id, username, disabled: at !== null, endsAt };
    }),
  };
}

const countedAtMost = 10_000;
const totalOf = (count: number): Total => ({
  count: Math.min(count, countedAtMost),
  more: count > countedAtMost,
});

/** How many people a client lists, by name or by group, each counted once. */
export async function countListed(clientId: string): Promise<Total> {
  const sql = `SELECT COUNT(*) AS count FROM (
    SELECT k.user_id FROM client_users k WHERE k.client_id = :clientId
    UNION SELECT m.user_id FROM client_groups k JOIN group_members m ON m.group_id = k.group_id
    WHERE k.client_id = :clientId LIMIT ${countedAtMost + 1}) AS few`;
  return totalOf((await readOne<{ count: number }>(sql, { clientId }))?.count ?? 0);
}

/** Records that a rule turned a user away, at most once a minute for the same case. */
export function auditNoAccess(
  actor: Omit<Actor, 'id'> & { id: string | null },
  about: { userId: string | null; clientId: string | null },
  now: Date,
  by: Rule = notListedRule,
): Promise<void> {
  const event = eventBy(actor, 'access.refused', { ...about, detail: { rule: by } });
  return auditOnce(`${by} ${about.userId ?? actor.address} ${about.clientId}`, event, now);
}
