import type { Kind, Table } from './tables.ts';

/** A value in a backup: moments are milliseconds since 1970, bytes are base64. */
export type Value = string | number | boolean | null;
/** The values of a row in the order of its table's columns. */
export type Row = Value[];

/** Converts a driver's value of a column to the form of a backup. */
export function toBackup(kind: Kind, value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (kind === 'flag') return value === true || value === 1;
  if (kind === 'moment') return value instanceof Date ? value.getTime() : Number(value);
  if (kind === 'bytes') return Buffer.from(value as Uint8Array).toString('base64');
  return kind === 'number' ? Number(value) : String(value);
}

/** Converts a value for SQLite, which has neither booleans nor moments. */
export function toSqlite(kind: Kind, value: Value): string | number | Buffer | null {
  if (kind === 'bytes' && value !== null) return Buffer.from(String(value), 'base64');
  return typeof value === 'boolean' ? Number(value) : value;
}

export function toPostgres(kind: Kind, value: Value): Value | Buffer {
  if (value === null) return null;
  if (kind === 'bytes') return Buffer.from(String(value), 'base64');
  return kind === 'moment' ? new Date(Number(value)).toISOString() : value;
}

/** The kinds of a table's columns, in their order. */
export const kindsOf = (table: Table): Kind[] => Object.values(table.columns);

/** Names in double quotes, separated by commas. */
export const quotedNames = (names: readonly string[]) =>
  names.map((name) => `"${name}"`).join(', ');
