import type { Table } from './tables.ts';
import type { Row } from './values.ts';

/**
 * One transaction on a whole database: what it holds at one moment, and, where it was opened to be
 * replaced, the way to give it other content. Nothing of that is seen by anybody before `commit`.
 */
export type Side = {
  kind: 'sqlite' | 'postgresql';
  /** The last migration that was applied; null: none, there are no tables. */
  migration: string | null;
  /** All rows of a table in the order of their keys, byte by byte, a few at a time. */
  batches: (table: Table) => AsyncIterable<Row[]>;
  /** A number from one row, such as a count. */
  number: (sql: string) => Promise<number>;
  /** A text from one row; null where there is none. */
  text: (sql: string) => Promise<string | null>;
  run: (sql: string) => Promise<void>;
  /** Deletes all rows of these tables, of which none refers to a later one. */
  empty: (names: readonly string[]) => Promise<void>;
  /**
   * Drops the indexes of these tables but for their keys, and on PostgreSQL what they refer to others by: making those
   * for all rows at once takes a fraction of the time that each row would take by itself.
   * @returns the statements that make them again, as they were
   */
  dropIndexes: (names: readonly string[]) => Promise<string[]>;
  insert: (table: Table, rows: Row[]) => Promise<void>;
  /** Rows that refer to rows that do not exist. */
  violations: () => Promise<number>;
  commit: () => Promise<void>;
  /** Undoes what was not committed, and closes the connection. */
  close: () => Promise<void>;
};

/** What a side is opened for. */
export type Use = 'read' | 'replace';

/** The statement that gives the last migration. */
export const lastMigration =
  'SELECT max(migration_name) AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL';
