import { notFound } from 'next/navigation';
import type { PeopleSaid } from '#lib/management/user/filter.ts';
import { filtersIn } from '../../ui/table/order.ts';
import { readSelection, type Selection } from '../../ui/table/selection.ts';
import { saidBy } from '../filter.ts';

/** The chosen people, in the shape that the act takes. */
type Chosen = { ids: string[] } | (PeopleSaid & { everyone?: boolean });
type Sent = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The people chosen in the list. A filter that is not understood gives a 404, so that it never
 * widens the choice.
 */
export async function chosenBy(selection: Selection): Promise<Chosen> {
  if ('ids' in selection) return { ids: [...selection.ids] };
  const filters = Object.entries(filtersIn(selection.matching)).filter(([, value]) => value.trim());
  if (filters.length === 0) return { everyone: true };
  const said = await Promise.all(filters.map((each) => saidBy(...each)));
  if (said.some(isEmpty)) notFound();
  return Object.assign({}, ...said);
}

const isEmpty = (said: PeopleSaid) => Object.values(said).every((value) => value === undefined);

/**
 * A prefix for the parameters from the list in the confirming form, which has fields of its own.
 */
const carried = 'of.';

/** The hidden fields that carry the parameters from the list. */
export const carriedFields = (sent: Sent): [name: string, value: string][] =>
  Object.entries(sent).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [carried + name, value]),
  );

/** The chosen people according to the carried fields of a form; null if none were chosen. */
export async function chosenInForm(form: FormData): Promise<Chosen | null> {
  const names = [...new Set(form.keys())].filter((name) => name.startsWith(carried));
  const selection = readSelection(
    Object.fromEntries(
      names.map((name) => [name.slice(carried.length), form.getAll(name).map(String)]),
    ),
  );
  return selection && chosenBy(selection);
}
