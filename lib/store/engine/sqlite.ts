import { orAway } from './away.ts';
import { Connection } from './sqlite-connection.ts';
import { DatabaseFile } from './sqlite-file.ts';
import { WriteQueue } from './sqlite-queue.ts';
import type { Unit } from './sqlite-writer.ts';
import type { Row, SqlParams } from './statement.ts';

/**
 * Fast access to SQLite. Reads are synchronous and take microseconds, on their own connection. A
 * thread writes on another connection, so that no request that only reads waits for an fsync.
 */
export class Sqlite {
  readonly kind = 'sqlite';
  readonly #reader: Connection;
  readonly #file: DatabaseFile;
  readonly #writes: WriteQueue;
  #versionSeen: unknown = null;
  #stamp = 0;
  #isFresh = false;
  readonly #getOld = () => {
    this.#isFresh = false;
  };
  readonly #afterPromises = () => process.nextTick(this.#getOld);

  constructor(path: string) {
    this.#reader = new Connection(path, 'reads');
    this.#file = new DatabaseFile(path);
    this.#writes = new WriteQueue(path, this.#file);
  }

  /**
   * A number that changes when something read before may be out of date, because this process or
   * another one has written. It is true of everything that has arrived when it is asked, and kept
   * until the promises that are settled by then have run: only then does Node.js read on.
   */
  stamp(): number {
    if (this.#isFresh) return this.#stamp;
    this.#file.check();
    this.#isFresh = true;
    queueMicrotask(this.#afterPromises);
    const version = this.#reader.dataVersion();
    if (version !== this.#versionSeen) {
      this.#versionSeen = version;
      this.#stamp += 1;
    }
    return this.#stamp;
  }

  /** All rows of a reading statement. @throws DatabaseAway if the database is unavailable */
  all(sql: string, params: SqlParams): Row[] {
    return this.#read(() => this.#reader.all(sql, params));
  }

  /** The first row of a reading statement. @throws DatabaseAway if the database is unavailable */
  get(sql: string, params: SqlParams): Row | undefined {
    return this.#read(() => this.#reader.get(sql, params));
  }

  #read<T>(work: () => T): T {
    this.#file.check();
    try {
      return work();
    } catch (error) {
      throw orAway(error);
    }
  }

  /** Runs a unit in a transaction and gives the rows of its first statement once it is on disk. */
  write(unit: Unit): Promise<Row[]> {
    return this.#writes.write(unit);
  }

  /** Finishes queued writes and closes the connections. */
  async close(): Promise<void> {
    await this.#writes.close();
    this.#reader.close();
  }
}

/** @param databaseUrl `file:` and an absolute path */
export function openSqlite(databaseUrl: string): Sqlite {
  return new Sqlite(databaseUrl.slice('file:'.length));
}
