import { newId } from '../oauth/secrets.ts';
import { type Columns, readOne, write } from './engine/database.ts';
import { storable } from './engine/page.ts';

/** The maximum number of drafts of one person; each is forgotten after a day. */
export const mostDrafts = 20;

/**
 * A list of people, or a file of another program, that was read but is not used yet: its content,
 * and the id of who read it.
 */
type ImportDraft = { id: string; madeBy: string; lines: string };

/** Stores a list, unless the person who read it has too many. Gives its id. */
export async function storeDraft(
  draft: Omit<ImportDraft, 'id'>,
  now: Date,
): Promise<string | 'full'> {
  const id = newId(now);
  const sql = `INSERT INTO import_drafts (id, made_by, lines, created_at)
    SELECT :id, :madeBy, :lines, CAST(:now AS TIMESTAMPTZ)
    WHERE (SELECT count(*) FROM import_drafts WHERE made_by = :madeBy) < ${mostDrafts} RETURNING id`;
  return (await write(sql, { ...draft, id, now })).length > 0 ? id : 'full';
}

/** The list with this id, or null. */
export async function findDraft(id: string): Promise<ImportDraft | null> {
  const sql = 'SELECT id, made_by, lines FROM import_drafts WHERE id = :id';
  type Row = Columns<'import_drafts', 'id' | 'madeBy' | 'lines'>;
  return (await readOne<Row>(sql, { id: storable(id) })) ?? null;
}

/** Forgets a list that was used. */
export async function forgetDraft(id: string): Promise<void> {
  await write('DELETE FROM import_drafts WHERE id = :id', { id: storable(id) });
}
