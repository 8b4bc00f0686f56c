import type { Sort } from '#lib/store/engine/listing.ts';
import type { Column } from '../../../ui/table.tsx';
import { hrefOf } from '../href.ts';

type Query = Readonly<Record<string, string>>;

/** A column of a list. `sort` says what it orders by, and which direction comes first. */
export type ListColumn = Omit<Column, 'sorted' | 'sortHref'> & {
  sort?: readonly [by: string, first: Sort['direction']];
};

export function pageIn(query: Query): number {
  return /^[1-9]\d{0,4}$/.test(query.page ?? '') ? Number(query.page) : 1;
}

/** The order in an address (`name`, or `-name` for descending), or else the usual one. */
export function sortIn<Name extends string>(
  query: Query,
  names: readonly Name[],
  usual: Sort<Name>,
): Sort<Name> {
  const asked = query.sort ?? '';
  const by = names.find((name) => name === asked.replace(/^-/, ''));
  return by ? { by, direction: asked.startsWith('-') ? 'descending' : 'ascending' } : usual;
}

/** The columns of a table, whose heads link to the same list in another order. */
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

/** The filters in an address: everything except the order and the page. */
export function filtersIn({ sort: _, page: __, ...filters }: Query): Query {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
}
