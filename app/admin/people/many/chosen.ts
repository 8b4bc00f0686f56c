import { notFound } from 'next/navigation';
import type { PeopleSaid } from '#lib/management/user/filter.ts';
import { filtersIn } from '../../ui/table/order.ts';
import { readSelection, type Selection } from '../../ui/table/selection.ts';
import { saidBy } from '../filter.ts';

/** Those who are meant, as the act takes them. */
type Chosen = { ids: string[] } | (PeopleSaid & { everyone?: boolean });
type Sent = Readonly<Record<string, string | string[] | undefined>>;

/** Those who were chosen in the list: no filter may stand there that is not understood. */
export async function chosenBy(selection: Selection): Promise<Chosen> {
  if ('ids' in selection) return { ids: [...selection.ids] };
  const filters = Object.entries(filtersIn(selection.matching)).filter(([, value]) => value.trim());
  if (filters.length === 0) return { everyone: true };
  const said = await Promise.all(filters.map((each) => saidBy(...each)));
  if (said.some(isEmpty)) notFound();
  return Object.assign({}, ...said);
}

const isEmpty = (said: PeopleSaid) => Object.values(said).every((value) => value === undefined);

/** Before the names of what a list sent, in the form that confirms it: that has fields of its own. */
const carried = 'of.';

/** The hidden fields that carry along what a list sent. */
export const carriedFields = (sent: Sent): [name: string, value: string][] =>
  Object.entries(sent).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [carried + name, value]),
  );

/** Those who were chosen, of a form that carries them along; null: nobody. */
export async function chosenInForm(form: FormData): Promise<Chosen | null> {
  const names = [...new Set(form.keys())].filter((name) => name.startsWith(carried));
  const selection = readSelection(
    Object.fromEntries(
      names.map((name) => [name.slice(carried.length), form.getAll(name).map(String)]),
    ),
  );
  return selection && chosenBy(selection);
}
