import { write } from './database.ts';
import { inList } from './parameters.ts';
import { nameInRow } from './rows.ts';
import type { SqlValue } from './statement.ts';

/** Something that waits in a table, as taken by this process. */
export type Waiting = {
  /** How often it has been taken, including this time. */
  attempts: number;
  /** After this it is of no use. */
  expiresAt?: Date;
};

/** A table of waiting items, each to be done once by whichever process is running. */
export type WaitingTable<T extends Waiting> = {
  /**
   * Takes some of the items that are due, the longest due first, and none from the lanes that are
   * `busy`. No other process gets them before `until`; after that, another process takes what this
   * one has not finished.
   */
  take(now: Date, until: Date, busy?: readonly string[]): Promise<T[]>;
  /** Items in one lane wait for each other, but not for items in other lanes. */
  laneOf(item: T): string;
  /** The maximum number of lanes processed at the same time. */
  mostLanes: number;
  /**
   * Lets the item be taken again from `until` on; does nothing if another process has taken it
   * since.
   */
  postpone(item: T, until: Date): Promise<void>;
  /** Removes an item that was done. */
  drop(item: T): Promise<void>;
  /** Removes an item that was not done; does nothing if another process has taken it since. */
  giveUp(item: T): Promise<void>;
};

type Shape = {
  table: string;
  /** The columns of the primary key. An item is a row of these, `attempts` and `columns`. */
  key: readonly string[];
  columns: readonly string[];
  /** SQL, in addition to the moment: which rows wait. `:now` is now. */
  waits?: string;
  /** How many are taken together. */
  batch: number;
  /** Without lanes, all items wait for each other. */
  lanes?: {
    /** The column that says which lane an item is in. */
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
  // A process that overran its time has a lower count than the process that took the row after it.
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
