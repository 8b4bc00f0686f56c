import { allIn } from './filter.ts';

/** Those who are meant, as the act takes them. */
type Selected = { ids: string[] } | ReturnType<typeof allIn>;

type Sent = Readonly<Record<string, string | string[] | undefined>>;

/** The rows that were ticked in a list, or all that its filters find; null: none. */
export function selectedIn({ id, all, ...filters }: Sent): Selected | null {
  if ([all].flat()[0] === 'on') {
    const told = Object.entries(filters).map(([name, value]) => [name, [value].flat()[0] ?? '']);
    return allIn(Object.fromEntries(told));
  }
  const ids = [...new Set([id ?? []].flat())].filter((each) => each !== '');
  return ids.length > 0 ? { ids } : null;
}

/** The same of a form that asks for a confirmation, which carries along what the list sent. */
export function selectedInForm(form: FormData): Selected | null {
  const names = [...new Set(form.keys())].filter((name) => name.startsWith(carried));
  return selectedIn(
    Object.fromEntries(
      names.map((name) => [name.slice(carried.length), form.getAll(name).map(String)]),
    ),
  );
}

/** Before the names of what a list sent: a form has others of its own. */
const carried = 'of.';

/** The hidden fields that carry along what a list sent. */
export const carriedFields = (sent: Sent): [name: string, value: string][] =>
  Object.entries(sent).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [carried + name, value]),
  );
