import type { Table } from './tables.ts';
import type { Row } from './values.ts';

/**
 * One transaction on a whole database: its content at one moment and, if it was opened to be
 * replaced, the means to give it other content. No one sees the changes before `commit`.
 */
export type Side = {
  kind: 'sqlite' | 'postgresql';
  /** The last applied migration; null if there are no tables. */
  migration: string | null;
  /** All rows of a table in the order of their keys, byte by byte, in batches. */
  batches: (table: Table) => AsyncIterable<Row[]>;
  /** A number from one row, such as a count. */
  number: (sql: string) => Promise<number>;
  /** A text from one row; null if there is none. */
  text: (sql: string) => Promise<string | null>;
  run: (sql: string) => Promise<void>;
  /** Deletes all rows of these tables, none of which refers to a later one. */
  empty: (names: readonly string[]) => Promise<void>;
  /**
   * Drops the indexes of these tables except their primary keys, and on PostgreSQL also their
   * foreign keys: building them for all rows together takes a fraction of the time of updating them
   * for each row.
   * @returns the statements that recreate them
   */
  dropIndexes: (names: readonly string[]) => Promise<string[]>;
  insert: (table: Table, rows: Row[]) => Promise<void>;
  /** The number of rows that refer to rows that do not exist. */
  violations: () => Promise<number>;
  commit: () => Promise<void>;
  /** Rolls back what was not committed, and closes the connection. */
  close: () => Promise<void>;
};

export type Use = 'read' | 'replace';

/** The query for the last applied migration. */
export const lastMigration =
  'SELECT max(migration_name) AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL';
