import { listed } from './access.ts';
import { type Actor, eventBy, inReach } from './actor.ts';
import { auditing, auditingAll } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type Columns, read, write, writeTogether } from './engine/database.ts';
import { readHeld } from './engine/held.ts';
import { Listing } from './engine/listing.ts';
import { Conditions, type Paging } from './engine/page.ts';
import { wordsIn } from './engine/parameters.ts';
import type { SqlValue, Statement } from './engine/statement.ts';
import { shownName } from './shown-name.ts';
import { placeOf } from './sort-keys.ts';
import { toUser, type User, type UserRow, userColumnsOf } from './users.ts';

/*
 * Passwords of users that are good for one app. A row belongs to the epoch in which it was made, so
 * whatever ends everything that a user has (a reset password, being disabled, "sign out
 * everywhere") ends it as well.
 */

/** The maximum number per user, counting those that expired recently. */
export const mostAppPasswords = 100;

type Row = Columns<
  'app_passwords',
  | 'id'
  | 'userId'
  | 'clientId'
  | 'name'
  | 'networks'
  | 'createdAt'
  | 'expiresAt'
  | 'lastUsedAt'
  | 'secondFactor'
>;
const columns =
  'p.id, p.user_id, p.client_id, p.name, p.networks, p.created_at, p.expires_at, p.last_used_at, p.second_factor';
const ofNow = 'u.epoch = p.user_epoch';

export type AppPassword = Omit<Row, 'networks'> & { networks: readonly string[] };

type NewAppPassword = Omit<AppPassword, 'lastUsedAt'> & { hash: string; userEpoch: number };

/**
 * Stores a password by its digest. 'full': the user has too many; 'refused': the user or the app
 * has changed meanwhile.
 */
export async function storeAppPassword(
  password: NewAppPassword,
  event: AuditEntry,
  along: readonly Statement[],
): Promise<'stored' | 'full' | 'refused'> {
  const { userId, createdAt } = password;
  const count = 'SELECT COUNT(*) AS count FROM app_passwords WHERE user_id = :userId';
  const sql = `INSERT INTO app_passwords (hash, id, user_id, user_epoch, client_id, name, networks, second_factor, created_at, expires_at)
    SELECT :hash, :id, u.id, u.epoch, c.id, :name, :networks, :secondFactor, CAST(:createdAt AS TIMESTAMPTZ), CAST(:expiresAt AS TIMESTAMPTZ)
    FROM users u JOIN clients c ON c.id = :clientId AND c.app_passwords = TRUE
    WHERE u.id = :userId AND u.epoch = :userEpoch AND u.disabled_at IS NULL AND (${count}) < ${mostAppPasswords} RETURNING id`;
  const params = { ...password, networks: password.networks.join(' ') };
  const then = [auditing(event, createdAt), ...along];
  if ((await writeTogether({ sql, params }, then)).length > 0) return 'stored';
  const [row] = await read<{ count: number }>(count, { userId });
  return row && row.count >= mostAppPasswords ? 'full' : 'refused';
}

/** A password that was sent, and its user. */
export type SentAppPassword = AppPassword & { user: User };

const sent = `SELECT ${columns.replace('p.id,', 'p.id AS password_id,').replace('p.name,', 'p.name AS password_name,')}, ${userColumnsOf('u')}
  FROM app_passwords p JOIN users u ON u.id = p.user_id AND ${ofNow} WHERE p.hash = :hash`;

/** The password with this digest, expired or not, whichever app it is for; null: it has ended. */
export async function findAppPassword(hash: string): Promise<SentAppPassword | null> {
  type Found = Omit<Row, 'id' | 'name'> & UserRow & { passwordId: string; passwordName: string };
  const row = await readHeld<Found>(sent, { hash });
  if (!row) return null;
  const user = toUser(row);
  return { ...toPassword({ ...row, id: row.passwordId, name: row.passwordName }), user };
}

const toPassword = <Each extends Row>(row: Each): Omit<Each, 'networks'> & AppPassword => ({
  ...row,
  networks: wordsIn(row.networks),
});

/** A password as it is listed, with the names of its app and its user. */
export type ListedAppPassword = AppPassword & { clientName: string; username: string };
type ListedRow = Row & { clientName: string; username: string };

export type AppPasswordFilter = Paging & { id?: string; userId?: string; clientId?: string };

