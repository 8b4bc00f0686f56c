import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isSilence, orAway } from './away.ts';
import { GivenUp } from './given-up.ts';
import { noteWriteFailed, noteWritten } from './health.ts';
import { type Resolved, valueFor, withNumbers } from './parameters.ts';
import { lendsConnections } from './pooler.ts';
import { nameInRow } from './rows.ts';
import type { Row, SqlParams, SqlValue, Statement } from './statement.ts';
import { runUnit } from './unit.ts';

/** Deadlock and serialisation failures: the statement had no effect and may run again. */
const retryable = new Set(['40P01', '40001']);
const mostTries = 8;

/** Failures by which a connection ended before anything was committed: it may run again on another one. */
const undone = new WeakSet<object>();
const mostConnections = 4;

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

/**
 * Asked of a table of ours: a pooler that spreads what is read over standbys sends this where it sends our
 * statements, while it keeps `pg_is_in_recovery()` for the primary.
 */
const askWhetherStandby =
  "SELECT current_setting('in_hot_standby', true) = 'on' AS \"isStandby\" FROM revision WHERE id = 1";
const noSuchTable = '42P01';
/** Milliseconds for which a pooler that answered for a primary is believed. */
const believed = 1000;
/** How often a pooler is asked at first: one that turns to a standby every other time is found out. */
const manyTimes = 12;

/** @throws an error that says so if this is a standby */
async function demandPrimary(client: pg.ClientBase): Promise<void> {
  const config = { text: askWhetherStandby, query_timeout: connectLimit } as pg.QueryConfig;
  const { rows } = await client.query(config).catch((error: { code?: string }) => {
    // Nothing is stored yet that could be read late.
    if (error.code === noSuchTable) return { rows: [] };
    throw error;
  });
  if (rows[0]?.isStandby) throw isStandby();
}

/**
 * A standby lags behind its primary: what was revoked there may still be good here. So it is as if
 * nobody were there. Until it is promoted each new connection finds it so, and then none does.
 */
function isStandby(): Error {
  const what =
    'this PostgreSQL is a standby, which may lag; DATABASE_URL has to lead to the primary, and a pooler to send there what is read, too (pgpool: load_balance_mode = off)';
  return Object.assign(new Error(what), { code: '25006' });
}

/** Nothing was sent. */
function stillBusy(statements: number): Error {
  const what = `PostgreSQL is still busy with ${statements} statements that were given up, such as commits that wait for a standby`;
  return Object.assign(new Error(what), { code: '08000' });
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
  #isDone = false;

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

  /** The driver calls this when it was carried out, and before it is committed. */
  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    this.#isDone = true;
    noteCompletion.call(this, message, connection);
  }

  handleError(error: Error, connection: pg.Connection): void {
    if (!this.#isDone && (saysEnding(error) || isUnsent(error))) undone.add(error);
    tellOfError.call(this, error, connection);
  }
}

type Described = { fields: { name: string }[] };
const {
  handleRowDescription: readDescription,
  handleCommandComplete: noteCompletion,
  handleError: tellOfError,
} = pg.Query.prototype as unknown as Pick<
  NamedQuery,
  'handleRowDescription' | 'handleCommandComplete' | 'handleError'
>;

/** The connection had ended before, and nobody had noticed. */
const isUnsent = ({ message }: Error) => /^Client .* is not queryable$/.test(message);

/** PostgreSQL itself, and no pooler, says that it was told to end the connection (57P01). */
function saysEnding(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === '57P01' && routine === 'ProcessInterrupts';
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

/** What a server connection answers that has not prepared a statement, or has it from another client. */
const preparedElsewhere = new Set(['26000', '42P05']);

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
  /** Pools that were replaced and have connections yet. */
  readonly #leaving = new Set<pg.Pool>();
  #finding: Promise<boolean> | null = null;
  #isLent = false;
  #isNamed = true;
  /** Milliseconds. */
  #primaryAt = 0;

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
      onConnect: (client) => this.#prepare(client),
      types,
    });
    // A connection that breaks must not end this process, neither an idle one, for which the pool opens
    // another, nor one that is lent, whose statement says so.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  }

  /**
   * What has to be said and known before the first statement, in one round trip; each in a message of its
   * own, which a pooler sends where it sends our statements.
   */
  async #prepare(client: pg.ClientBase): Promise<void> {
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
        if (!committing && isBroken(error)) undone.add(error as Error);
        throw error;
      }
    });
  }

  #begin(connection: pg.PoolClient): Promise<unknown> {
    const text = this.#isLent ? `BEGIN; ${limiting('SET LOCAL', this.#limits)}` : 'BEGIN';
    return connection.query({ text, query_timeout: answerWithin(this.#limits) } as pg.QueryConfig);
  }

  /**
   * Lends a connection. One that failed otherwise than by an answer about the statement, or within
   * a transaction, is not given back.
   */
  async #withConnection<T>(
    work: (connection: pg.PoolClient) => Promise<T>,
    transaction = false,
  ): Promise<T> {
    const pool = this.#pool ?? (await this.#start());
    const connection = await this.#connect(pool);
    try {
      if (this.#isLent) await this.#demandPrimary(connection);
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

  /** @throws an error that says so while statements that were given up take half of the connections: another would wait as they do */
  async #demandEnds(): Promise<void> {
    if (!this.#isWaiting()) return;
    await this.#withConnection(async () => {});
    if (this.#isWaiting()) throw stillBusy(this.#givenUp.size);
  }

  #isWaiting(): boolean {
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

  /** A pooler may turn to another server beneath connections that stay open. */
  async #demandPrimary(connection: pg.PoolClient): Promise<void> {
    if (Date.now() - this.#primaryAt < believed) return;
    const times = this.#primaryAt === 0 ? manyTimes : 1;
    for (let asked = 0; asked < times; asked += 1) await demandPrimary(connection);
    this.#primaryAt = Date.now();
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
        await this.#demandEnds();
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
    if (undone.has(error as Error)) return tries < mostConnections;
    const { code = '' } = error as { code?: string };
    if (this.#isLent && preparedElsewhere.has(code)) {
      this.#isNamed = false;
      return tries < 5;
    }
    if (tries >= mostTries || !retryable.has(code)) return false;
    // Whoever was in the way is let by, and those that were in each other's do not meet again.
    await pause(Math.random() * 5 * 2 ** tries);
    return true;
  }
}

/**
 * What failed otherwise than by an answer about its statement. A primary that became a standby beneath
 * its connections answers well enough.
 */
const isNoMoreOfUse = (error: unknown) => {
  const { severity, code } = error as { severity?: unknown; code?: unknown };
  return severity !== 'ERROR' || code === '25006';
};

/** The connection ended, and the time for another try is there: silence has used it up. */
function isBroken(error: unknown): boolean {
  const { severity, code = '', message = '' } = error as Record<string, string | undefined>;
  return (
    (severity !== 'ERROR' && /^(ECONNRESET|EPIPE|57P0[12])$/.test(code)) ||
    /^Connection terminated|Client has encountered a connection error/.test(message)
  );
}

export function openPostgres(databaseUrl: string, size: number, limits: Limits): Postgres {
  return new Postgres(databaseUrl, size, limits);
}
