import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Row, SqlValue, Statement } from './database.ts';

/** Deadlock and serialisation failures: the statement had no effect and may run again. */
const retryable = new Set(['40P01', '40001']);

/** The fast pool to PostgreSQL: named statements, prepared once per connection. */
export class Postgres {
  readonly kind = 'postgresql';
  readonly pool: pg.Pool;
  readonly #names = new Map<string, string>();

  constructor(url: string) {
    this.pool = new pg.Pool({ connectionString: url, max: 10, idleTimeoutMillis: 30_000 });
    // An idle connection that the server ends must not end this process; the pool opens another.
    this.pool.on('error', () => {});
  }

  /** Runs one statement, atomically, and gives its rows. */
  query(sql: string, params: SqlValue[]): Promise<Row[]> {
    return retry(() => this.#run(this.pool, sql, params));
  }

  /** Runs statements in one transaction, the later ones only when the first gives rows. */
  transact(first: Statement, then: Statement[], lock?: string): Promise<Row[]> {
    return retry(async () => {
      const connection = await this.pool.connect();
      try {
        await connection.query('BEGIN');
        if (lock) await connection.query(lock);
        const rows = await this.#run(connection, first.sql, first.params);
        if (rows.length > 0)
          for (const { sql, params } of then) await this.#run(connection, sql, params);
        await connection.query('COMMIT');
        connection.release();
        return rows;
      } catch (error) {
        // Ends the transaction whatever state the connection is in.
        connection.release(true);
        throw error;
      }
    });
  }

  async #run(on: pg.Pool | pg.PoolClient, sql: string, params: SqlValue[]): Promise<Row[]> {
    return (await on.query<Row>({ name: this.#name(sql), text: sql, values: params })).rows;
  }

  #name(sql: string): string {
    let name = this.#names.get(sql);
    if (!name) {
      name = createHash('sha1').update(sql).digest('hex');
      this.#names.set(sql, name);
    }
    return name;
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}

async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= 5 || !retryable.has((error as { code?: string }).code ?? '')) throw error;
    }
  }
}

export function openPostgres(databaseUrl: string): Postgres {
  return new Postgres(databaseUrl);
}
