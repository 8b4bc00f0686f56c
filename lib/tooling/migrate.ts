import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import { type Connection, connect, kindOf } from './connection.ts';
import { placeEmptyDatabase } from './empty-database.ts';
import { allTables, withEngine } from './engine.ts';
import { FolderError } from './folder.ts';
import { migrationNames, migrationsRoot, readMigrations } from './migrations.ts';

/** The message is for the operator; the underlying error is its cause. */
export class MigrationError extends Error {}

/**
 * Migrates a database and returns the names of the applied migrations. All run in one transaction
 * that also holds the database lock: several processes may start at once, and a killed one leaves
 * nothing half done.
 * @throws MigrationError
 */
export async function applyMigrations(
  databaseUrl: string,
  folder = migrationsRoot,
): Promise<string[]> {
  try {
    return await migrate(databaseUrl, folder);
  } catch (cause) {
    if (cause instanceof MigrationError) throw cause;
    if (cause instanceof FolderError)
      throw new MigrationError(
        `The database cannot be there: ${cause.message}. Fix that, or choose another place, such as DATABASE_URL=file:/var/lib/gatehouse/gatehouse.db.`,
        { cause },
      );
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new MigrationError(`The database in DATABASE_URL cannot be used: ${reason}.`, {
      cause,
    });
  }
}

/**
 * Brings a database without tables to an earlier state, for a backup from then; another one stays as
 * it is.
 * @param last the name of the last migration to apply
 * @throws MigrationError
 */
export async function applyMigrationsUpTo(databaseUrl: string, last: string): Promise<void> {
  const connection = await connect(databaseUrl);
  const isEmpty = (await appliedTo(connection)).size === 0;
  await connection.adapter.dispose();
  if (!isEmpty) return;
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-migrations-'));
  try {
    for (const name of migrationNames(connection.kind).filter((each) => each <= last))
      cpSync(
        resolve(migrationsRoot, connection.kind, name),
        resolve(folder, connection.kind, name),
        {
          recursive: true,
        },
      );
    await applyMigrations(databaseUrl, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function migrate(databaseUrl: string, folder: string): Promise<string[]> {
  if (folder === migrationsRoot && kindOf(databaseUrl) === 'sqlite')
    placeEmptyDatabase(databaseUrl.slice('file:'.length));
  const connection = await connect(databaseUrl);
  try {
    const known = migrationNames(connection.kind, folder);
    const applied = await appliedTo(connection);
    checkNotNewer(known, applied);
    if (known.every((name) => applied.has(name))) return [];
    await whenFree(() => run(connection, connection.prepare));
    await whenFree(() => run(connection, connection.begin));
    return await applyPending(connection, folder);
  } finally {
    await connection.adapter.dispose();
  }
}

/**
 * The migrations that a database lacks, without changing anything.
 * @throws MigrationError if it is of a newer version, or cannot be used
 */
export async function pendingMigrations(databaseUrl: string): Promise<string[]> {
  const connection = await connect(databaseUrl);
  try {
    // A database that cannot be read must not pass for one without migrations.
    const sql = connection.kind === 'sqlite' ? 'SELECT count(*) FROM sqlite_master' : 'SELECT 1';
    await connection.adapter.queryRaw({ sql, args: [], argTypes: [] });
    const applied = await appliedTo(connection);
    const known = migrationNames(connection.kind);
    checkNotNewer(known, applied);
    return known.filter((name) => !applied.has(name));
  } finally {
    await connection.adapter.dispose();
  }
}

/**
 * Looks whether a database is as this version needs it, for a process that starts beside others: an
 * older version may be at work.
 * @throws MigrationError if migrations are pending
 */
export async function checkMigrated(databaseUrl: string): Promise<void> {
  const pending = await pendingMigrations(databaseUrl);
  if (pending.length === 0) return;
  throw new MigrationError(
    `This version changes the database (${pending.at(-1)}), which no process does while others work. ` +
      'Nothing was changed. Stop the server and start it again.',
  );
}

async function applyPending(connection: Connection, folder: string): Promise<string[]> {
  try {
    const applied = await withEngine(connection.kind, connection.adapter, (engine) =>
      engine.applyMigrations({
        migrationsList: readMigrations(connection.kind, folder),
        filters: allTables,
      }),
    );
    await checkReferences(connection);
    await run(connection, ['COMMIT']);
    return applied.appliedMigrationNames;
  } catch (error) {
    await run(connection, ['ROLLBACK']);
    throw connection.failure ?? error;
  }
}

/**
 * The applied migrations, read without loading the engine, which takes longer than the rest of a
 * start.
 */
async function appliedTo({ adapter }: Connection): Promise<Set<unknown>> {
  const sql =
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL';
  return adapter.queryRaw({ sql, args: [], argTypes: [] }).then(
    (result) => new Set(result.rows.map((row) => row[0])),
    () => new Set(),
  );
}

/**
 * Refuses a database from a newer version, whose guarantees this one may not keep.
 * @throws MigrationError
 */
function checkNotNewer(known: string[], applied: Set<unknown>): void {
  const unknown = [...applied].filter((name) => !known.includes(String(name)));
  if (unknown.length === 0) return;
  throw new MigrationError(
    `The database was used by a newer version of Gatehouse (it has the migration ${unknown.at(-1)}, which this version does not know). ` +
      'Start that version again, or restore the backup from before the upgrade.',
  );
}

async function checkReferences({ adapter, violations }: Connection): Promise<void> {
  if (!violations) return;
  const { rows } = await adapter.queryRaw({ sql: violations, args: [], argTypes: [] });
  if (rows.length > 0)
    throw new Error(`A migration left ${rows.length} rows that refer to rows that do not exist.`);
}

async function run({ adapter }: Connection, statements: string[]): Promise<void> {
  for (const statement of statements) await adapter.executeScript(statement);
}

/** SQLite reports "busy" at once; waiting inside it would block the whole process. */
async function whenFree(work: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
      await pause(20 + Math.random() * 80);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof DriverAdapterError && error.cause.kind === 'SocketTimeout';
}
