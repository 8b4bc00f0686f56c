import { tables } from '#prisma/generated/tables.ts';

/**
 * All columns of a table that this version knows, for a SELECT. Never `*`: a newer version beside this
 * one may have added columns, and a statement that was prepared before would give its values under
 * wrong names (SQLite), or fail (PostgreSQL).
 * @param alias what the statement calls the table
 */
export function allColumns(table: keyof typeof tables, alias?: string): string {
  const names = Object.keys(tables[table].columns);
  return (alias ? names.map((name) => `${alias}.${name}`) : names).join(', ');
}
