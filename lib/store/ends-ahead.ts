import { type Ending, ending } from './ends.ts';
import { date, type Moment, read, writeTogether } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';

/*
 * What people and admins are told of before it ends by itself. A row notes when its person was told
 * (`end_told_at`), in the transaction that queues the mail; a new date makes the note void.
 */

/** Something that ends, and the name of the person whom it belongs to. */
export type EndAhead = Ending & { username: string };

/** Finds what ends after `now` and fulfils a condition, the earliest first. */
async function ahead(
  condition: string,
  params: { now: Date; until: Date; since?: Date },
  most: number,
): Promise<EndAhead[]> {
  const sql = `SELECT e.user_id, e.what, e.id, e.name, e.reason, e.ends_at, p.username
    FROM (${ending(`x.ends_at > :now AND x.ends_at <= :until AND ${condition}`)}) AS e
    JOIN users p ON p.id = e.user_id AND p.disabled_at IS NULL ORDER BY e.ends_at, e.user_id LIMIT ${most}`;
  const rows = await read<Omit<EndAhead, 'endsAt'> & { endsAt: Moment }>(sql, params);
  return rows.map((row) => ({ ...row, endsAt: date(row.endsAt) }));
}

/** What ends by `until`, and whose person was not told. */
export const untoldEnds = (until: Date, now: Date, most: number): Promise<EndAhead[]> =>
  ahead('x.end_told_at IS NULL', { now, until }, most);

/** What ends by `until`, and whose person was told after `since`. */
export const endsToldSince = (
  since: Date,
  until: Date,
  now: Date,
  most: number,
): Promise<EndAhead[]> => ahead('x.end_told_at > :since', { now, until, since }, most);

/**
 * Notes that people were told of these, together with the statements that queue the mails. False:
 * another process was first, or one of these has another date by now; then nothing is queued.
 */
export async function noteTold(
  ends: readonly Ending[],
  letters: readonly Statement[],
  now: Date,
): Promise<boolean> {
  const [first, ...others] = ends.map((one) => noting(one, now));
  return first !== undefined && (await writeTogether(first, [...others, ...letters])).length > 0;
}

const rows = {
  account: 'users SET end_told_at = CAST(:now AS TIMESTAMPTZ) WHERE id = :userId',
  group:
    'group_members SET end_told_at = CAST(:now AS TIMESTAMPTZ) WHERE user_id = :userId AND group_id = :id',
  app: 'client_users SET end_told_at = CAST(:now AS TIMESTAMPTZ) WHERE user_id = :userId AND client_id = :id',
};

function noting({ what, userId, id, endsAt }: Ending, now: Date): Statement {
  const key = what === 'account' ? 'id' : 'user_id';
  const sql = `UPDATE ${rows[what]} AND ends_at = :endsAt AND end_told_at IS NULL RETURNING ${key}`;
  return { sql, params: { userId, id, endsAt, now }, must: true };
}

/** The names of the API keys that expire after one moment and by another, the earliest first. */
export async function keysEnding(after: Date, until: Date, most: number): Promise<string[]> {
  const sql = `SELECT name FROM api_keys WHERE expires_at > :after AND expires_at <= :until
    ORDER BY expires_at, id LIMIT ${most}`;
  return (await read<{ name: string }>(sql, { after, until })).map(({ name }) => name);
}
