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

/** A place between two rows of a list, and on which side of it to read. */
export type Place = { values: (string | Date)[]; side: 'after' | 'before' };

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

export function writeCursor(values: (string | Date)[], side: Place['side']): string {
  const told = values.map((value) => (typeof value === 'string' ? value : value.getTime()));
  return Buffer.from(JSON.stringify(side === 'after' ? told : [told])).toString('base64url');
}

/** The place a cursor stands for. @throws BadCursor */
export function readCursor(
  cursor: string,
  { kinds }: { kinds: readonly ('text' | 'moment')[] },
): Place {
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
