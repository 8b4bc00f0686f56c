import { write } from './database.ts';
import { inList } from './parameters.ts';
import { nameInRow } from './rows.ts';
import type { SqlValue } from './statement.ts';

/** Something that waits in a table, as this process took it. */
export type Waiting = {
  /** How often it was taken, this time included. */
  attempts: number;
  /** Nobody wants it after this. */
  expiresAt?: Date;
};

/** A table of things that wait, each to be done once by whichever process is there. */
export type WaitingTable<T extends Waiting> = {
  /**
   * Takes some of what is due, the longest due first, and nothing of the lanes that are `busy`.
   * Nobody else gets it before `until`: only then does another process take what this one has not
   * finished.
   */
  take(now: Date, until: Date, busy?: readonly string[]): Promise<T[]>;
  /** Items of one lane wait for each other, and for none of another. */
  laneOf(item: T): string;
  /** So many lanes are under way at once. */
  mostLanes: number;
  /** Has it taken again, from `until` on; nothing if another process has taken it since. */
  postpone(item: T, until: Date): Promise<void>;
  /** Removes what was done. */
  drop(item: T): Promise<void>;
  /** Removes what was not done; nothing if another process has taken it since. */
  giveUp(item: T): Promise<void>;
};

type Shape = {
  table: string;
  /** The columns of the primary key. An item is a row of these, `attempts` and `columns`. */
  key: readonly string[];
  columns: readonly string[];
  /** SQL, beside the moment: which rows wait. `:now` is now. */
  waits?: string;
  /** So many are taken at once. */
  batch: number;
  /** Without: all wait for each other. */
  lanes?: {
    /** The column that says in which lane an item is. */
    by: string;
    most: number;
  };
};

/** The statements of a queue over a table that has `attempts` and an indexed `next_at`. */
export function waitingTable<T extends Waiting>(shape: Shape): WaitingTable<T> {
  const { table, key: names, columns, waits, batch, lanes } = shape;
  const due = `next_at <= :now${waits ? ` AND ${waits}` : ''}`;
  const take = (beside: string) => `
    UPDATE ${table} SET attempts = attempts + 1, next_at = :until
    WHERE ${due} AND (${names}) IN (SELECT ${names} FROM ${table} WHERE ${due}${beside} ORDER BY next_at LIMIT ${batch})
    RETURNING ${[...names, 'attempts', ...columns]}`;
  const is = names.map((name) => `${name} = :${nameInRow(name)}`).join(' AND ');
  // A process that overran its time counts one less than the one that took the row after it.
  const held = `${is} AND attempts = :attempts`;
  const keyOf = (one: T) =>
    Object.fromEntries(
      names.map(nameInRow).map((name) => [name, one[name as keyof T] as SqlValue]),
    );
  return {
    take: (now, until, busy = []) => {
      const { marks, params } = inList('busy', busy);
      const beside = lanes && busy.length > 0 ? ` AND ${lanes.by} NOT IN (${marks})` : '';
      return write<T>(take(beside), { ...params, now, until });
    },
    laneOf: (one) => (lanes ? String(one[nameInRow(lanes.by) as keyof T]) : ''),
    mostLanes: lanes?.most ?? 1,
    postpone: async (one, until) => {
      const sql = `UPDATE ${table} SET next_at = :until WHERE ${held}`;
      await write(sql, { ...keyOf(one), attempts: one.attempts, until });
    },
    drop: async (one) => {
      await write(`DELETE FROM ${table} WHERE ${is}`, keyOf(one));
    },
    giveUp: async (one) => {
      const sql = `DELETE FROM ${table} WHERE ${held}`;
      await write(sql, { ...keyOf(one), attempts: one.attempts });
    },
  };
}
