import { type Columns, readOne, write } from './engine/database.ts';

/*
 * The answers to forms of the last seconds, for a browser that sends one twice. They share a table
 * with those of the API, and are sealed for the browser.
 */

/** How `kept_answers` identifies them. */
const caller = 'form';
/** Milliseconds. */
const formAnswerLife = 10_000;

/** Reserves the place of an answer for ten seconds; false if another request has just done so. */
export async function reserveFormAnswer(name: string, now: Date): Promise<boolean> {
  const sql = `INSERT INTO kept_answers (hash, caller, request, answer, expires_at)
    VALUES (:name, '${caller}', '', '', CAST(:expiresAt AS TIMESTAMPTZ))
    ON CONFLICT (hash) DO UPDATE SET answer = '', expires_at = excluded.expires_at
    WHERE kept_answers.expires_at <= :now RETURNING hash`;
  const expiresAt = new Date(now.getTime() + formAnswerLife);
  return (await write(sql, { name, expiresAt, now })).length > 0;
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
