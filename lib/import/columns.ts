import { refuseAdmin } from '../management/refusal.ts';
import { controlOf } from '../management/user/field-values.ts';
import { sentence } from '../messages/sentence.ts';
import { listFields } from '../store/user-fields.ts';
import { calledEverywhere, foldedHead, guessHeads, noColumn } from './heads.ts';
import type { Lines } from './lines.ts';

/** What a column of a list can mean, besides the operator's own fields, `field.NAME`. */
export const plainColumns = [
  'email',
  'name',
  'given_name',
  'family_name',
  'username',
  'language',
  'groups',
] as const;
/** Everything that a column can mean, with the labels of the operator's own fields. */
export async function knownColumns(): Promise<{ column: string; label: string | null }[]> {
  const own = (await listFields()).map(({ name, label }) => ({ column: controlOf(name), label }));
  return [...plainColumns.map((column) => ({ column, label: null })), ...own];
}

/**
 * What each column seems to mean, judging by its head and its cells.
 * @throws AdminRefusal if two columns have one meaning and say different things
 */
export async function guessColumns(lines: Lines): Promise<string[]> {
  const plain = plainColumns.map((column) => ({ column, ...calledEverywhere[column] }));
  const own = (await listFields()).map(({ name, label }) => ({
    column: controlOf(name),
    called: [foldedHead(label), foldedHead(name)],
  }));
  const { columns, conflict } = guessHeads(lines, [...plain, ...own]);
  if (conflict)
    refuseAdmin('columns', sentence('refused.import.twice', { name: conflict.join(', ') }));
  return columns;
}

/** @throws AdminRefusal unless the meaning of each column is known and different */
export async function checkColumns(columns: readonly string[]): Promise<void> {
  const used = columns.filter((column) => column !== noColumn);
  const known = (await knownColumns()).map(({ column }) => column);
  const unknown = used.find((column) => !known.includes(column));
  if (unknown !== undefined)
    refuseAdmin('columns', sentence('refused.import.column', { name: unknown.slice(0, 80) }));
  const twice = used.find((column, at) => used.indexOf(column) !== at);
  if (twice !== undefined)
    refuseAdmin('columns', sentence('refused.import.twice', { name: twice }));
}
