import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isSilence, orAway } from './away.ts';
import { noteWriteFailed, noteWritten } from './health.ts';
import { type Resolved, valueFor, withNumbers } from './parameters.ts';
import { nameInRow } from './rows.ts';
import type { Row, SqlParams, SqlValue, Statement } from './statement.ts';

/** Deadlock and serialisation failures: the statement had no effect and may run again. */
const retryable = new Set(['40P01', '40001']);

/** Milliseconds. A request waits for a connection and then for an answer, so for the sum of two of these at most. */
const limits = {
  /** Until there is a connection, a new one or one that another request gives back. */
  connect: 3000,
  /** Until one statement answers. */
  answer: 5000,
  /** Until one statement answers that changes many rows, or reads them for a screen. */
  longAnswer: 15_000,
};
/** What PostgreSQL itself gives up, so that no lock outlives the one who waits for it. */
const sessionLimits =
  'SET lock_timeout = 4000; SET statement_timeout = 15000; SET idle_in_transaction_session_timeout = 30000';

const firstWords = `${sessionLimits}; SELECT pg_is_in_recovery() AS "isStandby"`;

/** How connections are made. Set by statement and not at start-up: connection poolers refuse parameters they do not know. */
function poolOptions(connectionString: string, max: number): pg.PoolConfig {
  return {
    connectionString,
    max,
    connectionTimeoutMillis: limits.connect,
    query_timeout: limits.longAnswer,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    onConnect: async (client) => {
      const config = { text: firstWords, query_timeout: limits.connect };
      // Several statements answer with as many results.
      const results = (await client.query(config as pg.QueryConfig)) as unknown as pg.QueryResult[];
      if (results.at(-1)?.rows[0]?.isStandby) throw isStandby();
    },
  };
}

/**
 * A standby lags behind its primary: what was revoked there may still be good here. So it is as if
 * nobody were there. Until it is promoted each new connection finds it so, and then none does.
 */
function isStandby(): Error {
  const what =
    'this PostgreSQL is a standby, which may lag; DATABASE_URL has to lead to the primary';
  return Object.assign(new Error(what), { code: '25006' });
}

type Done = (error: Error | undefined, result: { rows: Row[] }) => void;

/**
 * A statement that a connection prepares once, under its name. Made this way since the driver copies
 * a query that is described by an object property by property, which costs as much as sending it.
 */
class NamedQuery extends pg.Query<Row> {
  readonly name: string;
  /** Milliseconds until the driver gives up. */
  readonly query_timeout: number;

  constructor(name: string, sql: string, values: SqlValue[], limit: number, done: Done) {
    super(sql, values, done as ConstructorParameters<typeof pg.Query>[2]);
    this.name = name;
    this.query_timeout = limit;
  }

  /** The driver calls this before it makes rows, which take their names from here. */
  handleRowDescription(description: Described): void {
    for (const field of description.fields) field.name = nameInRow(field.name);
    readDescription.call(this, description);
  }
}

type Described = { fields: { name: string }[] };
const { handleRowDescription: readDescription } = pg.Query.prototype as unknown as {
  handleRowDescription: (description: Described) => void;
};

type Prepared = Resolved & { name: string };

/** Counts and sums are of these types, which the driver gives as text: none of ours is beyond 2^53. */
const numbers: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    numbers.includes(oid)
      ? Number
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};

/** Runs a statement; without parameters several, of which it gives no rows. */
export type Run = (sql: string, params?: SqlParams) => Promise<Row[]>;

/** The fast pool to PostgreSQL: named statements, prepared once per connection. */
export class Postgres {
  readonly kind = 'postgresql';
  readonly #url: string;
  readonly #size: number;
  readonly #statements = new Map<string, Prepared>();
  #pool: pg.Pool;

  /** @param size how many connections it keeps at most */
  constructor(url: string, size: number) {
    this.#url = url;
    this.#size = size;
    this.#pool = this.#open();
  }

  #open(): pg.Pool {
    const pool = new pg.Pool({ ...poolOptions(this.#url, this.#size), types });
    // An idle connection that the server ends must not end this process; the pool opens another.
    pool.on('error', () => {});
    return pool;
  }

  /** Runs one reading statement; once more where the connection broke. */
  async read(sql: string, params: SqlParams): Promise<Row[]> {
    let broken = false;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#one(sql, params);
      } catch (error) {
        if (isBroken(error) && !broken) broken = true;
        else if (!mayRunAgain(error, tries)) throw orAway(error);
      }
    }
  }

