import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { allColumns } from './engine/all-columns.ts';
import { type Columns, read, readOne, write, writeTogether } from './engine/database.ts';
import { inList } from './engine/parameters.ts';
import type { Statement } from './engine/statement.ts';

/** Who a person is in a directory. Only the directory and the id of the entry identify them. */
type EntryKey = { directory: string; entryId: string };

/** A person in a directory who has an account here. */
export type DirectoryLink = EntryKey & {
  userId: string;
  /** Their name there when they were last seen: for display only, never to find them by. */
  dn: string;
  disabledByIt: boolean;
  createdAt: Date;
  lastSeenAt: Date;
};

const columns = 'directory, entry_id, user_id, dn, disabled_by_it, created_at, last_seen_at';

/**
 * The directory entry that has a user's password; null: their password is here, or they have none.
 */
export async function findDirectoryLink(userId: string): Promise<DirectoryLink | null> {
  const sql = `SELECT ${columns} FROM directory_people WHERE user_id = :userId`;
  return (await readOne<Columns<'directory_people'>>(sql, { userId })) ?? null;
}

/** The account that an entry belongs to, or null. */
export async function findEntry({ directory, entryId }: EntryKey): Promise<DirectoryLink | null> {
  const sql = `SELECT ${columns} FROM directory_people WHERE directory = :directory AND entry_id = :entryId`;
  return (await readOne<Columns<'directory_people'>>(sql, { directory, entryId })) ?? null;
}

/** The people of a directory after an entry, in the order of their ids. */
export function listDirectoryLinks(
  directory: string,
  after: string,
  most: number,
): Promise<DirectoryLink[]> {
  const sql = `SELECT ${columns} FROM directory_people WHERE directory = :directory AND entry_id > :after
    ORDER BY entry_id LIMIT ${Math.trunc(most)}`;
  return read<Columns<'directory_people'>>(sql, { directory, after });
}

/** How many people of a directory have an account here. */
export async function countDirectoryPeople(directory: string): Promise<number> {
  const sql = 'SELECT COUNT(*) AS found FROM directory_people WHERE directory = :directory';
  return (await readOne<{ found: number }>(sql, { directory }))?.found ?? 0;
}

type NewLink = EntryKey & { userId: string; dn: string };

const insert = `INSERT INTO directory_people (${columns})
  SELECT :directory, :entryId, u.id, :dn, FALSE, CAST(:now AS TIMESTAMPTZ), CAST(:now AS TIMESTAMPTZ)
  FROM users u WHERE u.id = :userId`;

/**
 * The statement that links a new account to the entry with its password. If the entry is taken, the
 * whole transaction fails.
 */
export const givingEntry = (link: NewLink, now: Date): Statement => ({
  sql: insert,
  params: { ...link, now },
});

/**
 * Moves an account's password to a directory: the account loses its own password, and everything
 * opened with that ends. 'taken': the entry belongs to another account, or this account has an
 * entry.
 */
export async function linkEntry(
  link: NewLink,
  ending: readonly Statement[],
  event: AuditEntry,
  now: Date,
): Promise<'linked' | 'taken'> {
  const first = {
    sql: `${insert} ON CONFLICT DO NOTHING RETURNING user_id`,
    params: { ...link, now },
  };
  const { userId } = link;
  const sql = `UPDATE users SET password_hash = NULL, must_change_password = FALSE, epoch = epoch + 1, updated_at = :now
    WHERE id = :userId`;
  const then = [{ sql, params: { userId, now } }, ...ending, auditing(event, now)];
  return (await writeTogether(first, then)).length > 0 ? 'linked' : 'taken';
}

/**
 * Takes an account out of its directory, and ends everything that was opened with it. False: the
 * account is in no directory.
 */
export async function unlinkEntry(
  userId: string,
  ending: readonly Statement[],
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const sql = 'DELETE FROM directory_people WHERE user_id = :userId RETURNING user_id';
  const raise = {
    sql: 'UPDATE users SET epoch = epoch + 1, updated_at = :now WHERE id = :userId',
    params: { userId, now },
  };
  const then = [raise, ...ending, auditing(event, now)];
  return (await writeTogether({ sql, params: { userId } }, then)).length > 0;
}

/** Notes that a user was found in their directory, and their name there. */
export async function noteFoundInDirectory(userId: string, dn: string, now: Date): Promise<void> {
  const sql = 'UPDATE directory_people SET dn = :dn, last_seen_at = :now WHERE user_id = :userId';
  await write(sql, { userId, dn, now });
}

/** SQL: this user belongs to a directory. */
export const isOfDirectory = (user: string, and = '') =>
  `EXISTS (SELECT 1 FROM directory_people d WHERE d.user_id = ${user} ${and})`;

/** SQL: this user was disabled by their directory, which may therefore enable them again. */
export const isDisabledByDirectory = (user: string) =>
  isOfDirectory(user, 'AND d.disabled_by_it = TRUE');

/**
 * The statement that notes whether the directory disabled an account, for the transaction of that
 * change.
 */
export const notingDisabled = (userId: string, disabledByIt: boolean): Statement => ({
  sql: 'UPDATE directory_people SET disabled_by_it = :disabledByIt WHERE user_id = :userId',
  params: { userId, disabledByIt },
});

/** Which of these groups a user is in. */
export async function memberOfThese(userId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { marks, params } = inList('id', ids);
  const sql = `SELECT group_id FROM group_members WHERE user_id = :userId AND group_id IN (${marks})`;
  const rows = await read<Columns<'group_members', 'groupId'>>(sql, { userId, ...params });
  return new Set(rows.map(({ groupId }) => groupId));
}

/** How a sync went. */
export type DirectorySync = {
  directory: string;
  startedAt: Date;
  endedAt: Date;
  outcome: 'done' | 'stopped' | 'failed';
  detail: Readonly<Record<string, unknown>>;
};

/** How the last sync of each directory went. */
export async function listSyncs(): Promise<DirectorySync[]> {
  const rows = await read<Columns<'directory_syncs'>>(
    `SELECT ${allColumns('directory_syncs')} FROM directory_syncs`,
    {},
  );
  return rows.map((row) => ({
    ...row,
    outcome: row.outcome as DirectorySync['outcome'],
    detail: JSON.parse(row.detail) as DirectorySync['detail'],
  }));
}

export async function noteSync(sync: DirectorySync): Promise<void> {
  const sql = `INSERT INTO directory_syncs (directory, started_at, ended_at, outcome, detail)
    VALUES (:directory, :startedAt, :endedAt, :outcome, :detail)
    ON CONFLICT (directory) DO UPDATE SET started_at = :startedAt, ended_at = :endedAt, outcome = :outcome, detail = :detail`;
  await write(sql, { ...sync, detail: JSON.stringify(sync.detail) });
}
