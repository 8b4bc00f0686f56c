import type { Rows } from '#prisma/generated/rows.ts';
import { config } from '../../config.ts';
import { once } from '../../once.ts';
import { isDatabaseAway } from './away.ts';
import { retryWhileBusy } from './busy.ts';
import { openPostgres, type Postgres } from './postgres.ts';
import { openSqlite, type Sqlite } from './sqlite.ts';
import type { Row, SqlParams, Statement } from './statement.ts';
import {
  inPostgresTransaction,
  inSqliteTransaction,
  transactionHere,
  type Work,
  whenDurable,
} from './transaction.ts';
import { inOrder } from './unit.ts';

/**
 * Access to the database, for every statement of the store. SQL is written once for both databases;
 * where they differ, the function that has the statement branches on `kind`.
 */
type Database =
  | Pick<Sqlite, 'kind' | 'all' | 'get' | 'stamp' | 'write'>
  | Pick<Postgres, 'kind' | 'read' | 'query' | 'transact'>;

/**
 * The transaction that this work is part of, or else this process's only fast connection (SQLite)
 * or pool (PostgreSQL).
 */
export function database(): Database {
  return transactionHere()?.database ?? connections();
}

function connections(): Sqlite | Postgres {
  return once('database', () => {
    const { database, databaseUrl, databasePoolSize, databaseLimits } = config();
    return database === 'sqlite'
      ? openSqlite(databaseUrl)
      : openPostgres(databaseUrl, databasePoolSize, databaseLimits);
  });
}

/**
 * Columns of a table as a statement returns them, the same on both databases: booleans, Dates and
 * numbers, however the database stores them. Generated from the schema.
 */
export type Columns<
  Table extends keyof Rows,
  Column extends keyof Rows[Table] = keyof Rows[Table],
> = Pick<Rows[Table], Column>;
/** Columns of a joined table, which may have no matching row. */
export type Joined<R> = { [Column in keyof R]: R[Column] | null };

/**
 * Runs one statement whose text is the same on both databases, and gives its rows (those of
 * RETURNING, for a write). A write is atomic, and durable when this resolves.
 */
export async function write<R extends object = Row>(sql: string, params: SqlParams): Promise<R[]> {
  const db = database();
  const rows =
    db.kind === 'sqlite' ? await db.write([{ sql, params }]) : await db.query(sql, params);
  return rows as R[];
}

/** Runs one reading statement that gives at most one row. */
export async function readOne<R extends object = Row>(
  sql: string,
  params: SqlParams,
): Promise<R | undefined> {
  const db = database();
  const row =
    db.kind === 'sqlite'
      ? await whenFree(() => db.get(sql, params))
      : (await db.read(sql, params))[0];
  return row as R | undefined;
}

/** Runs one reading statement. */
export async function read<R extends object = Row>(sql: string, params: SqlParams): Promise<R[]> {
  const db = database();
  const rows =
    db.kind === 'sqlite' ? await whenFree(() => db.all(sql, params)) : await db.read(sql, params);
  return rows as R[];
}

/**
 * As `read`, for a part of a list. PostgreSQL plans the statement for the given values every time.
 * Otherwise, after five runs, it may switch to one plan for all values, which treats a group of a
 * million members like one of the usual size.
 */
export async function readListed<R extends object = Row>(
  sql: string,
  params: SqlParams,
): Promise<R[]> {
  const db = database();
  return db.kind === 'sqlite' ? read<R>(sql, params) : ((await db.read(sql, params, true)) as R[]);
}

/**
 * Runs a read again while it is locked out, which happens only while another process repairs or
 * truncates the write-ahead log.
 */
async function whenFree<T>(read: () => T): Promise<T> {
  try {
    return read();
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    return retryWhileBusy(async () => read());
  }
}

/**
 * Runs statements as one transaction, and gives the rows of the first. If the first gives no rows,
 * its condition was not met, and nothing happens at all. The same goes if a statement that must
 * give a row gives none. On PostgreSQL `hold` runs before it: it locks the rows that the conditions
 * look at and that another transaction may be changing.
 */
export async function writeTogether<R extends object = Row>(
  first: Statement,
  then: Statement[],
  hold: readonly Statement[] = [],
): Promise<R[]> {
  const rows = await transact(first, inOrder(then), hold);
  if (rows.length > 0) for (const statement of then) whenDurable(statement);
  return rows as R[];
}

async function transact(
  first: Statement,
  then: readonly Statement[],
  hold: readonly Statement[],
): Promise<Row[]> {
  const db = database();
  if (db.kind === 'postgresql') return db.transact(first, then, hold);
  return db.write([first, ...then]);
}

/**
 * SQL that locks rows until the transaction ends. Empty on SQLite, which has one writer at a time
 * and so needs no such lock.
 */
export const locking = (clause: `FOR ${string}`): string =>
  database().kind === 'postgresql' ? clause : '';

/** SQL: the texts of a JSON list, so that the statement is the same for a list of any length. */
export const textsIn = (list: string): string =>
  database().kind === 'sqlite'
    ? `SELECT value FROM json_each(${list})`
    : `SELECT jsonb_array_elements_text(CAST(${list} AS JSONB))`;

/** SQL: where a text begins in another one, counted from 1; 0 if it does not occur. */
export const positionIn = (whole: string, part: string): string =>
  `${database().kind === 'sqlite' ? 'instr' : 'strpos'}(${whole}, ${part})`;

/**
 * SQL for `moment`, or the column plus 1 ms if that is later. `updated_at` is the optimistic lock,
 * so two updates in one millisecond must not yield the same value.
 */
export function laterThan(column: string, moment: string): string {
  return database().kind === 'sqlite'
    ? `MAX(${moment}, ${column} + 1)`
    : `GREATEST(${moment}, ${column} + INTERVAL '1 millisecond')`;
}

/**
 * A moment that a statement computed, by MAX for example. It is not a declared column, so SQLite
 * gives it as milliseconds.
 */
export type Moment = Date | number;

export function date(moment: Moment): Date {
  return new Date(moment);
}

/** Whether a referenced row has been deleted. */
export function isMissingParent(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === '23503' || code === 'SQLITE_CONSTRAINT_FOREIGNKEY';
}

/** Whether a unique value is taken. */
export function isTaken(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === '23505' || /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(String(code));
}

/** What a write comes to if a unique value is taken. @throws any other error */
export function orTaken(error: unknown): 'taken' {
  if (isTaken(error)) return 'taken';
  throw error;
}

/**
 * Runs work whose reads and writes form one transaction, whatever functions make them. On SQLite no
 * one else can write meanwhile, so this is for commands and the start of a server, not for
 * requests. The transaction is rolled back when the work throws or asks to keep nothing. The work
 * may run again if the database reports a conflict with another transaction.
 */
export async function inOneTransaction<T>(work: Work<T>): Promise<T> {
  const db = connections();
  return db.kind === 'sqlite'
    ? inSqliteTransaction(config().databaseUrl.slice('file:'.length), work)
    : inPostgresTransaction(db, work);
}

const closers = () => once('store.closers', (): (() => Promise<void>)[] => []);

/** Registers work to run before the connections close, such as flushing memory. */
export function beforeClose(work: () => Promise<void>): void {
  closers().push(work);
}

/** Finishes queued writes and closes the connections. @throws the first failure of that work */
export async function closeStore(): Promise<void> {
  const failures: unknown[] = [];
  // If one of them cannot write, the others still can.
  for (const work of closers()) await work().catch((error: unknown) => failures.push(error));
  await connections().close();
  if (failures.length > 0) throw failures[0];
}