  /** Runs one statement, atomically, and gives its rows. */
  query(sql: string, params: SqlParams): Promise<Row[]> {
    return writing(() => this.#one(sql, params));
  }

  async #one(sql: string, params: SqlParams): Promise<Row[]> {
    return this.#withConnection((connection) => this.#run(connection, sql, params, limits.answer));
  }

  /** Runs statements in one transaction, the later ones only when the first gives rows. */
  transact(first: Statement, then: Statement[], lock?: string): Promise<Row[]> {
    return writing(() => this.#transactOnce(first, then, lock));
  }

  async #transactOnce(first: Statement, then: Statement[], lock?: string): Promise<Row[]> {
    let committing = false;
    const work = () =>
      this.#withConnection(async (connection) => {
        await connection.query({ text: 'BEGIN', query_timeout: limits.answer } as pg.QueryConfig);
        if (lock) await connection.query(lock);
        const rows = await this.#run(connection, first.sql, first.params);
        if (rows.length > 0)
          for (const { sql, params } of then) await this.#run(connection, sql, params);
        committing = true;
        await connection.query('COMMIT');
        return rows;
      }, true);
    try {
      return await work();
    } catch (error) {
      // Without a COMMIT nothing has happened, whatever broke.
      if (committing || !isBroken(error)) throw error;
      return work();
    }
  }

  /** Runs work on one connection between BEGIN and COMMIT, or ROLLBACK where it wants to keep nothing. */
  async holding<T>(work: (run: Run) => Promise<{ keep: boolean; value: T }>): Promise<T> {
    return writing(() =>
      this.#withConnection(async (connection) => {
        await connection.query('BEGIN');
        const { keep, value } = await work((sql, params) =>
          params ? this.#run(connection, sql, params) : connection.query(sql).then(() => []),
        );
        await connection.query(keep ? 'COMMIT' : 'ROLLBACK');
        return value;
      }, true),
    );
  }

  /**
   * Lends a connection. One that failed otherwise than by an answer about the statement, or within
   * a transaction, is not given back.
   */
  async #withConnection<T>(
    work: (connection: pg.PoolClient) => Promise<T>,
    transaction = false,
  ): Promise<T> {
    const pool = this.#pool;
    const connection = await this.#connect();
    try {
      const result = await work(connection);
      connection.release();
      return result;
    } catch (error) {
      connection.release(transaction || (error as { severity?: unknown }).severity !== 'ERROR');
      if (isSilence(error)) this.#replace(pool);
      throw error;
    }
  }

  /** A connection; tried twice, as nothing was sent yet. */
  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      if (isSilence(error)) throw error;
      await pause(100);
      return this.#pool.connect();
    }
  }

  /** Where one connection went silent, the others that idle are as dead: all are left to themselves. */
  #replace(pool: pg.Pool): void {
    if (pool !== this.#pool) return;
    this.#pool = this.#open();
    void pool.end().catch(() => {});
  }

  #run(
    on: pg.PoolClient,
    sql: string,
    params: SqlParams,
    limit = limits.longAnswer,
  ): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const { name, text, holes } = this.#prepared(sql);
      const values = holes.map((hole) => valueFor(hole, params));
      on.query(
        new NamedQuery(name, text, values, limit, (error, result) =>
          error ? reject(error) : resolve(result.rows),
        ),
      );
    });
  }

  #prepared(sql: string): Prepared {
    let statement = this.#statements.get(sql);
    if (!statement) {
      const name = createHash('sha1').update(sql).digest('hex');
      statement = { name, ...withNumbers(sql) };
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** The connection ended, and the time for another try is there: silence has used it up. */
function isBroken(error: unknown): boolean {
  const { severity, code = '', message = '' } = error as Record<string, string | undefined>;
  return (
    (severity !== 'ERROR' && /^(ECONNRESET|EPIPE|57P0[12])$/.test(code)) ||
    /^Connection terminated|Client has encountered a connection error/.test(message)
  );
}

async function writing<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      const result = await work();
      noteWritten();
      return result;
    } catch (error) {
      if (mayRunAgain(error, tries)) continue;
      const failure = orAway(error);
      noteWriteFailed(failure);
      throw failure;
    }
  }
}

function mayRunAgain(error: unknown, tries: number): boolean {
  return tries < 5 && retryable.has((error as { code?: string }).code ?? '');
}

export function openPostgres(databaseUrl: string, size: number): Postgres {
  return new Postgres(databaseUrl, size);
}
