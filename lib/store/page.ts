import { read, type SqlValue } from './database.ts';

/** Part of a list, and the cursor of the next part; null: this is the end. */
export type Page<T> = { rows: T[]; next: string | null };

/** Which part of a list is wanted. */
export type Paging = { limit?: number; cursor?: string };

/** A cursor that no list of ours gave out. */
export class BadCursor extends Error {}

/** Conditions of a query, joined by AND; each `?` stands for one value. */
export class Conditions {
  readonly params: SqlValue[] = [];
  readonly #parts: string[] = [];

  and(sql: string, ...values: SqlValue[]): this {
    let next = this.params.length;
    this.#parts.push(
      sql.replaceAll('?', () => {
        next += 1;
        return `$${next}`;
      }),
    );
    this.params.push(
      ...values.map((value) => (typeof value === 'string' ? storable(value) : value)),
    );
    return this;
  }

  get where(): string {
    return this.#parts.length > 0 ? `WHERE ${this.#parts.join(' AND ')}` : '';
  }
}

/** A text to look for that both databases can bind: one with NUL or half a character is in neither of them. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** The end of the texts that begin with this one, in the order of bytes: nothing of ours holds the last character there is. */
export function after(text: string): string {
  return `${text}\u{10FFFF}`;
}

/** The LIKE pattern for values that hold a text; to be used with `ESCAPE '\'`. SQLite refuses very long ones. */
export function containing(text: string): string {
  return `%${text.slice(0, 200).replace(/[\\%_]/g, '\\$&')}%`;
}

/** Reads one row more than asked, to know whether there is a next part. */
export async function readPage<R extends object, T>(
  sql: string,
  conditions: Conditions,
  order: string,
  limit: number,
  toRecord: (row: R) => T,
  cursorOf: (record: T) => (string | number)[],
): Promise<Page<T>> {
  const { where, params } = conditions;
  const found = await read<R>(`${sql} ${where} ORDER BY ${order} LIMIT $${params.length + 1}`, [
    ...params,
    limit + 1,
  ]);
  const rows = found.slice(0, limit).map(toRecord);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last ? writeCursor(cursorOf(last)) : null };
}

/** The text that stands for a place in a list. */
export function writeCursor(values: (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** The values a cursor stands for. @throws BadCursor */
export function readCursor(cursor: string, kinds: ('string' | 'number')[]): (string | number)[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const right = (value: unknown, i: number) =>
      typeof value === kinds[i] && (kinds[i] === 'string' || isMoment(value));
    if (Array.isArray(values) && values.length === kinds.length && values.every(right))
      return values;
  } catch {}
  throw new BadCursor('Unknown cursor.');
}

const isMoment = (value: unknown) => !Number.isNaN(new Date(Number(value)).getTime());
