import type { SqlValue, Statement } from './statement.ts';

/**
 * The statement that inserts many rows, each with the same columns. All their values together must
 * not exceed what one statement takes: 32,766.
 */
export function insertingRows(
  table: string,
  rows: readonly Readonly<Record<string, SqlValue>>[],
  ending = '',
): Statement {
  const columns = Object.keys(rows[0] ?? {});
  const marks = rows.map(
    (_, row) => `(${columns.map((_, at) => `$${row * columns.length + at + 1}`).join(', ')})`,
  );
  return {
    sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${marks.join(', ')} ${ending}`,
    params: rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
  };
}
