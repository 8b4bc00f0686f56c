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
import type { Row, SqlParams, Statement } from './statement.ts';
import { runUnit } from './unit.ts';

/*
 * The pool of connections to PostgreSQL, and what runs again. The words here:
 * lent: a pooler gives a connection for one transaction, and another one for the next;
 * given up: we stopped waiting for a statement, and PostgreSQL may work on (`GivenUp`);
 * undone: nothing of a statement or transaction was committed, so it may run again;
 * leaving: a pool that was replaced and has connections yet.
 */

/** How often a statement is tried at most, by what failed before. */
const mostTries = { conflict: 8, undone: 4, preparedElsewhere: 5 };

/** Connections that there may be at any time, whatever PostgreSQL is busy with. */
const fewest = 2;

/** Milliseconds until there is a connection, a new one or one that another request gives back. */
const connectLimit = 3000;

/**
 * Milliseconds that PostgreSQL itself gives up after. A request waits for a connection and then for an
 * answer, which outlasts a lock: whoever is told that nothing was done is told so after the lock was given up.
 */
type Limits = { lock: number; statement: number };

const answerWithin = ({ lock }: Limits) => lock + 1000;

/** The limits of a session, or of one transaction. */
const limiting = (set: 'SET' | 'SET LOCAL', { lock, statement }: Limits) =>
  `${set} lock_timeout = ${lock}; ${set} statement_timeout = ${statement}; ${set} idle_in_transaction_session_timeout = ${2 * statement}`;

/** Nothing was sent. */
function stillBusy(statements: number): Error {
  const what = `PostgreSQL is still busy with ${statements} statements that were given up, such as commits that wait for a standby`;
  return Object.assign(new Error(what), { code: '08000' });
}

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

/**
 * The fast pool to PostgreSQL: named statements, prepared once per connection. Behind a pooler that
 * lends connections for one transaction at a time nothing is left on a connection: limits are set
 * in each transaction, and statements have no name where the pooler does not keep names apart.
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

  /** @param size how many connections it keeps at most */
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
      // Statements that are not waited for one by one go out at once.
      pipeline: true,
      // By statement and not at start-up: poolers refuse parameters that they do not know.
      onConnect: (client) => this.#setUp(client),
      types,
    });
    // A connection that breaks must not end this process, neither an idle one, for which the pool opens
    // another, nor one in use, whose statement says so.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  }

  /**
   * What has to be said and known before the first statement, in one round trip; each in a message of its
   * own, which a pooler sends where it sends our statements.
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
   * Runs one reading statement; once more where the connection broke.
   * @param forValues it is planned for these values, and not once for all that it may come with
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
   * Runs work on one connection between BEGIN and COMMIT, or ROLLBACK where it wants to keep nothing;
   * again where nothing of it was committed, and not where that is unknown.
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
   * Does work with a connection. One that failed otherwise than by an answer about the statement, or within
   * a transaction, is not given back.
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

  /** How many connections there may be beside those that PostgreSQL is still busy with: some are left for reading. */
  #room(): number {
    const others = [...this.#leaving].reduce((sum, { totalCount }) => sum + totalCount, 0);
    return Math.max(Math.min(fewest, this.#size), this.#size - this.#givenUp.size - others);
  }

  /**
   * Looks again at what was given up, where that takes half of the connections.
   * @throws an error that says so while it does: another statement would wait as they do
   */
  async #refuseWhileStuck(): Promise<void> {
    if (!this.#isStuck()) return;
    await this.#withConnection(async () => {});
    if (this.#isStuck()) throw stillBusy(this.#givenUp.size);
  }

  #isStuck(): boolean {
    return this.#givenUp.size > 0 && this.#givenUp.size >= this.#size / 2;
  }

  /** A connection; tried twice, as nothing was sent yet. */
  async #connect(pool: pg.Pool): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      if (isSilence(error)) throw error;
      await pause(100);
      return (this.#pool ?? pool).connect();
    }
  }

  /** Where one connection went silent, the others that idle are as dead: all are left to themselves. */
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
    // Whoever was in the way is let by, and those that were in each other's do not meet again.
    await pause(Math.random() * 5 * 2 ** tries);
    return true;
  }
}

/** The way to the PostgreSQL at an address; it connects with the first statement. @param size as in `Postgres` */
export function openPostgres(databaseUrl: string, size: number, limits: Limits): Postgres {
  return new Postgres(databaseUrl, size, limits);
}
