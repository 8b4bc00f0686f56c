import type { AuditEntry } from '../audit-entry.ts';

/** A value as a prepared statement takes it. */
export type SqlValue = string | number | boolean | Date | Uint8Array | null;
export type Row = Record<string, unknown>;

/** What a statement's parameters hold: `:userId` by its name, `$1` by its place in a list. */
export type SqlParams = readonly SqlValue[] | Readonly<Record<string, SqlValue>>;

/** A statement that writes. */
export type Statement = {
  sql: string;
  params: SqlParams;
  /** What follows once it is durable. */
  whenDone?: () => void;
  /** The event that it stores, or all of them. */
  event?: AuditEntry | readonly AuditEntry[];
  /** It has to give a row: where it gives none, nothing of its unit has happened. */
  must?: true;
  /** It comes after the others of its unit: what all write to is held for no longer than a commit takes. */
  last?: true;
};
