import { existsSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { BackupError } from './envelope.ts';
import { lastMigration, type Side, type Use } from './side.ts';
import type { Table } from './tables.ts';
import { kindsOf, quotedNames, type Row, toBackup, toSqlite } from './values.ts';

/** How long to wait for another process's lock, in milliseconds. */
const lockWait = 30_000;
const rowsAtOnce = 500;
/** KiB, for sorting when indexes are built. */
const cache = 64 * 1024;

/**
 * Opens an SQLite database for one transaction. Its snapshot does not block writers; to replace the
 * content, it takes the write lock.
 * @throws BackupError if there is no file; the errors of the driver
 */
export function openSqliteSide(path: string, use: Use): Side {
  if (!existsSync(path)) throw new BackupError(`There is no database at ${path}.`);
  const db = new BetterSqlite3(path, { timeout: lockWait, fileMustExist: true });
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = OFF');
  db.pragma(`cache_size = -${cache}`);
  db.exec(use === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE');
  return {
    kind: 'sqlite',
    migration: migrationIn(db),
    batches: (table) => batchesOf(db, table),
    number: async (sql) => Number(db.prepare(sql).pluck().get()),
    text: async (sql) => (db.prepare(sql).pluck().get() as string | undefined) ?? null,
    run: async (sql) => void db.exec(sql),
    empty: async (names) => {
      for (const name of names.toReversed()) db.exec(`DELETE FROM "${name}"`);
    },
    dropIndexes: async (names) => names.flatMap((name) => dropIndexesOf(db, name)),
    insert: async (table, rows) => insert(db, table, rows),
    violations: async () => (db.pragma('foreign_key_check') as unknown[]).length,
    commit: async () => void db.exec('COMMIT'),
    close: async () => {
      if (db.inTransaction) db.exec('ROLLBACK');
      db.close();
    },
  };
}

function migrationIn(db: BetterSqlite3.Database): string | null {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = '_prisma_migrations'").get();
  return table === undefined ? null : (db.prepare(lastMigration).pluck().get() as string | null);
}

async function* batchesOf(db: BetterSqlite3.Database, table: Table): AsyncIterable<Row[]> {
  const kinds = kindsOf(table);
  const sql = `SELECT ${quotedNames(Object.keys(table.columns))} FROM "${table.name}" ORDER BY ${quotedNames(table.key)}`;
  let batch: Row[] = [];
  for (const values of db.prepare(sql).raw().iterate() as Iterable<unknown[]>) {
    batch.push(kinds.map((kind, at) => toBackup(kind, values[at])));
    if (batch.length < rowsAtOnce) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Indexes of primary keys have no SQL statement, and are kept. */
function dropIndexesOf(db: BetterSqlite3.Database, table: string): string[] {
  const indexes = db
    .prepare(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
    )
    .all(table) as { name: string; sql: string }[];
  for (const { name } of indexes) db.exec(`DROP INDEX "${name}"`);
  return indexes.map(({ sql }) => sql);
}

function insert(db: BetterSqlite3.Database, table: Table, rows: Row[]): void {
  const kinds = kindsOf(table);
  const columns = Object.keys(table.columns);
  const statement = db.prepare(
    `INSERT INTO "${table.name}" (${quotedNames(columns)}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for (const row of rows)
    statement.run(...kinds.map((kind, at) => toSqlite(kind, row[at] ?? null)));
}
