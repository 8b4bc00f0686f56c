import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isSilence, orAway } from './away.ts';
import { GivenUp } from './given-up.ts';
import { noteWriteFailed, noteWritten } from './health.ts';
import { NamedQuery } from './named-query.ts';
import { type Resolved, valueFor, withNumbers } from './parameters.ts';
import { lendsConnections } from './pooler.ts';
import {
  isBroken,
  isConflict,
  isNoMoreOfUse,
  isPreparedElsewhere,
  isUndone,
  noteUndone,
} from './postgres-failures.ts';
import { demandPrimary, ServerBehindPooler } from './standby.ts';
import type { Row, Run, SqlParams, Statement } from './statement.ts';
import { runUnit } from './unit.ts';

/*
 * The pool of connections to PostgreSQL, and what runs again. The words used here:
 * lent: a pooler gives a connection for one transaction, and another one for the next;
 * given up: we stopped waiting for a statement, and PostgreSQL may still be working on it
 * (`GivenUp`);
 * undone: nothing of a statement or transaction was committed, so it may run again;
 * leaving: a pool that was replaced and still has connections.
 */

/** The maximum number of tries of a statement, by why it failed before. */
const mostTries = { conflict: 8, undone: 4, preparedElsewhere: 5 };

/** The number of connections always allowed, however many PostgreSQL is still busy with. */
const fewest = 2;

/**
 * Milliseconds to wait for a connection, whether a new one or one that another request gives back.
 */
const connectLimit = 3000;

/**
 * Milliseconds after which PostgreSQL itself gives up. A request waits for a connection and then
 * for an answer, and it waits longer for the answer than PostgreSQL waits for a lock. So by the
 * time a client is told that nothing was done, the lock has been given up.
 */
type Limits = { lock: number; statement: number };

const answerWithin = ({ lock }: Limits) => lock + 1000;

/** The limits of a session, or of one transaction. */
const limiting = (set: 'SET' | 'SET LOCAL', { lock, statement }: Limits) =>
  `${set} lock_timeout = ${lock}; ${set} statement_timeout = ${statement}; ${set} idle_in_transaction_session_timeout = ${2 * statement}`;

/** The error when PostgreSQL is still busy and nothing was sent. */
function stillBusy(statements: number): Error {
  const what = `PostgreSQL is still busy with ${statements} statements that were given up, such as commits that wait for a standby`;
  return Object.assign(new Error(what), { code: '08000' });
}

type Prepared = Resolved & { name: string };

/**
 * Counts and sums have these types, which the driver gives as text. None of our numbers exceeds
 * 2^53.
 */
const numbers: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    numbers.includes(oid)
      ? Number
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};

/**
 * The fast pool to PostgreSQL: named statements, prepared once per connection. Behind a pooler that
 * lends connections for one transaction at a time, nothing is left on a connection: limits are set
 * in each transaction, and statements have no names if the pooler does not keep names apart.
 */
export class Postgres {
  readonly kind = 'postgresql';
  readonly #url: string;
  readonly #size: number;
  readonly #limits: Limits;
  readonly #statements = new Map<string, Prepared>();
  readonly #givenUp = new GivenUp();
  #pool: pg.Pool | null = null;
  readonly #leaving = new Set<pg.Pool>();
  readonly #behindPooler = new ServerBehindPooler();
  #finding: Promise<boolean> | null = null;
  #isLent = false;
  #isNamed = true;

  /** @param size the maximum number of connections it keeps */
  constructor(url: string, size: number, limits: Limits) {
    this.#url = url;
    this.#size = size;
    this.#limits = limits;
  }

