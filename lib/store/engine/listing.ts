import { readListed } from './database.ts';
import {
  type Conditions,
  countRows,
  type Page,
  type Paging,
  type Place,
  readCursor,
  type Total,
  writeCursor,
} from './page.ts';

/** Which column a list is sorted by. */
export type Sort<By extends string = string> = { by: By; direction: 'ascending' | 'descending' };

/** Which page of a list is wanted; the first is 1. */
export type Numbered<By extends string = string> = { page: number; sort: Sort<By>; limit?: number };

/** An expression that a list is sorted by, and what a row has there, which cursors keep. */
export type Kept<R> = { sql: string } & (
  | { text: (row: R) => string }
  | { moment: (row: R) => Date }
);

/** Columns whose values together are unique. */
export type Order<R> = { columns: readonly Kept<R>[]; direction: Sort['direction'] };

/**
 * The same order for a list whose conditions leave few rows: these are found first and then sorted.
 * Otherwise PostgreSQL would walk the index of the order until it has found a page of them, which
 * may be at its very end.
 */
export const sortingFew = <R>({ columns, direction }: Order<R>): Order<R> => ({
  columns: columns.map((column) => ({ ...column, sql: `${column.sql} || ''` })),
  direction,
});

type SortColumn<R> = string | { nullable: string } | Kept<R>;

type Described<F, R extends object, T, By extends string> = {
  /** The statement up to its conditions. */
  sql: string;
  /** The tables in which rows are counted, or how they are counted. */
  count: string | ((filter: F) => Promise<Total>);
  conditions: (filter: F) => Conditions | Promise<Conditions>;
  /** Filters that each find a part of the rows by an index, where one for all would sort them. */
  split?: (filter: F) => F[];
  /** The order in which cursors lead through the list. */
  order: (filter: F) => Order<R>;
  /** The orders of numbered pages: expressions as in an index, the last of them unique. */
  sorts: Readonly<Record<By, readonly SortColumn<R>[]>>;
  toRecord: (row: R) => T;
};

/** The list of a noun: its rows that a filter finds are read by cursor or by page number. */
export class Listing<F extends Paging, R extends object, T, By extends string> {
  readonly #is: Described<F, R, T, By>;

  constructor(is: Described<F, R, T, By>) {
    this.#is = is;
  }

  /**
   * The page at a cursor, or the first one. Going back never ends in a partly filled page: the
   * first page is given instead, whatever was added meanwhile. @throws BadCursor
   */
  async page(filter: F): Promise<Page<T>> {
    const { cursor, limit = 50 } = filter;
    const order = this.#is.order(filter);
    const kinds = order.columns.map((column) => ('text' in column ? 'text' : 'moment'));
    const place = cursor ? readCursor(cursor, { kinds }) : null;
    const { rows, more } = await this.#part(filter, order, place, limit);
    const before = place?.side === 'before';
    if (before && !more && rows.length < limit) return this.page({ ...filter, cursor: undefined });
    const [isFirst, isLast] = [before ? !more : place === null, !before && !more];
    const [first, last] = [rows[0], rows.at(-1)];
    return {
      rows: rows.map(this.#is.toRecord),
      previous: first && !isFirst ? writeCursor(valuesIn(order, first), 'before') : null,
      next: last && !isLast ? writeCursor(valuesIn(order, last), 'after') : null,
    };
  }

  /** All rows, so many at a time that memory stays small. */
  async *pages(filter: F, limit: number): AsyncGenerator<T[]> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Page<T> = await this.page({ ...filter, cursor, limit });
      yield page.rows;
      cursor = page.next;
    }
  }

  /**
   * The rows of one page, found by its number. The index skips the rows before it, so callers limit
   * the number according to their count of rows. A list in parts has only the order of its cursors.
   */
  async numbered(filter: F, { page, sort, limit = 50 }: Numbered<By>): Promise<T[]> {
    const passed = (page - 1) * limit;
    const { conditions, order, sorts, toRecord } = this.#is;
    const [only, ...others] = this.#filters(filter);
    if (!only || others.length > 0) {
      const { rows } = await this.#part(filter, order(filter), null, passed + limit);
      return rows.slice(passed).map(toRecord);
    }
    const by = orderBy(sorts[sort.by], sort.direction);
    return (await this.#rows(await conditions(only), by, limit, passed)).map(toRecord);
  }

  /** How many rows a filter finds. */
  async count(filter: F): Promise<Total> {
    const { count, conditions } = this.#is;
    return typeof count === 'string' ? countRows(count, await conditions(filter)) : count(filter);
  }

  /**
   * The rows beside a place, in the order of the list, and whether there are more on that side. To
   * know this, one more is read.
   */
  async #part(filter: F, order: Order<R>, place: Place | null, limit: number) {
    const before = place?.side === 'before';
    const direction = (order.direction === 'descending') !== before ? 'descending' : 'ascending';
    const by = orderBy(order.columns, direction);
    const parts = this.#filters(filter).map(async (each) => {
      const conditions = await this.#is.conditions(each);
      if (place) conditions.and(...beyond(order, direction, place));
      return this.#rows(conditions, by, limit + 1);
    });
    const found = (await Promise.all(parts)).flat();
    if (parts.length > 1) found.sort(comparing(order, direction));
    const rows = found.slice(0, limit);
    return { rows: before ? rows.reverse() : rows, more: found.length > limit };
  }

  #filters(filter: F): F[] {
    return this.#is.split?.(filter) ?? [filter];
  }

  #rows({ where, params }: Conditions, by: string, most: number, passed = 0): Promise<R[]> {
    const sql = `${this.#is.sql} ${where} ORDER BY ${by} LIMIT :most OFFSET :passed`;
    return readListed<R>(sql, { ...params, most, passed });
  }
}

const valueIn = <R>(column: Kept<R>, row: R) =>
  'text' in column ? column.text(row) : column.moment(row);

const valuesIn = <R>({ columns }: Order<R>, row: R) =>
  columns.map((column) => valueIn(column, row));

function beyond<R>(
  { columns }: Order<R>,
  direction: Sort['direction'],
  { values }: Place,
): [string, ...Place['values']] {
  const [names, holes] = [columns.map(({ sql }) => sql), columns.map(() => '?')];
  const sign = direction === 'ascending' ? '>' : '<';
  return [`(${names.join(', ')}) ${sign} (${holes.join(', ')})`, ...values];
}

/**
 * NULL sorts below every value, as SQLite does by default and as the PostgreSQL indexes are made.
 */
function orderBy<R>(columns: readonly SortColumn<R>[], direction: Sort['direction']): string {
  const [word, empty] = direction === 'ascending' ? ['ASC', 'FIRST'] : ['DESC', 'LAST'];
  const said = (column: SortColumn<R>): string => {
    if (typeof column === 'string') return `${column} ${word}`;
    return 'nullable' in column ? `${column.nullable} ${word} NULLS ${empty}` : said(column.sql);
  };
  return columns.map(said).join(', ');
}

/** Compares rows of several parts. Texts have to be ASCII, which databases compare as we do. */
const comparing =
  <R>({ columns }: Order<R>, direction: Sort['direction']) =>
  (one: R, other: R): number => {
    const [low, high] = direction === 'ascending' ? [one, other] : [other, one];
    for (const column of columns) {
      const [value, compared] = [valueIn(column, low), valueIn(column, high)];
      if (value < compared) return -1;
      if (compared < value) return 1;
    }
    return 0;
  };
