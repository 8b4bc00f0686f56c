import { readListed } from './database.ts';
import type { List } from './page.ts';

/** By which of its columns a list is ordered. */
export type Sort<Name extends string = string> = {
  by: Name;
  direction: 'ascending' | 'descending';
};

type SortColumn = string | { nullable: string };

/** What a list can be ordered by: expressions that an index has in this order, the last of them without equals. */
export type SortColumns<Name extends string> = Readonly<Record<Name, readonly SortColumn[]>>;

/** Which page of a list is wanted, the first being 1. */
export type Numbered<Name extends string = string> = {
  page: number;
  sort: Sort<Name>;
  limit?: number;
};

/**
 * The rows of one page by its number. What comes before is passed over by the index, so callers
 * bound the number by what they counted.
 */
export async function readNumbered<R extends object, T, Name extends string>(
  { sql, conditions: { where, params }, toRecord }: Omit<List<R, T>, 'order'>,
  sorts: SortColumns<Name>,
  { page, sort, limit = 50 }: Numbered<Name>,
): Promise<T[]> {
  const rows = await readListed<R>(
    `${sql} ${where} ORDER BY ${orderBy(sorts, sort)} LIMIT :most OFFSET :passed`,
    { ...params, most: limit, passed: (page - 1) * limit },
  );
  return rows.map(toRecord);
}

/** Nothing counts as less than anything, as SQLite has it and the indexes on PostgreSQL are made. */
function orderBy<Name extends string>(
  sorts: SortColumns<Name>,
  { by, direction }: Sort<Name>,
): string {
  const [word, empty] = direction === 'ascending' ? ['ASC', 'FIRST'] : ['DESC', 'LAST'];
  return sorts[by]
    .map((column) =>
      typeof column === 'string'
        ? `${column} ${word}`
        : `${column.nullable} ${word} NULLS ${empty}`,
    )
    .join(', ');
}
