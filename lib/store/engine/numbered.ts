import { readListed } from './database.ts';
import type { List } from './page.ts';

/** Which column a list is ordered by. */
export type Sort<Name extends string = string> = {
  by: Name;
  direction: 'ascending' | 'descending';
};

type SortColumn = string | { nullable: string };

/** What a list can be ordered by: expressions in the order of an index, the last of them unique. */
export type SortColumns<Name extends string> = Readonly<Record<Name, readonly SortColumn[]>>;

/** Which page of a list is wanted; the first is 1. */
export type Numbered<Name extends string = string> = {
  page: number;
  sort: Sort<Name>;
  limit?: number;
};

/**
 * The rows of one page, found by its number. The index skips the rows before it, so callers limit
 * the number according to their count of rows.
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

/**
 * NULL sorts below every value, as SQLite does by default and as the PostgreSQL indexes are made.
 */
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
