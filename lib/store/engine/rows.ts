import type { Row } from './statement.ts';

/*
 * A row has the names of the schema: the column `last_seen_at`, or whatever a statement gives that
 * name, is `lastSeenAt`. `tests/store/rows.test.ts` holds that no field of the schema is an exception.
 */

const names = new Map<string, string>();

/** The name in a row of what a statement calls `column`. */
export function nameInRow(column: string): string {
  let name = names.get(column);
  if (name === undefined) {
    name = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    names.set(column, name);
  }
  return name;
}

/** Makes a row of the values that SQLite gives for its columns. */
export type RowMaker = (values: unknown[]) => Row;

/**
 * The maker of a statement's rows. SQLite keeps true and false as 1 and 0, and moments as
 * milliseconds; what a column is its table declares. Compiled, since an object that is
 * written out is made faster than one that is filled name by name; all names are of our own statements.
 */
export function rowMaker(columns: { name: string; type: string | null }[]): RowMaker {
  const fields = columns.map(
    ({ name, type }, index) => `${JSON.stringify(nameInRow(name))}: ${cellOf(`v[${index}]`, type)}`,
  );
  return new Function('v', `return { ${fields.join(', ')} };`) as RowMaker;
}

function cellOf(value: string, type: string | null): string {
  if (type === 'BOOLEAN') return `${value} === null ? null : ${value} === 1`;
  if (type === 'DATETIME') return `${value} === null ? null : new Date(${value})`;
  return value;
}
