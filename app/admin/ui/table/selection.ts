/** What can be done to the rows that somebody ticked: the address of the page that asks before it is done. */
export type BulkAct = { label: string; href: string; danger?: boolean };

/** The rows that were ticked, or every row that a list's filters find. */
export type Selection = { ids: readonly string[] } | { matching: Readonly<Record<string, string>> };

/** The names that the form of a selection sends; filters of lists have others. */
export const selectionFields = { id: 'id', all: 'all' } as const;

/** More than a page shows: nobody ticks them by hand. */
const mostTicked = 500;

/** What a list sent to the address of a `BulkAct`; null: nothing was ticked. */
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
