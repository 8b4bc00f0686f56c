import { type Columns, readOne, write } from './engine/database.ts';

/*
 * The answers to forms of the last seconds, for a browser that sends one twice. They share a table
 * with those of the API, and are sealed for the browser.
 */

/** How `kept_answers` identifies them. */
const caller = 'form';
/** Milliseconds. */
const formAnswerLife = 10_000;

/**
 * The most places at once, with those whose time is over but that are not deleted yet: anyone can
 * send forms of a page that needs no sign-in.
 */
export const mostFormAnswers = 10_000;

/**
 * Reserves the place of an answer for ten seconds. 'taken': another request has just done so;
 * 'full': there is no room.
 */
export async function reserveFormAnswer(
  name: string,
  now: Date,
): Promise<'reserved' | 'taken' | 'full'> {
  const sql = `INSERT INTO kept_answers (hash, caller, request, answer, expires_at)
    SELECT :name, '${caller}', '', '', CAST(:expiresAt AS TIMESTAMPTZ)
    WHERE (SELECT COUNT(*) FROM kept_answers WHERE caller = '${caller}') < ${mostFormAnswers}
    ON CONFLICT (hash) DO UPDATE SET answer = '', expires_at = excluded.expires_at
    WHERE kept_answers.expires_at <= :now RETURNING hash`;
  const expiresAt = new Date(now.getTime() + formAnswerLife);
  if ((await write(sql, { name, expiresAt, now })).length > 0) return 'reserved';
  return (await findFormAnswer(name, now)) === null ? 'full' : 'taken';
}

/** Writes an answer into its place. */
export async function fillFormAnswer(name: string, answer: string): Promise<void> {
  await write('UPDATE kept_answers SET answer = :answer WHERE hash = :name', { name, answer });
}

/** Gives up a place, so that the same form is handled anew. */
export async function leaveFormAnswer(name: string): Promise<void> {
  await write("DELETE FROM kept_answers WHERE hash = :name AND answer = ''", { name });
}

/** The answer in a place: '' while it is being made, null if there is none. */
export async function findFormAnswer(name: string, now: Date): Promise<string | null> {
  const sql = 'SELECT answer FROM kept_answers WHERE hash = :name AND expires_at > :now';
  const row = await readOne<Columns<'kept_answers', 'answer'>>(sql, { name, now });
  return row?.answer ?? null;
}
