import { tables } from '#prisma/generated/tables.ts';

/**
 * All columns of a table that this version knows, for a SELECT. Never `*`: a newer version running
 * beside this one may have added columns, and a statement prepared before that would put values
 * under the wrong names (SQLite) or fail (PostgreSQL).
 * @param alias what the statement calls the table
 */
export function allColumns(table: keyof typeof tables, alias?: string): string {
  const names = Object.keys(tables[table].columns);
  return (alias ? names.map((name) => `${alias}.${name}`) : names).join(', ');
}
