import BetterSqlite3 from 'better-sqlite3';
import { valueFor, withQuestionMarks } from './parameters.ts';
import { type RowMaker, rowMaker } from './rows.ts';
import type { Row, SqlParams, SqlValue } from './statement.ts';

/**
 * A statement, and the parameters of its placeholders. `toRow` is null for a statement that gives
 * no rows.
 */
type Prepared = { native: Native; holes: string[]; toRow: RowMaker | null };
type Native = BetterSqlite3.Statement<unknown[]>;

/** Bytes that a write-ahead log keeps on disk after it had to grow. */
const journalLimit = 16 * 1024 * 1024;

/**
 * A connection to a SQLite file, with the statements it has prepared. It does not wait for locks,
 * because `busy_timeout` would freeze its thread. Everything throws what the driver throws.
 */
export class Connection {
  readonly #db: BetterSqlite3.Database;
  readonly #statements = new Map<string, Prepared>();
  readonly #dataVersion: Native;
  readonly #begins: Native;
  readonly #commits: Native;

  /** A connection that reads creates the file if there is none; one that writes does not. */
  constructor(path: string, use: 'reads' | 'writes') {
    this.#db = new BetterSqlite3(path, { timeout: 0, fileMustExist: use === 'writes' });
    this.#db.pragma('journal_mode = WAL');
    this.#db.pragma('synchronous = FULL');
    this.#db.pragma('foreign_keys = ON');
    // The write-ahead log grows beside a long reader; it is truncated when it starts over.
    this.#db.pragma(`journal_size_limit = ${journalLimit}`);
    if (use === 'reads') this.#db.pragma('query_only = ON');
    this.#dataVersion = this.#db.prepare<unknown[]>('PRAGMA data_version').pluck();
    this.#begins = this.#db.prepare('BEGIN IMMEDIATE');
    this.#commits = this.#db.prepare('COMMIT');
  }

  /** Changes when another connection, in any process, has written. */
  dataVersion(): unknown {
    return this.#dataVersion.get();
  }

  #prepare(sql: string): Prepared {
    let statement = this.#statements.get(sql);
    if (!statement) {
      const { text, holes } = withQuestionMarks(sql);
      const native = this.#db.prepare<unknown[]>(text);
      const toRow = native.reader ? rowMaker(native.raw().columns()) : null;
      statement = { native, holes, toRow };
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** All rows of a statement; a statement that returns none is run and gives an empty list. */
  all(sql: string, params: SqlParams): Row[] {
    return this.allBound(sql, bindAll(this.#prepare(sql).holes, params));
  }

  /** As `all`, with the values that `bindAll` gave for this statement. */
  allBound(sql: string, values: readonly Bound[]): Row[] {
    const { native, toRow } = this.#prepare(sql);
    if (toRow) return (native.all(...values) as unknown[][]).map(toRow);
    native.run(...values);
    return [];
  }

  get(sql: string, params: SqlParams): Row | undefined {
    const { native, holes, toRow } = this.#prepare(sql);
    const values = native.get(...bindAll(holes, params)) as unknown[] | undefined;
    return values && toRow?.(values);
  }

  /** Takes the write lock. */
  begin(): void {
    this.#begins.run();
  }

  /** When it returns, everything written is on disk. */
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

/** The values that SQLite takes. */
export type Bound = string | number | Uint8Array | null;

/**
 * The values for the placeholders of a statement, in their order. @throws Error if one is missing
 */
export function bindAll(holes: readonly string[], params: SqlParams): Bound[] {
  return holes.map((hole) => bind(valueFor(hole, params)));
}

function bind(value: SqlValue): Bound {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value instanceof Date ? value.getTime() : value;
}
