import { type Columns, read } from './engine/database.ts';
import { shownName } from './shown-name.ts';
import { placeOf } from './sort-keys.ts';

/*
 * What belongs to a person besides what their account pages show: read for the file they download,
 * and for nothing else.
 */

type Named = Columns<'clients', 'id' | 'name'>;

/** The apps that a user develops, by name; `owner`: they are responsible for it. */
export function developedBy(
  userId: string,
): Promise<(Named & Columns<'client_contacts', 'owner' | 'createdAt'>)[]> {
  const sql = `SELECT c.id, ${shownName('c')} AS name, k.owner, k.created_at
    FROM client_contacts k JOIN clients c ON c.id = k.client_id WHERE k.user_id = :userId ORDER BY ${placeOf.client('c')}, c.id`;
  return read(sql, { userId });
}

/** The apps that list a user as someone who may use them, by name. */
export function appsListing(
  userId: string,
): Promise<(Named & Columns<'client_users', 'createdAt' | 'endsAt'>)[]> {
  const sql = `SELECT c.id, ${shownName('c')} AS name, k.created_at, k.ends_at
    FROM client_users k JOIN clients c ON c.id = k.client_id WHERE k.user_id = :userId ORDER BY ${placeOf.client('c')}, c.id`;
  return read(sql, { userId });
}

/** The groups that a user leaves at a date, the earliest first. */
export async function membershipsEnding(
  userId: string,
): Promise<{ group: string; endsAt: Date }[]> {
  const sql = `SELECT g.name, m.ends_at FROM group_members m JOIN user_groups g ON g.id = m.group_id
    WHERE m.user_id = :userId AND m.ends_at IS NOT NULL ORDER BY m.ends_at, g.id`;
  type Row = Columns<'user_groups', 'name'> & Columns<'group_members', 'endsAt'>;
  const rows = await read<Row>(sql, { userId });
  return rows.flatMap(({ name, endsAt }) => (endsAt ? [{ group: name, endsAt }] : []));
}

/** The apps that a user asked admins for, the latest first. */
export function appsAskedForBy(
  userId: string,
): Promise<Columns<'client_requests', 'clientId' | 'name' | 'host' | 'askedAt' | 'decision'>[]> {
  const sql = `SELECT client_id, name, host, asked_at, decision
    FROM client_requests WHERE user_id = :userId ORDER BY asked_at DESC, client_id`;
  return read(sql, { userId });
}

/** The names that a user gave up, as long as these are kept, the latest first. */
export function formerUsernamesOf(
  userId: string,
): Promise<Columns<'former_usernames', 'usernameKey' | 'givenUpAt'>[]> {
  const sql = `SELECT username_key, given_up_at
    FROM former_usernames WHERE user_id = :userId ORDER BY given_up_at DESC, username_key`;
  return read(sql, { userId });
}
