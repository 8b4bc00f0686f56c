import { sentence } from '../../messages/sentence.ts';
import { listFields } from '../../store/user-fields.ts';
import { normalKey } from '../../store/users.ts';
import { refuseAdmin } from '../refusal.ts';
import { controlOf } from '../user/field-values.ts';
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
/** A column that is left out. */
export const noColumn = 'skip';

/** Other words for them in the head of a table, in lower case. */
const alsoCalled: Record<(typeof plainColumns)[number], readonly string[]> = {
  email: ['e-mail', 'mail', 'email address', 'e-mail address', 'e-mail-adresse', 'mailadresse'],
  name: ['full name', 'display name', 'displayname', 'vollständiger name', 'anzeigename'],
  given_name: ['given name', 'first name', 'firstname', 'vorname'],
  family_name: ['family name', 'last name', 'lastname', 'surname', 'nachname'],
  username: ['user name', 'user', 'login', 'benutzername'],
  language: ['locale', 'lang', 'sprache'],
  groups: ['group', 'gruppe', 'gruppen'],
};

/** Everything that a column can mean, with the labels of the operator's own fields. */
export async function knownColumns(): Promise<{ column: string; label: string | null }[]> {
  const own = (await listFields()).map(({ name, label }) => ({ column: controlOf(name), label }));
  return [...plainColumns.map((column) => ({ column, label: null })), ...own];
}

/** What each column seems to mean, judging by its head. Without one, only addresses are found. */
export async function guessColumns({ head, lines }: Lines): Promise<string[]> {
  const known = await knownColumns();
  const width = head.length || Math.max(...lines.map(({ cells }) => cells.length));
  const guessed: string[] = [];
  for (let at = 0; at < width; at += 1) {
    const word = normalKey(head[at] ?? '');
    const found = known.find(({ column, label }) => names(column, label).includes(word))?.column;
    guessed.push(found && !guessed.includes(found) ? found : noColumn);
  }
  const isEmail = (at: number) => lines[0]?.cells[at]?.includes('@');
  const email = guessed.findIndex((_, at) => isEmail(at));
  if (!guessed.includes('email') && email >= 0) guessed[email] = 'email';
  return guessed;
}

const names = (column: string, label: string | null): string[] =>
  label === null
    ? [column, ...(alsoCalled[column as (typeof plainColumns)[number]] ?? [])]
    : [normalKey(label), column.slice(controlOf('').length)];

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
