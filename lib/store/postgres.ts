import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Row, SqlValue } from './database.ts';

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
  async query(sql: string, params: SqlValue[]): Promise<Row[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return (await this.pool.query<Row>({ name: this.#name(sql), text: sql, values: params })).rows;
      } catch (error) {
        if (tries >= 5 || !retryable.has((error as { code?: string }).code ?? '')) throw error;
      }
    }
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

export function openPostgres(databaseUrl: string): Postgres {
  return new Postgres(databaseUrl);
}
