import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  ColumnTypeEnum,
  DriverAdapterError,
  type SqlDriverAdapter,
} from '@prisma/driver-adapter-utils';
import { type Pool, type QueryArrayConfig, types } from 'pg';
import { makePlaceOf } from './folder.ts';
import type { DatabaseKind } from './schema.ts';

/** A single connection to a database, and how to lock the whole database within a transaction. */
export interface Connection {
  kind: DatabaseKind;
  adapter: SqlDriverAdapter;
  /** Returns the rows of a query; fails with a reason that people can read. */
  ask: (sql: string) => Promise<unknown[][]>;
  prepare: string[];
  begin: string[];
  /** The error of a migration's first failed statement; the engine would report a later one. */
  failure?: unknown;
  /** A query that must return no rows before the transaction may commit. */
  violations?: string;
}

export function kindOf(databaseUrl: string): DatabaseKind {
  return databaseUrl.startsWith('file:') ? 'sqlite' : 'postgresql';
}

export function connect(databaseUrl: string): Promise<Connection> {
  return kindOf(databaseUrl) === 'sqlite'
    ? connectSqlite(databaseUrl)
    : connectPostgresql(databaseUrl);
}

/**
 * Returns the rows of a query, or none if its table does not exist.
 * @throws any other error of the database: an unreachable one must not pass for one without tables
 */
export async function rowsIfThere({ ask }: Connection, sql: string): Promise<unknown[][]> {
  return ask(sql).catch((error: unknown) => {
    if (isMissingTable(error)) return [];
    throw error;
  });
}

/**
 * PostgreSQL reports a missing table by its error code, the SQLite adapter by a kind of its own.
 */
const isMissingTable = (error: unknown): boolean =>
  (error as { code?: string }).code === '42P01' ||
  (error instanceof DriverAdapterError && error.cause.kind === 'TableDoesNotExist');

async function connectSqlite(databaseUrl: string): Promise<Connection> {
  // SQLite would notice only at the first write, with a less helpful message.
  makePlaceOf(databaseUrl.replace(/^file:/, ''));
  const adapter = await new PrismaBetterSqlite3({ url: databaseUrl, timeout: 0 }).connect();
  return {
    kind: 'sqlite',
    adapter,
    ask: async (sql) => (await adapter.queryRaw({ sql, args: [], argTypes: [] })).rows,
    // With foreign keys on, rebuilding a table (drop, rename) would delete the rows that point to it;
    // the switch has no effect inside a transaction.
    prepare: [
      'PRAGMA journal_mode = WAL',
      'PRAGMA synchronous = FULL',
      'PRAGMA foreign_keys = OFF',
    ],
    begin: ['BEGIN IMMEDIATE'],
    violations: 'PRAGMA foreign_key_check',
  };
}

async function connectPostgresql(databaseUrl: string): Promise<Connection> {
  // A pool of one: every statement belongs to the transaction.
  const adapter = await new PrismaPg({
    connectionString: databaseUrl,
    max: 1,
    idleTimeoutMillis: 0,
  }).connect();
  const pool = adapter.underlyingDriver();
  const query = pool.query.bind(pool);
  const connection: Connection = {
    kind: 'postgresql',
    adapter,
    ask: async (text) => (await query<unknown[]>({ text, rowMode: 'array' })).rows,
    prepare: [],
    // Migrating a table can take longer than the statement timeout allows. The lock has the same
    // number as in Prisma's own engine.
    begin: [
      'BEGIN',
      'SET LOCAL statement_timeout = 0',
      'SET LOCAL lock_timeout = 0',
      'SELECT pg_advisory_xact_lock(72707369)',
    ],
  };
  // The adapter would split a script at every semicolon, even those inside string literals.
  adapter.executeScript = async (script) => {
    await query(script).catch((error: unknown) => {
      connection.failure ??= error;
      throw error;
    });
  };
  teachChar(adapter, pool);
  return connection;
}

/** The type `"char"` of PostgreSQL's catalogue, which the adapter does not know. */
function teachChar(adapter: SqlDriverAdapter, pool: Pool): void {
  const { CHAR, TEXT } = types.builtins;
  const query = pool.query.bind(pool);
  const queryRaw = adapter.queryRaw.bind(adapter);
  let isChar: boolean[] = [];
  const textForChar = async (config: QueryArrayConfig) => {
    const result = await query(config);
    isChar = result.fields.map((field) => field.dataTypeID === CHAR);
    return {
      ...result,
      fields: result.fields.map((field, i) => (isChar[i] ? { ...field, dataTypeID: TEXT } : field)),
    };
  };
  Object.assign(pool, { query: textForChar });
  adapter.queryRaw = async (request) => {
    const result = await queryRaw(request);
    return {
      ...result,
      columnTypes: result.columnTypes.map((type, i) =>
        isChar[i] ? ColumnTypeEnum.Character : type,
      ),
    };
  };
}
