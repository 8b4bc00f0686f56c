import type { AuditEntry } from '../audit-entry.ts';

/** A value that a prepared statement takes. */
export type SqlValue = string | number | boolean | Date | Uint8Array | null;
export type Row = Record<string, unknown>;

/** The parameters of a statement: `:userId` by its name, `$1` by its place in a list. */
export type SqlParams = readonly SqlValue[] | Readonly<Record<string, SqlValue>>;

/** A statement that writes. */
export type Statement = {
  sql: string;
  params: SqlParams;
  /** Runs once the statement is durable. */
  whenDone?: () => void;
  /** The event or events that it stores. */
  event?: AuditEntry | readonly AuditEntry[];
  /** It must give a row: if it gives none, its whole unit is undone. */
  must?: true;
  /**
   * It comes after the others of its unit, so that a row every writer needs is locked for no longer
   * than a commit takes.
   */
  last?: true;
};

/** Runs a statement; or, without parameters, several, whose rows are not returned. */
export type Run = (sql: string, params?: SqlParams) => Promise<Row[]>;
