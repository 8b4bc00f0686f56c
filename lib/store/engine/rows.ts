import type { Row } from './statement.ts';

/*
 * A row uses the names of the schema: the column `last_seen_at`, or any other value a statement
 * calls that, is `lastSeenAt`. `tests/store/rows.test.ts` checks that no field of the schema is an
 * exception.
 */

const names = new Map<string, string>();

/** The name that a column of a statement has in a row. */
export function nameInRow(column: string): string {
  let name = names.get(column);
  if (name === undefined) {
    name = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    names.set(column, name);
  }
  return name;
}

/** Makes a row from the values that SQLite gives for its columns. */
export type RowMaker = (values: unknown[]) => Row;

/**
 * The maker of a statement's rows. SQLite stores booleans as 1 and 0, and moments as milliseconds;
 * the declared type of a column says which it is. It is compiled, because an object literal is
 * built faster than an object filled name by name. All names come from our own statements.
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
