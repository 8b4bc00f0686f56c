import { readFieldValue, typedOf, type UserField } from '../../people/user-field.ts';
import { listFields } from '../../store/user-fields.ts';
import type { UserFilter } from '../../store/user-list.ts';
import { normalKey } from '../../store/users.ts';

/**
 * Turns a search for a field's value into its filter: `department:res` finds people whose value in
 * that field, or an entry of it, begins so. A field can be named by its claim or its label.
 */
export async function asMeant(filter: UserFilter): Promise<UserFilter> {
  const typed = normalKey(filter.search ?? '');
  if (!typed.includes(':')) return filter;
  const named = (await listFields()).flatMap((field) =>
    [field.name, field.label].map((word) => ({ field, start: `${normalKey(word)}:` })),
  );
  const [meant] = named
    .filter(({ start }) => typed.startsWith(start))
    .sort((one, other) => other.start.length - one.start.length);
  if (!meant) return filter;
  const text = typed.slice(meant.start.length).trim();
  const { name, type } = meant.field;
  return {
    ...filter,
    search: undefined,
    field: { name, start: startOf(type, text), inList: type === 'list' },
  };
}

/**
 * The text in the form in which values are stored: 2.50 as 2.5, on as yes. Text that is not a valid
 * value stays as it is.
 */
function startOf(type: UserField['type'], text: string): string {
  if (type === 'text' || type === 'list') return text;
  const read = readFieldValue(type, [text]);
  return 'value' in read && read.value !== null ? typedOf(read.value) : text;
}
