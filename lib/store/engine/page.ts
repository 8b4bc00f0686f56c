import { readListed } from './database.ts';
import type { SqlValue } from './statement.ts';

/**
 * Part of a list, and the cursors of the parts beside it. A null cursor means the end or the
 * beginning.
 */
export type Page<T> = { rows: T[]; next: string | null; previous: string | null };

/** Which part of a list is wanted. */
export type Paging = { limit?: number; cursor?: string };

/** A cursor that none of our lists gave out. */
export class BadCursor extends Error {}

/** Conditions of a query, joined by AND. Each `?` marks one value, which gets a name. */
export class Conditions {
  readonly params: Record<string, SqlValue> = {};
  readonly #parts: string[] = [];

  and(sql: string, ...values: SqlValue[]): this {
    const left = values.values();
    this.#parts.push(sql.replaceAll('?', () => this.#named(left.next().value ?? null)));
    return this;
  }

  #named(value: SqlValue): string {
    const name = `value${Object.keys(this.params).length + 1}`;
    this.params[name] = typeof value === 'string' ? storable(value) : value;
    return `:${name}`;
  }

  /** The same conditions, to which more can be added. */
  copy(): Conditions {
    const copy = new Conditions();
    Object.assign(copy.params, this.params);
    copy.#parts.push(...this.#parts);
    return copy;
  }

  get where(): string {
    return this.#parts.length > 0 ? `WHERE ${this.#parts.join(' AND ')}` : '';
  }
}

/** A search text that both databases can bind. Neither can store NUL or half a surrogate pair. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * The upper bound, in byte order, of the texts that begin with this one: we store no text with the
 * last Unicode character.
 */
export function after(text: string): string {
  return `${text}\u{10FFFF}`;
}

/**
 * The LIKE pattern for values that contain a text, to be used with `ESCAPE '\'`. SQLite refuses
 * very long patterns.
 */
export function likePattern(text: string): string {
  return `%${text.slice(0, 200).replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * What a list is ordered by: columns whose values together are unique, and how to get those values
 * from a record.
 */
export type Order<T> = {
  columns: readonly string[];
  kinds: readonly ('text' | 'moment')[];
  direction: 'ascending' | 'descending';
  valuesOf: (record: T) => (string | Date)[];
};

/**
 * The same order for a list whose conditions leave few rows: these are found first and then sorted.
 * Otherwise PostgreSQL would walk the index of the order until it has found a page of them, which
 * may be at its very end.
 */
export const sortingFew = <T>(order: Order<T>): Order<T> => ({
  ...order,
  columns: order.columns.map((column) => `${column} || ''`),
});

/** A place between two rows of a list, and on which side of it to read. */
export type Place = { values: (string | Date)[]; side: 'after' | 'before' };

/** A list, described by its statement. */
export type List<R extends object, T> = {
  sql: string;
  conditions: Conditions;
  order: Order<T>;
  toRecord: (row: R) => T;
};

/** The rows beside a place, in the order of the list, and whether there are more on that side. */
export type Part<T> = { rows: T[]; more: boolean };

/** Reads one row more than asked for, to know whether there are more. */
export async function readPart<R extends object, T>(
  { sql, conditions, order, toRecord }: List<R, T>,
  place: Place | null,
  limit: number,
): Promise<Part<T>> {
  const before = place?.side === 'before';
  const downwards = (order.direction === 'descending') !== before;
  const all = conditions.copy();
  if (place) {
    const holes = order.columns.map(() => '?').join(', ');
    const beyond = `(${order.columns.join(', ')}) ${downwards ? '<' : '>'} (${holes})`;
    all.and(beyond, ...place.values);
  }
  const by = order.columns.map((column) => `${column} ${downwards ? 'DESC' : 'ASC'}`).join(', ');
  const found = await readListed<R>(`${sql} ${all.where} ORDER BY ${by} LIMIT :most`, {
    ...all.params,
    most: limit + 1,
  });
  const rows = found.slice(0, limit).map(toRecord);
  return { rows: before ? rows.reverse() : rows, more: found.length > limit };
}

/**
 * The page at a cursor, or the first one. Going back never ends in a partly filled page: the first
 * page is given instead, whatever was added meanwhile. @throws BadCursor
 */
export async function pageAt<T>(
  part: (place: Place | null) => Promise<Part<T>>,
  order: Order<T>,
  { cursor, limit = 50 }: Paging,
): Promise<Page<T>> {
  const place = cursor ? readCursor(cursor, order) : null;
  const { rows, more } = await part(place);
  const before = place?.side === 'before';
  if (before && !more && rows.length < limit) return pageAt(part, order, { limit });
  const [first, last] = [rows[0], rows.at(-1)];
  const [isFirst, isLast] = [before ? !more : place === null, before ? false : !more];
  return {
    rows,
    previous: first && !isFirst ? writeCursor(order.valuesOf(first), 'before') : null,
    next: last && !isLast ? writeCursor(order.valuesOf(last), 'after') : null,
  };
}

/** A page of a list that is read by one statement. @throws BadCursor */
export function readPage<R extends object, T>(
  list: List<R, T>,
  { cursor, limit = 50 }: Paging,
): Promise<Page<T>> {
  return pageAt((place) => readPart(list, place, limit), list.order, { cursor, limit });
}

/** How many rows there are; `more`: there are more, but counting stopped there. */
export type Total = { count: number; more: boolean };

const countedAtMost = 100_000;

/** Counts the rows of a table that meet conditions, up to a number that is quick to count. */
export async function countRows(
  from: string,
  { where, params }: Conditions,
  most = countedAtMost,
): Promise<Total> {
  const sql = `SELECT count(*) AS found FROM (SELECT 1 AS one FROM ${from} ${where} LIMIT :most) AS few`;
  const [row] = await readListed<{ found: number }>(sql, { ...params, most: most + 1 });
  const found = row?.found ?? 0;
  return { count: Math.min(found, most), more: found > most };
}

/** The text of a cursor. */
function writeCursor(values: (string | Date)[], side: Place['side']): string {
  const told = values.map((value) => (typeof value === 'string' ? value : value.getTime()));
  return Buffer.from(JSON.stringify(side === 'after' ? told : [told])).toString('base64url');
}

/** The place a cursor stands for. @throws BadCursor */
export function readCursor(cursor: string, { kinds }: Pick<Order<never>, 'kinds'>): Place {
  try {
    const said: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const before = Array.isArray(said) && said.length === 1 && Array.isArray(said[0]);
    const values: unknown = before ? said[0] : said;
    if (Array.isArray(values) && values.length === kinds.length) {
      const read = values.map((value, index) => typed(value, kinds[index]));
      return { values: read, side: before ? 'before' : 'after' };
    }
  } catch {}
  throw new BadCursor('Unknown cursor.');
}

function typed(value: unknown, kind?: 'text' | 'moment'): string | Date {
  if (kind === 'text' && typeof value === 'string') return storable(value);
  const moment = new Date(typeof value === 'number' ? value : Number.NaN);
  if (kind === 'moment' && !Number.isNaN(moment.getTime())) return moment;
  throw new BadCursor('Unknown cursor.');
}
