import type { StoredClaims } from '../oauth/claims.ts';
import { newId } from '../oauth/secrets.ts';
import { usernameGlance } from '../people/username-glance.ts';
import { eventBy, type Someone } from './actor.ts';
import { auditingAll } from './audit.ts';
import { type Columns, read, readOne, writeTogether } from './engine/database.ts';
import { insertingRows } from './engine/many-rows.ts';
import { idsOf, inList } from './engine/parameters.ts';
import type { SqlValue, Statement } from './engine/statement.ts';
import type { Group } from './groups.ts';
import { reservedSince } from './usernames.ts';
import { type NewUser, nameKeys, normalKey, sortKeyOf } from './users.ts';

type NewArrival = Omit<NewUser, 'isAdmin'> & { claims: StoredClaims; disabled: boolean };

/** A person who comes from another program, ready to be stored. */
export type ReadyArrival = {
  id: string;
  username: string;
  row: Readonly<Record<string, SqlValue>>;
};

/** Works out everything that can be done before the transaction that stores them. */
export function prepareArrival(
  { id = newId(new Date()), claims, disabled, ...user }: NewArrival,
  now: Date,
): ReadyArrival {
  const { username, email, emailVerified = false, mustChangePassword = false } = user;
  const [nameKey, lastNameKey] = nameKeys(user.name);
  return {
    id,
    username,
    row: {
      id,
      username,
      username_key: normalKey(username),
      username_glance: usernameGlance(username),
      email,
      email_key: normalKey(email),
      email_verified: emailVerified,
      name: user.name,
      name_key: nameKey,
      last_name_key: lastNameKey,
      sort_key: sortKeyOf(user),
      claims: JSON.stringify(claims),
      password_hash: user.passwordHash,
      must_change_password: mustChangePassword,
      is_admin: false,
      epoch: 0,
      disabled_at: disabled ? now : null,
      created_at: now,
      updated_at: now,
    },
  };
}

/** The maximum number stored by one statement. */
export const arrivalsAtOnce = 100;

/**
 * Stores people who come from another program, at most `arrivalsAtOnce`, each with their groups.
 * The caller makes sure that no two in one file have the same name. If a name or address has been
 * taken meanwhile, the result is that person's username, and the caller has to undo the
 * transaction.
 */
export async function storeArrivals(
  people: readonly (ReadyArrival & { groups: readonly Group[] })[],
  from: string,
  by: Someone,
  now: Date,
): Promise<'stored' | { taken: string }> {
  const taken = await firstTaken(people, now);
  if (taken !== null) return { taken };
  const rows = people.map(({ row }) => row);
  const first = insertingRows('users', rows, 'ON CONFLICT DO NOTHING RETURNING id');
  const memberships = people.flatMap(({ id, groups }) => groups.map((group) => ({ id, group })));
  const members = memberships.map(({ id, group }) => ({
    group_id: group.id,
    user_id: id,
    created_at: now,
  }));
  const events = [
    ...people.map(({ id, row }) => {
      const { username, email, email_verified: emailVerified } = row;
      const detail = { username, email, admin: false, emailVerified, from };
      return eventBy(by, 'user.created', { userId: id, detail });
    }),
    ...memberships.map(({ id, group: { id: groupId, name } }) =>
      eventBy(by, 'group.member-added', { userId: id, detail: { id: groupId, name } }),
    ),
  ];
  const then: Statement[] = [
    ...takingNames(people, now),
    ...inPieces(members).map((some) =>
      insertingRows('group_members', some, 'ON CONFLICT DO NOTHING'),
    ),
    ...inPieces(events).flatMap((some) => auditingAll(some, now)),
  ];
  const stored = await writeTogether<{ id: string }>(first, then);
  const done = new Set(stored.map(({ id }) => id));
  const left = people.find(({ id }) => !done.has(id));
  if (!left) return 'stored';
  return { taken: (done.size === 0 && (await firstTaken(people, now))) || left.username };
}

function inPieces<T>(list: readonly T[], size = 500): T[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, at) => list.slice(at * size, (at + 1) * size));
}

const keyOf = ({ row }: ReadyArrival) => String(row.username_key);

/**
 * The first whose name looks like that of an existing user, or was given up lately by another user.
 */
async function firstTaken(people: readonly ReadyArrival[], now: Date): Promise<string | null> {
  const glances = inList(
    'glance',
    people.map(({ row }) => row.username_glance ?? null),
  );
  const seen = await read<Columns<'users', 'usernameGlance'>>(
    `SELECT username_glance FROM users WHERE username_glance IN (${glances.marks})`,
    glances.params,
  );
  const names = inList('name', people.map(keyOf));
  const reserved = await read<Columns<'former_usernames', 'usernameKey' | 'userId'>>(
    `SELECT username_key, user_id FROM former_usernames WHERE given_up_at > :since AND username_key IN (${names.marks})`,
    { ...names.params, since: reservedSince(now) },
  );
  const looks = new Set(seen.map(({ usernameGlance: glance }) => glance));
  const owners = new Map(reserved.map(({ usernameKey, userId }) => [usernameKey, userId]));
  const isTaken = (one: ReadyArrival) =>
    looks.has(String(one.row.username_glance)) || (owners.get(keyOf(one)) ?? one.id) !== one.id;
  return people.find(isTaken)?.username ?? null;
}

/**
 * Ends the reservations of the names now taken, unless another user gave one of them up meanwhile.
 */
function takingNames(people: readonly ReadyArrival[], now: Date): Statement[] {
  const names = inList('name', people.map(keyOf));
  const ids = inList('id', idsOf(people));
  const still = `SELECT 1 AS found WHERE NOT EXISTS (SELECT 1 FROM former_usernames
    WHERE username_key IN (${names.marks}) AND user_id NOT IN (${ids.marks}) AND given_up_at > :since)`;
  const end = `DELETE FROM former_usernames WHERE username_key IN (${names.marks})`;
  const params = { ...names.params, ...ids.params, since: reservedSince(now) };
  return [
    { sql: still, params, must: true },
    { sql: end, params: names.params },
  ];
}

/** Whether a user came from another program, as far back as the audit log goes. */
export async function wasImported(userId: string): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM audit_events
    WHERE user_id = :userId AND type = 'user.created' AND detail LIKE '%"from":%' LIMIT 1`;
  return (await readOne(sql, { userId })) !== undefined;
}
