import BetterSqlite3 from 'better-sqlite3';
import { orAway } from './away.ts';
import type { Row, SqlValue } from './database.ts';
import { noteWriteFailed, noteWritten } from './health.ts';
import { DatabaseFile } from './sqlite-file.ts';

/**
 * A statement, and which of the numbered parameters goes where: the driver takes positional ones
 * faster. `mend` gives its rows the types that SQLite does not have.
 */
type Statement = { native: Native; order: number[]; mend: ((row: Row) => Row) | null };
type Native = BetterSqlite3.Statement<unknown[]>;
type Unit = {
  run: (tx: Tx) => void;
  fail: (error: unknown) => void;
  done: () => void;
  effect: Effect;
  deadline: number;
};

/** Whether a write can make untrue what was read before, or only adds to it. */
export type Effect = 'changes' | 'adds';

/** What a unit of work may do; everything in it is synchronous and becomes durable together. */
export type Tx = Pick<Sqlite, 'all' | 'run'>;

/** How long a write waits for another process's lock before it gives up. */
const busyLimit = 5000;
const unitsPerCommit = 500;
/** What stays of a write-ahead log that had to grow, in bytes. */
const journalLimit = 16 * 1024 * 1024;

/**
 * The fast connection to SQLite. Reads are synchronous, microseconds each. Writes queue up and
 * share one transaction and so one fsync per turn of the event loop. A lock held elsewhere is
 * waited for asynchronously (`busy_timeout` would freeze this process, and with it the very
 * transaction of ours that may hold the lock).
 */
export class Sqlite {
  readonly kind = 'sqlite';
  readonly #db: BetterSqlite3.Database;
  readonly #file: DatabaseFile;
  readonly #statements = new Map<string, Statement>();
  readonly #dataVersion: BetterSqlite3.Statement<unknown[]>;
  readonly #begins: BetterSqlite3.Statement<unknown[]>;
  readonly #commits: BetterSqlite3.Statement<unknown[]>;
  #versionSeen: unknown = null;
  #stamp = 0;
  #queue: Unit[] = [];
  #flushing = false;

  constructor(path: string) {
    this.#db = new BetterSqlite3(path, { timeout: 0 });
    this.#file = new DatabaseFile(path);
    this.#db.pragma('journal_mode = WAL');
    this.#db.pragma('synchronous = FULL');
    this.#db.pragma('foreign_keys = ON');
    // The write-ahead log grows beside a long reader; it is cut when it is begun anew.
    this.#db.pragma(`journal_size_limit = ${journalLimit}`);
    this.#dataVersion = this.#db.prepare('PRAGMA data_version').pluck();
    this.#begins = this.#db.prepare('BEGIN IMMEDIATE');
    this.#commits = this.#db.prepare('COMMIT');
  }

  /**
   * A number that moves when something that was read before may not be so any more: when another
   * connection has written, of this process or another one, or this one more than an addition.
   */
  stamp(): number {
    this.#file.check();
    const version = this.#dataVersion.get();
    if (version !== this.#versionSeen) {
      this.#versionSeen = version;
      this.#stamp += 1;
    }
    return this.#stamp;
  }

