import type { Kind, Table } from './tables.ts';

/** What stands in a backup: a moment in milliseconds since 1970, bytes in base64. */
export type Value = string | number | boolean | null;
/** The values of a row in the order of its table's columns. */
export type Row = Value[];

/** What a driver gives for a column, as a backup has it. */
export function toBackup(kind: Kind, value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (kind === 'flag') return value === true || value === 1;
  if (kind === 'moment') return value instanceof Date ? value.getTime() : Number(value);
  if (kind === 'bytes') return Buffer.from(value as Uint8Array).toString('base64');
  return kind === 'number' ? Number(value) : String(value);
}

/** What SQLite is given for a value: it has neither booleans nor moments. */
export function toSqlite(kind: Kind, value: Value): string | number | Buffer | null {
  if (kind === 'bytes' && value !== null) return Buffer.from(String(value), 'base64');
  return typeof value === 'boolean' ? Number(value) : value;
}

/** What PostgreSQL is given for a value. */
export function toPostgres(kind: Kind, value: Value): Value | Buffer {
  if (value === null) return null;
  if (kind === 'bytes') return Buffer.from(String(value), 'base64');
  return kind === 'moment' ? new Date(Number(value)).toISOString() : value;
}

/** The kinds of a table's columns, in their order. */
export const kindsOf = (table: Table): Kind[] => Object.values(table.columns);

/** Names in double quotes, with commas between. */
export const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
