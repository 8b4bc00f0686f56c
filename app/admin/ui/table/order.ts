import type { Sort } from '#lib/store/engine/numbered.ts';
import type { Column } from '../../../ui/table.tsx';
import { hrefOf } from '../href.ts';

type Query = Readonly<Record<string, string>>;

/** A column of a list; `sort`: what it orders by, and the direction that is asked for first. */
export type ListColumn = Omit<Column, 'sorted' | 'sortHref'> & {
  sort?: readonly [by: string, first: Sort['direction']];
};

/** The number of the page that an address asks for. */
export function pageIn(query: Query): number {
  return /^[1-9]\d{0,4}$/.test(query.page ?? '') ? Number(query.page) : 1;
}

/** The order that an address asks for (`name`, or `-name` the other way round), else the usual one. */
export function sortIn<Name extends string>(
  query: Query,
  names: readonly Name[],
  usual: Sort<Name>,
): Sort<Name> {
  const asked = query.sort ?? '';
  const by = names.find((name) => name === asked.replace(/^-/, ''));
  return by ? { by, direction: asked.startsWith('-') ? 'descending' : 'ascending' } : usual;
}

/** The columns of a table, with heads that lead to the same list in another order. */
export function sortable(
  columns: readonly ListColumn[],
  { by, direction }: Sort,
  path: string,
  query: Query,
): Column[] {
  return columns.map(({ sort, ...column }) => {
    if (!sort) return column;
    const [name, first] = sort;
    const sorted = name === by ? direction : undefined;
    const next = sorted ? (sorted === 'ascending' ? 'descending' : 'ascending') : first;
    const said = next === 'descending' ? `-${name}` : name;
    return { ...column, sorted, sortHref: hrefOf(path, { ...query, sort: said, page: '' }) };
  });
}

/** What narrows a list down: everything in its address but order and place. */
export function filtersIn({ sort: _, page: __, ...filters }: Query): Query {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
}
