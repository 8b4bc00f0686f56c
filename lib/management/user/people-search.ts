import { readFieldValue, typedOf, type UserField } from '../../people/user-field.ts';
import { listFields } from '../../store/user-fields.ts';
import type { UserFilter } from '../../store/user-list.ts';
import { normalKey } from '../../store/users.ts';

/**
 * The filter that a search stands for: `department:res` asks for people whose value of that field
 * begins so, or has an entry that does. A field goes by its claim or by its label.
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

/** As the value is kept: 2.50 as 2.5, on as yes; what is no such value, as it stands. */
function startOf(type: UserField['type'], text: string): string {
  if (type === 'text' || type === 'list') return text;
  const read = readFieldValue(type, [text]);
  return 'value' in read && read.value !== null ? typedOf(read.value) : text;
}
