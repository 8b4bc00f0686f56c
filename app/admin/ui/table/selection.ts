/** An action for ticked rows: the address of the page that asks for a confirmation. */
export type BulkAct = { label: string; href: string; danger?: boolean };

/** The ticked rows, or every row that matches a list's filters. */
export type Selection = { ids: readonly string[] } | { matching: Readonly<Record<string, string>> };

/** The names of the fields in a selection's form, which no filter may use. */
export const selectionFields = { id: 'id', all: 'all' } as const;

/** More than a page shows; no one ticks this many by hand. */
const mostTicked = 500;

/** Reads what a list sent to the address of a `BulkAct`; null if nothing was ticked. */
export function readSelection(
  params: Readonly<Record<string, string | string[] | undefined>>,
): Selection | null {
  const { id, all, ...filters } = params;
  if ([all].flat()[0] === 'on') {
    const told = Object.entries(filters).map(([name, value]) => [name, [value].flat()[0] ?? '']);
    return { matching: Object.fromEntries(told) };
  }
  const ids = [...new Set([id ?? []].flat())].filter((each) => each !== '');
  return ids.length > 0 ? { ids: ids.slice(0, mostTicked) } : null;
}
