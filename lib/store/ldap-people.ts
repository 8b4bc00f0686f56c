import type { Client } from '../oauth/client.ts';
import { listed } from './access.ts';
import { type Columns, type Joined, readListed, textsIn } from './engine/database.ts';
import { after, Conditions } from './engine/page.ts';
import type { SqlValue } from './engine/statement.ts';

/*
 * What an app can read of people and groups over LDAP: those who may use it, as the tables have it
 * now. Nothing is kept between two operations.
 */

/** By what people or groups are found: each is a look-up in an index. */
const lookUps = {
  id: 'SELECT id FROM users WHERE id',
  username: 'SELECT id FROM users WHERE username_key',
  email: 'SELECT id FROM users WHERE email_key',
  name: 'SELECT id FROM users WHERE name_key',
  group: 'SELECT user_id AS id FROM group_members WHERE group_id',
  number: 'SELECT subject AS id FROM posix_numbers WHERE number',
  groupId: 'SELECT id FROM user_groups WHERE id',
  groupName: 'SELECT id FROM user_groups WHERE name_key',
  member: 'SELECT group_id AS id FROM group_members WHERE user_id',
} as const;

/** A condition on people or groups, which may find more than are meant, but none too few. */
export type Sought =
  | { all: readonly Sought[] }
  | { any: readonly Sought[] }
  | { by: keyof typeof lookUps; is: 'equal' | 'begins'; values: readonly SqlValue[] };

/** The ids that a condition finds, as a statement with its values. */
function idsOf(sought: Sought): { sql: string; values: readonly SqlValue[] } {
  if ('by' in sought) {
    const { by, is, values } = sought;
    const [value = null] = values;
    if (is === 'begins')
      return {
        sql: `${lookUps[by]} >= ? AND ${lookUps[by].split(' WHERE ')[1]} < ?`,
        values: [value, after(String(value))],
      };
    const marks = values.map(() => '?').join(', ') || 'NULL';
    return { sql: `${lookUps[by]} IN (${marks})`, values };
  }
  const parts = ('all' in sought ? sought.all : sought.any).map(idsOf);
  if (parts.length === 1 && parts[0]) return parts[0];
  const each = parts.map(({ sql }, index) => `SELECT id FROM (${sql}) AS part${index}`);
  const sql = each.join('all' in sought ? ' INTERSECT ' : ' UNION ');
  return { sql, values: parts.flatMap(({ values }) => values) };
}

const seek = (conditions: Conditions, column: string, sought: Sought | null): Conditions => {
  if (sought === null) return conditions;
  const { sql, values } = idsOf(sought);
  return conditions.and(`${column} IN (${sql})`, ...values);
};

export type LdapPerson = Columns<
  'users',
  'id' | 'username' | 'email' | 'name' | 'claims' | 'createdAt' | 'updatedAt'
> &
  Joined<Columns<'posix_numbers', 'number'>>;

type Served = Pick<Client, 'id' | 'access'>;

/** The people that an app can read, after a place in the order of their ids. */
export function peopleOfApp(
  client: Served,
  sought: Sought | null,
  { after: last, most }: { after: string; most: number },
): Promise<LdapPerson[]> {
  const conditions = seek(mayUse(client, sought !== null), 'u.id', sought);
  if (last !== '') conditions.and('u.id > ?', last);
  const sql = `SELECT u.id, u.username, u.email, u.name, u.claims, u.created_at, u.updated_at, n.number
    FROM users u LEFT JOIN posix_numbers n ON n.subject = u.id ${conditions.where} ORDER BY u.id LIMIT ${most}`;
  return readListed<LdapPerson>(sql, conditions.params);
}

/** Enabled people who may use an app. `few`: it is asked of few people, one by one. */
function mayUse({ id, access }: Served, few: boolean): Conditions {
  const conditions = new Conditions().and('u.disabled_at IS NULL');
  if (access !== 'listed') return conditions;
  if (few) return conditions.and(listed('?', 'u.id'), id, id);
  return conditions.and(
    `u.id IN (SELECT user_id FROM client_users WHERE client_id = ? UNION
      SELECT m.user_id FROM client_groups k JOIN group_members m ON m.group_id = k.group_id WHERE k.client_id = ?)`,
    id,
    id,
  );
}

export type LdapGroup = Columns<
  'user_groups',
  'id' | 'name' | 'description' | 'createdAt' | 'updatedAt'
> &
  Joined<Columns<'posix_numbers', 'number'>>;

/** The groups that an app can read: all or, if it lists who may use it, those that it lists. */
export function groupsOfApp(
  client: Served,
  sought: Sought | null,
  most: number,
): Promise<LdapGroup[]> {
  const conditions = seek(shownTo(client), 'g.id', sought);
  const sql = `SELECT g.id, g.name, g.description, g.created_at, g.updated_at, n.number
    FROM user_groups g LEFT JOIN posix_numbers n ON n.subject = g.id ${conditions.where} ORDER BY g.name_key LIMIT ${most}`;
  return readListed<LdapGroup>(sql, conditions.params);
}

function shownTo({ id, access }: Served): Conditions {
  const conditions = new Conditions();
  if (access !== 'listed') return conditions;
  return conditions.and('g.id IN (SELECT group_id FROM client_groups WHERE client_id = ?)', id);
}

/** The groups of these people that an app can read, a row for each membership. */
export function membershipsOf(
  client: Served,
  people: readonly string[],
): Promise<{ userId: string; name: string }[]> {
  const among = `m.user_id IN (${textsIn('?')})`;
  const conditions = shownTo(client).and(among, JSON.stringify(people));
  const sql = `SELECT m.user_id, g.name FROM group_members m JOIN user_groups g ON g.id = m.group_id ${conditions.where}`;
  return readListed(sql, conditions.params);
}

/** The members of these groups that an app can read. */
export function membersOf(
  client: Served,
  groups: readonly string[],
  most: number,
): Promise<Columns<'users', 'id' | 'username'>[]> {
  const conditions = mayUse(client, true).and(
    `u.id IN (SELECT user_id FROM group_members WHERE group_id IN (${textsIn('?')}))`,
    JSON.stringify(groups),
  );
  const sql = `SELECT u.id, u.username FROM users u ${conditions.where} ORDER BY u.id LIMIT ${most}`;
  return readListed(sql, conditions.params);
}

/** Those of these groups that a person is in, by their ids. */
export async function groupsWith(userId: string): Promise<ReadonlySet<string>> {
  const sql = 'SELECT group_id FROM group_members WHERE user_id = :userId';
  const rows = await readListed<Columns<'group_members', 'groupId'>>(sql, { userId });
  return new Set(rows.map(({ groupId }) => groupId));
}

/** Whether any enabled app uses the LDAP server. */
export async function isUsedOverLdap(): Promise<boolean> {
  const sql = 'SELECT 1 AS found FROM clients WHERE ldap = TRUE AND disabled_at IS NULL LIMIT 1';
  return (await readListed(sql, {})).length > 0;
}
