import BetterSqlite3 from 'better-sqlite3';
import type { Row, SqlValue } from './database.ts';

/**
 * A statement, and which of the numbered parameters goes where: the driver takes positional ones
 * faster. `mend` gives its rows the types that SQLite does not have.
 */
type Statement = { native: Native; order: number[]; mend: ((row: Row) => Row) | null };
type Native = BetterSqlite3.Statement<unknown[]>;

/** What stays of a write-ahead log that had to grow, in bytes. */
const journalLimit = 16 * 1024 * 1024;

/**
 * A connection to a SQLite file, with the statements it has prepared. It waits for no lock:
 * `busy_timeout` would freeze its thread. Everything throws what the driver throws.
 */
export class Connection {
  readonly #db: BetterSqlite3.Database;
  readonly #statements = new Map<string, Statement>();
  readonly #dataVersion: Native;
  readonly #begins: Native;
  readonly #commits: Native;

  /** One that reads makes the file when there is none; one that writes does not. */
  constructor(path: string, use: 'reads' | 'writes') {
    this.#db = new BetterSqlite3(path, { timeout: 0, fileMustExist: use === 'writes' });
    this.#db.pragma('journal_mode = WAL');
    this.#db.pragma('synchronous = FULL');
    this.#db.pragma('foreign_keys = ON');
    // The write-ahead log grows beside a long reader; it is cut when it is begun anew.
    this.#db.pragma(`journal_size_limit = ${journalLimit}`);
    if (use === 'reads') this.#db.pragma('query_only = ON');
    this.#dataVersion = this.#db.prepare<unknown[]>('PRAGMA data_version').pluck();
    this.#begins = this.#db.prepare('BEGIN IMMEDIATE');
    this.#commits = this.#db.prepare('COMMIT');
  }

  /** Moves when another connection, of whatever process, has written. */
  dataVersion(): unknown {
    return this.#dataVersion.get();
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
    const { native, order, mend } = this.#prepare(sql);
    const values = bindAll(order, params);
    if (native.reader) {
      const rows = native.all(...values) as Row[];
      return mend ? rows.map(mend) : rows;
    }
    native.run(...values);
    return [];
  }

  get(sql: string, params: SqlValue[]): Row | undefined {
    const { native, order, mend } = this.#prepare(sql);
    const row = native.get(...bindAll(order, params)) as Row | undefined;
    return row && mend ? mend(row) : row;
  }

  /** Takes the write lock. */
  begin(): void {
    this.#begins.run();
  }

  /** When it returns, what was written is on disk. */
  commit(): void {
    this.#commits.run();
  }

  rollBack(): void {
    if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
  }

  close(): void {
    this.#db.close();
  }
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
