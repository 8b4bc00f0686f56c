import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { once } from '../../once.ts';
import type { AuditEntry } from '../audit-entry.ts';
import { orAway } from './away.ts';
import type { Postgres } from './postgres.ts';
import { Connection } from './sqlite-connection.ts';
import type { Unit } from './sqlite-writer.ts';
import type { Row, Run, SqlParams, Statement } from './statement.ts';
import { runUnit } from './unit.ts';

/*
 * Runs many functions as one transaction. Their reads and writes go through the connection that
 * holds it, so each sees what those before it did, and no one else does before the commit.
 */

/**
 * The work of a transaction, and whether to keep what it did. `told` gives the events stored so
 * far.
 */
export type Work<T> = (told: () => AuditEntry[]) => Promise<{ keep: boolean; value: T }>;

type Done = Pick<Statement, 'whenDone' | 'event'>;
type Transaction = { database: OnSqlite | OnPostgres; done: Done[]; open: boolean };

const held = () =>
  once('transaction', () => new AsyncLocalStorage<Transaction>()) as AsyncLocalStorage<Transaction>;

/**
 * The transaction that the running work is part of. None for a timer set in a transaction that has
 * ended since.
 */
export function transactionHere(): Transaction | undefined {
  const here = held().getStore();
  return here?.open ? here : undefined;
}

/** Something that waits was begun inside a transaction. */
class WaitInTransaction extends Error {
  override readonly name = 'WaitInTransaction';
}

/**
 * Called before anything that waits for another machine, a hash or a file: a transaction holds
 * locks that others wait for. What has to wait goes into the `ahead` of its act.
 * @param what it waits for, such as `a directory`
 * @throws WaitInTransaction inside a transaction
 */
export function waitsFor(what: string): void {
  if (transactionHere())
    throw new WaitInTransaction(`A transaction would have waited for ${what}.`);
}

/**
 * Starts work that does not belong to the running transaction, such as a timer for what this
 * process gathers.
 */
export function outsideTransaction<T>(work: () => T): T {
  return held().exit(work);
}

/** Runs a statement's `whenDone` once it is durable. */
export function whenDurable(statement: Done): void {
  const here = transactionHere();
  if (here) here.done.push(statement);
  else statement.whenDone?.();
}

/** As `Sqlite`, within a transaction. */
class OnSqlite {
  readonly kind = 'sqlite';
  readonly #on: Connection;

  constructor(on: Connection) {
    this.#on = on;
  }

  /** NaN, so that nothing read in the transaction is cached. */
  stamp(): number {
    return Number.NaN;
  }

  all(sql: string, params: SqlParams): Row[] {
    return this.#on.all(sql, params);
  }

  get(sql: string, params: SqlParams): Row | undefined {
    return this.#on.get(sql, params);
  }

  async write([first, ...then]: Unit): Promise<Row[]> {
    if (!first) return [];
    this.#on.all('SAVEPOINT unit', []);
    try {
      const rows = this.#on.all(first.sql, first.params);
      if (rows.length > 0)
        for (const { sql, params, must } of then)
          if (this.#on.all(sql, params).length === 0 && must) {
            this.#undo();
            return [];
          }
      this.#on.all('RELEASE unit', []);
      return rows;
    } catch (error) {
      this.#undo();
      throw orAway(error);
    }
  }

  #undo(): void {
    try {
      this.#on.all('ROLLBACK TO unit', []);
    } catch {
      // A full disk has already undone the whole transaction.
    }
  }
}

/** As `Postgres`, within a transaction. */
class OnPostgres {
  readonly kind = 'postgresql';
  readonly #run: Run;
  #last: Promise<unknown> = Promise.resolve();

  constructor(run: Run) {
    this.#run = run;
  }

  /**
   * Runs one piece of work after the other, each with all its statements; concurrent calls wait.
   */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(act);
    this.#last = mine.catch(() => {});
    return mine;
  }

  read(sql: string, params: SqlParams): Promise<Row[]> {
    return this.#inTurn(() => this.#run(sql, params));
  }

  query(sql: string, params: SqlParams): Promise<Row[]> {
    return this.transact({ sql, params }, [], []);
  }

  transact(
    first: Statement,
    then: readonly Statement[],
    hold: readonly Statement[],
  ): Promise<Row[]> {
    return this.#inTurn(() => this.#transact(first, then, hold));
  }

  async #transact(
    first: Statement,
    then: readonly Statement[],
    hold: readonly Statement[],
  ): Promise<Row[]> {
    await this.#run('SAVEPOINT unit');
    try {
      const rows = await runUnit(this.#run, first, then, hold);
      await this.#run(rows ? 'RELEASE SAVEPOINT unit' : 'ROLLBACK TO SAVEPOINT unit');
      return rows ?? [];
    } catch (error) {
      await this.#run('ROLLBACK TO SAVEPOINT unit');
      throw error;
    }
  }
}

/** Runs work as one transaction on PostgreSQL. */
export async function inPostgresTransaction<T>(db: Postgres, work: Work<T>): Promise<T> {
  let done: Done[] = [];
  const value = await db.holding(async (run) => {
    const outcome = await within(new OnPostgres(run), work);
    done = outcome.done;
    return outcome;
  });
  for (const { whenDone } of done) whenDone?.();
  return value;
}

/** Milliseconds to wait for the lock of another process. */
const lockWait = 30_000;

/** Runs work as one transaction on SQLite, holding the write lock. */
export async function inSqliteTransaction<T>(path: string, work: Work<T>): Promise<T> {
  const on = new Connection(path, 'writes');
  try {
    await begin(on);
    const { keep, value, done } = await within(new OnSqlite(on), work);
    if (!keep) return value;
    on.commit();
    // What is cached by a stamp is asked for again by whatever follows (`Sqlite.stamp`).
    await turn();
    for (const { whenDone } of done) whenDone?.();
    return value;
  } catch (error) {
    throw orAway(error);
  } finally {
    on.rollBack();
    on.close();
  }
}

async function begin(on: Connection): Promise<void> {
  const deadline = Date.now() + lockWait;
  for (;;) {
    try {
      return on.begin();
    } catch (error) {
      const isBusy = String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
      if (!isBusy || Date.now() > deadline) throw error;
    }
    await pause(5 + Math.random() * 20);
  }
}

async function within<T>(on: OnSqlite | OnPostgres, work: Work<T>) {
  const here: Transaction = { database: on, done: [], open: true };
  const told = () => here.done.flatMap(({ event = [] }) => event);
  try {
    const { keep, value } = await held().run(here, () => work(told));
    return { keep, value, done: keep ? here.done : [] };
  } finally {
    here.open = false;
  }
}