  #prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      const order: number[] = [];
      const positional = sql.replace(/\$(\d+)/g, (_, number) => {
        order.push(Number(number) - 1);
        return '?';
      });
      const native = this.#db.prepare<unknown[]>(positional);
      statement = { native, order, mend: mending(native) };
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** All rows of a statement; for one that returns none, runs it and gives an empty list. */
  all(sql: string, params: SqlValue[]): Row[] {
    return this.#read(sql, params, ({ native, mend }, values) => {
      if (native.reader) {
        const rows = native.all(...values) as Row[];
        return mend ? rows.map(mend) : rows;
      }
      native.run(...values);
      return [];
    });
  }

  get(sql: string, params: SqlValue[]): Row | undefined {
    return this.#read(sql, params, ({ native, mend }, values) => {
      const row = native.get(...values) as Row | undefined;
      return row && mend ? mend(row) : row;
    });
  }

  #read<T>(sql: string, params: SqlValue[], work: (prepared: Statement, values: Bound[]) => T): T {
    this.#file.check();
    try {
      const statement = this.#prepare(sql);
      return work(statement, bindAll(statement.order, params));
    } catch (error) {
      throw orAway(error);
    }
  }

  /** Runs a statement and gives the number of rows it changed. */
  run(sql: string, params: SqlValue[]): number {
    const { native, order } = this.#prepare(sql);
    return native.run(...bindAll(order, params)).changes;
  }

  /**
   * Runs a unit of work in a transaction and resolves once it is on disk. The unit may be run
   * again when a neighbour in the same transaction fails, so it does nothing but SQL.
   */
  write<T>(unit: (tx: Tx) => T, effect: Effect = 'changes'): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: T;
      this.#queue.push({
        run: (tx) => {
          result = unit(tx);
        },
        done: () => resolve(result),
        fail: reject,
        effect,
        deadline: Date.now() + busyLimit,
      });
      if (!this.#flushing) {
        this.#flushing = true;
        setImmediate(() => void this.#flush());
      }
    });
  }

  async #flush(): Promise<void> {
    for (let pause = 1; this.#queue.length > 0; ) {
      const began = this.#begin();
      if (began === true) {
        this.#commit(this.#queue.splice(0, unitsPerCommit));
        pause = 1;
        // Requests that are waiting get their turn between two commits.
        await new Promise((resume) => setImmediate(resume));
      } else {
        this.#dropOverdue(began);
        await new Promise((resume) => setTimeout(resume, pause * (0.5 + Math.random())));
        pause = Math.min(pause * 2, 50);
      }
    }
    this.#flushing = false;
  }

  /** True, or the error that says the database is locked just now. */
  #begin(): true | Error {
    try {
      this.#file.check();
      this.#begins.run();
      return true;
    } catch (error) {
      return error as Error;
    }
  }

  #commit(units: Unit[]): void {
    try {
      for (const unit of units) unit.run(this);
      this.#commits.run();
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      if (units.length === 1) units[0]?.fail(unwritten(error));
      else for (const unit of units) this.#commitAlone(unit);
      return;
    }
    noteWritten();
    if (units.some(({ effect }) => effect === 'changes')) this.#stamp += 1;
    for (const unit of units) unit.done();
  }

  #commitAlone(unit: Unit): void {
    const began = this.#begin();
    if (began === true) this.#commit([unit]);
    else this.#queue.push(unit);
  }

  #dropOverdue(error: Error): void {
    const busy = (error as { code?: string }).code?.startsWith('SQLITE_BUSY');
    const overdue = this.#queue.filter((unit) => !busy || unit.deadline < Date.now());
    this.#queue = this.#queue.filter((unit) => !overdue.includes(unit));
    for (const unit of overdue) unit.fail(busy ? orAway(error) : unwritten(error));
  }

  async close(): Promise<void> {
    while (this.#flushing) await new Promise((resume) => setImmediate(resume));
    this.#db.close();
  }
}

/** What a write that failed is told; one that only waited in vain for a lock says nothing of the next. */
function unwritten(error: unknown): unknown {
  const failure = orAway(error);
  noteWriteFailed(failure);
  return failure;
}

/** SQLite keeps true and false as 1 and 0, and moments as milliseconds; what a column is its table declares. */
function mending(native: Native): Statement['mend'] {
  const columns = native.reader ? native.columns() : [];
  const named = (type: string) =>
    columns.filter((each) => each.type === type).map(({ name }) => name);
  const [flags, moments] = [named('BOOLEAN'), named('DATETIME')];
  if (flags.length + moments.length === 0) return null;
  return (row) => {
    for (const name of flags) if (row[name] !== null) row[name] = row[name] === 1;
    for (const name of moments) if (row[name] !== null) row[name] = new Date(row[name] as number);
    return row;
  };
}

function bindAll(order: number[], params: SqlValue[]): Bound[] {
  return order.map((index) => bind(params[index] ?? null));
}

type Bound = string | number | Uint8Array | null;

function bind(value: SqlValue): Bound {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value instanceof Date ? value.getTime() : value;
}

/** @param databaseUrl `file:` and an absolute path */
export function openSqlite(databaseUrl: string): Sqlite {
  return new Sqlite(databaseUrl.slice('file:'.length));
}