/** Those of a user or of an app, newest first; expired ones for another 30 days. */
export const appPasswordList = new Listing({
  sql: `SELECT ${columns}, ${shownName('c')} AS client_name, u.username
    FROM app_passwords p JOIN users u ON u.id = p.user_id AND ${ofNow} JOIN clients c ON c.id = p.client_id`,
  count: 'app_passwords p',
  conditions: ({ id, userId, clientId }: AppPasswordFilter) => {
    const conditions = new Conditions();
    if (id !== undefined) conditions.and('p.id = ?', id);
    if (userId) conditions.and('p.user_id = ?', userId);
    if (clientId) conditions.and('p.client_id = ?', clientId);
    return conditions;
  },
  order: () => ({
    columns: [{ sql: 'p.id', text: ({ id }: ListedRow) => id }],
    direction: 'descending',
  }),
  sorts: { created: ['p.id'] },
  toRecord: (row: ListedRow): ListedAppPassword => toPassword(row),
});

/** The enabled apps that take app passwords and that a user may use, by name. */
export function appsTakingPasswords(userId: string): Promise<{ id: string; name: string }[]> {
  const sql = `SELECT c.id, ${shownName('c')} AS name FROM clients c
    WHERE c.app_passwords = TRUE AND c.disabled_at IS NULL AND (c.access = 'everybody' OR ${listed('c.id', ':userId')})
    ORDER BY ${placeOf.client('c')}, c.id LIMIT 500`;
  return read<Columns<'clients', 'id' | 'name'>>(sql, { userId });
}

/** Ends a password. False: it had ended, or its user is out of reach. */
export async function endAppPassword(
  { userId, id }: Pick<AppPassword, 'userId' | 'id'>,
  event: AuditEntry,
  along: readonly Statement[],
  { reach, now }: Pick<Actor, 'reach'> & { now: Date },
): Promise<boolean> {
  const sql = `DELETE FROM app_passwords WHERE id = :id AND user_id = :userId
    AND EXISTS (SELECT 1 FROM users WHERE users.id = :userId ${inReach(reach)}) RETURNING id`;
  const rows = await writeTogether({ sql, params: { id, userId } }, [
    auditing(event, now),
    ...along,
  ]);
  return rows.length > 0;
}

/**
 * Ends the passwords of a user, or those for an app, or a user's for an app. Each is in the audit
 * log. Returns their number.
 */
export async function endAppPasswords(of: Whose, actor: Actor, now: Date): Promise<number> {
  const { sql, params } = endingAppPasswords(of);
  const found = sql.replace('DELETE', 'SELECT id, user_id, client_id, name');
  for (let total = 0; ; ) {
    const rows = await read<Pick<Row, 'id' | 'userId' | 'clientId' | 'name'>>(
      `${found} ORDER BY id LIMIT 200`,
      params,
    );
    const last = rows.at(-1)?.id;
    if (last === undefined) return total;
    const events = rows.map(({ id, userId, clientId, name }) =>
      eventBy(actor, 'app-password.ended', { userId, clientId, detail: { id, name } }),
    );
    const these = { sql: `${sql} AND id <= :last RETURNING id`, params: { ...params, last } };
    total += (await writeTogether(these, auditingAll(events, now))).length;
  }
}

type Whose = { userId?: string; clientId?: string };

/** The statement that ends a user's passwords, or those for an app, or a user's for an app. */
export function endingAppPasswords(of: Whose) {
  const { userId = null, clientId = null } = of;
  const conditions = [userId && 'user_id = :userId', clientId && 'client_id = :clientId'];
  const which = conditions.filter(Boolean).join(' AND ');
  if (!which) throw new Error('Whose app passwords?');
  const params: Record<string, SqlValue> = { userId, clientId };
  return { sql: `DELETE FROM app_passwords WHERE ${which}`, params } satisfies Statement;
}

type Ending = Pick<Row, 'userId' | 'name'> & { clientName: string; expiresAt: Date };

/**
 * Takes the passwords that end before `until` and whose users were not told yet, so that each is
 * told once, whichever process does it. Those that were made later than `until` allows are left out.
 */
export function takeEnding(until: Date, now: Date): Promise<Ending[]> {
  const madeBefore = new Date(2 * now.getTime() - until.getTime());
  const sql = `UPDATE app_passwords SET end_told_at = :now
    WHERE expires_at > :now AND expires_at < :until AND end_told_at IS NULL AND created_at < :madeBefore
    RETURNING user_id, name, expires_at, (SELECT ${shownName('c')} FROM clients c WHERE c.id = client_id) AS client_name`;
  return write<Ending>(sql, { until, now, madeBefore });
}