  /** Opens the pool once it is known how its connections are lent. @throws DatabaseAway */
  async #start(): Promise<pg.Pool> {
    this.#finding ??= lendsConnections(this.#url).finally(() => {
      this.#finding = null;
    });
    this.#isLent = await this.#finding;
    this.#pool ??= this.#open();
    return this.#pool;
  }

  #open(): pg.Pool {
    const pool = new pg.Pool({
      connectionString: this.#url,
      max: this.#room(),
      connectionTimeoutMillis: connectLimit,
      query_timeout: this.#limits.statement,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // Statements that are not awaited one by one are sent together.
      pipeline: true,
      // By statement and not at start-up: poolers refuse start-up parameters that they do not know.
      onConnect: (client) => this.#setUp(client),
      types,
    });
    // A connection that breaks must not end this process. If it was idle, the pool opens another;
    // if it was in use, its statement reports the error.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  }

  /**
   * Sends and asks what is needed before the first statement, in one round trip. Each is a separate
   * message, which a pooler sends to the same server as our statements.
   */
  async #setUp(client: pg.ClientBase): Promise<void> {
    if (this.#isLent) return demandPrimary(client);
    await Promise.all([
      client.query(limiting('SET', this.#limits)),
      demandPrimary(client),
      this.#givenUp.look(client),
    ]);
  }

  /**
   * Runs one reading statement, and once more if the connection broke.
   * @param forValues plan it for these values, not once for all values
   */
  async read(sql: string, params: SqlParams, forValues = false): Promise<Row[]> {
    let broken = false;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#one(sql, params, forValues);
      } catch (error) {
        if (isBroken(error) && !broken) broken = true;
        else if (!(await this.#mayRunAgain(error, tries))) throw orAway(error);
      }
    }
  }

  /** Runs one statement, atomically, and gives its rows. */
  query(sql: string, params: SqlParams): Promise<Row[]> {
    return this.#writing(() => this.#one(sql, params));
  }

  async #one(sql: string, params: SqlParams, forValues = false): Promise<Row[]> {
    const limit = answerWithin(this.#limits);
    return this.#withConnection((connection) =>
      this.#run(connection, sql, params, limit, this.#isNamed && !forValues),
    );
  }

  /** Runs statements in one transaction, the later ones only when the first gives rows. */
  async transact(
    first: Statement,
    then: readonly Statement[],
    hold: readonly Statement[] = [],
  ): Promise<Row[]> {
    return this.holding(async (run) => {
      const rows = await runUnit(run, first, then, hold);
      return { keep: rows !== null, value: rows ?? [] };
    });
  }

  /**
   * Runs work on one connection between BEGIN and COMMIT, or ROLLBACK if it asks to keep nothing.
   * It runs again if nothing of it was committed, but not if that is unknown.
   */
  holding<T>(work: (run: Run) => Promise<{ keep: boolean; value: T }>): Promise<T> {
    return this.#writing(async () => {
      let committing = false;
      try {
        return await this.#withConnection(async (connection) => {
          await this.#begin(connection);
          const { keep, value } = await work((sql, params) =>
            params ? this.#run(connection, sql, params) : connection.query(sql).then(() => []),
          );
          committing = keep;
          await connection.query(keep ? 'COMMIT' : 'ROLLBACK');
          return value;
        }, true);
      } catch (error) {
        if (!committing && isBroken(error)) noteUndone(error);
        throw error;
      }
    });
  }

  #begin(connection: pg.PoolClient): Promise<unknown> {
    const text = this.#isLent ? `BEGIN; ${limiting('SET LOCAL', this.#limits)}` : 'BEGIN';
    return connection.query({ text, query_timeout: answerWithin(this.#limits) } as pg.QueryConfig);
  }

  /**
   * Does work with a connection. The connection is discarded if it failed within a transaction or
   * by anything other than an answer about the statement.
   */
  async #withConnection<T>(
    work: (connection: pg.PoolClient) => Promise<T>,
    transaction = false,
  ): Promise<T> {
    const pool = this.#pool ?? (await this.#start());
    const connection = await this.#connect(pool);
    try {
      if (this.#isLent) await this.#behindPooler.confirmPrimary(connection);
      if (this.#givenUp.size > 0) await this.#givenUp.look(connection);
      if (pool === this.#pool) pool.options.max = this.#room();
      const result = await work(connection);
      connection.release();
      return result;
    } catch (error) {
      if (isSilence(error)) this.#givenUp.add(connection);
      connection.release(transaction || isNoMoreOfUse(error));
      if (isSilence(error)) this.#replace(pool);
      throw error;
    }
  }

  /**
   * How many connections we may open beside those PostgreSQL is still busy with; a few are always
   * left for reading.
   */
  #room(): number {
    const others = [...this.#leaving].reduce((sum, { totalCount }) => sum + totalCount, 0);
    return Math.max(Math.min(fewest, this.#size), this.#size - this.#givenUp.size - others);
  }

  /**
   * Looks again at the connections given up, if they are half of all or more.
   * @throws an error that says so if they still are: another statement would only wait as they do
   */
  async #refuseWhileStuck(): Promise<void> {
    if (!this.#isStuck()) return;
    await this.#withConnection(async () => {});
    if (this.#isStuck()) throw stillBusy(this.#givenUp.size);
  }

  #isStuck(): boolean {
    return this.#givenUp.size > 0 && this.#givenUp.size >= this.#size / 2;
  }

  /** A connection. Tried twice, because nothing has been sent yet. */
  async #connect(pool: pg.Pool): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      if (isSilence(error)) throw error;
      await pause(100);
      return (this.#pool ?? pool).connect();
    }
  }

  /**
   * If one connection goes silent, the idle ones are just as dead, so the whole pool is replaced.
   */
  #replace(pool: pg.Pool): void {
    if (pool !== this.#pool) return;
    this.#leaving.add(pool);
    const left = pool.end().catch(() => {});
    this.#pool = this.#open();
    void left.then(() => this.#leaving.delete(pool));
  }

  #run(
    on: pg.PoolClient,
    sql: string,
    params: SqlParams,
    limit = this.#limits.statement,
    isNamed = this.#isNamed,
  ): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const { name, text, holes } = this.#prepared(sql);
      const values = holes.map((hole) => valueFor(hole, params));
      on.query(
        new NamedQuery(isNamed ? name : '', text, values, limit, (error, result) =>
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
    await this.#pool?.end();
  }

  async #writing<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#refuseWhileStuck();
        const result = await work();
        noteWritten();
        return result;
      } catch (error) {
        if (await this.#mayRunAgain(error, tries)) continue;
        const failure = orAway(error);
        noteWriteFailed(failure);
        throw failure;
      }
    }
  }

  /** Whether a statement had no effect and may run again. */
  async #mayRunAgain(error: unknown, tries: number): Promise<boolean> {
    if (isUndone(error)) return tries < mostTries.undone;
    if (this.#isLent && isPreparedElsewhere(error)) {
      this.#isNamed = false;
      return tries < mostTries.preparedElsewhere;
    }
    if (tries >= mostTries.conflict || !isConflict(error)) return false;
    // The pause lets the other transaction through, and is random so that two in each other's way
    // do not collide again.
    await pause(Math.random() * 5 * 2 ** tries);
    return true;
  }
}

/**
 * Access to the PostgreSQL at a URL; it connects with the first statement. @param size as in
 * `Postgres`
 */
export function openPostgres(databaseUrl: string, size: number, limits: Limits): Postgres {
  return new Postgres(databaseUrl, size, limits);
}
