import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import { gatehouseVersion } from '../config.ts';
import { reasonOf } from '../doctor/finding.ts';
import { disturbing, whoServes, whoServesElse } from './beside.ts';
import { type Connection, connect, kindOf, rowsIfThere } from './connection.ts';
import { placeEmptyDatabase } from './empty-database.ts';
import { allTables, withEngine } from './engine.ts';
import { FolderError } from './folder.ts';
import { inTheWayOf } from './migration-name.ts';
import { migrationNames, migrationsRoot, readMigration, readMigrations } from './migrations.ts';
import { lockedOut, lockTables } from './table-locks.ts';

/** The message is for the operator; the underlying error is its cause. */
export class MigrationError extends Error {}

/** Found out from the leases there, or known for certain. */
type Others = 'by-leases' | 'certain';

/**
 * Migrates a database and returns the names of the applied migrations. All run in one transaction
 * that also holds the database lock, so several processes may start at the same time, and a killed
 * process leaves nothing half done. While other servers run, only migrations that they can tolerate
 * are applied.
 * @param issuer of a server that starts: another server on the database has to have the same
 * @throws MigrationError
 */
export async function applyMigrations(
  databaseUrl: string,
  folder = migrationsRoot,
  others: Others = 'by-leases',
  issuer: string | null = null,
): Promise<string[]> {
  try {
    return await migrate(databaseUrl, folder, others, issuer);
  } catch (cause) {
    if (cause instanceof MigrationError) throw cause;
    if (cause instanceof FolderError)
      throw new MigrationError(
        `The database cannot be there: ${cause.message}. Fix that, or choose another place, such as DATABASE_URL=file:/var/lib/gatehouse/gatehouse.db.`,
        { cause },
      );
    throw new MigrationError(`The database in DATABASE_URL cannot be used: ${reasonOf(cause)}.`, {
      cause,
    });
  }
}

/**
 * Migrates a database without tables to an earlier state, for a backup from that time. A database
 * with migrations applied stays as it is.
 * @param last the name of the last migration to apply
 * @throws MigrationError
 */
export async function applyMigrationsUpTo(databaseUrl: string, last: string): Promise<void> {
  const connection = await connect(databaseUrl);
  const applied = await appliedTo(connection).finally(() => connection.adapter.dispose());
  if (applied.size > 0) return;
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

async function migrate(
  databaseUrl: string,
  folder: string,
  others: Others,
  issuer: string | null,
): Promise<string[]> {
  if (folder === migrationsRoot && kindOf(databaseUrl) === 'sqlite')
    placeEmptyDatabase(databaseUrl.slice('file:'.length));
  const connection = await connect(databaseUrl);
  try {
    const known = migrationNames(connection.kind, folder);
    const applied = await whenFree(() => appliedTo(connection));
    checkNotNewer(known, applied);
    if (issuer !== null) await checkSameIssuer(connection, issuer);
    const pending = known.filter((name) => !applied.has(name));
    if (pending.length === 0) return [];
    const isBorne = await checkBorne(connection, pending, folder, others);
    await whenFree(() => run(connection, connection.prepare));
    return await whenFree(async () => {
      await run(connection, connection.begin);
      return applyPending(connection, folder, isBorne ? pending : []);
    });
  } finally {
    await connection.adapter.dispose();
  }
}

/**
 * Lists the migrations that a database lacks, without changing anything.
 * @throws MigrationError if the database is of a newer version or cannot be used
 */
export async function pendingMigrations(databaseUrl: string): Promise<string[]> {
  const connection = await connect(databaseUrl);
  try {
    const applied = await appliedTo(connection);
    const known = migrationNames(connection.kind);
    checkNotNewer(known, applied);
    return known.filter((name) => !applied.has(name));
  } finally {
    await connection.adapter.dispose();
  }
}

/**
 * Whether servers of the previous version could keep running beside these migrations.
 * @throws MigrationError if they could not, and one of them is running
 */
async function checkBorne(
  connection: Connection,
  pending: string[],
  folder: string,
  others: Others,
): Promise<boolean> {
  const found = disturbing(connection, pending, folder, gatehouseVersion());
  if (!found) return true;
  const tells = `This version changes the database in a way that requires every other process to be stopped (${found.name}: ${found.why}).`;
  if (others === 'certain')
    throw new MigrationError(`${tells} Nothing was changed. Stop the server and start it again.`);
  const server = await whoServes(connection, new Date());
  if (server === null) return false;
  throw new MigrationError(
    `${tells} A server runs on this database: ${server}. Nothing was changed. Stop every server first, and then start this version; a server that was killed is forgotten within a minute.`,
  );
}

/** @throws MigrationError if a server for another issuer runs on the database */
async function checkSameIssuer(connection: Connection, issuer: string): Promise<void> {
  const server = await whoServesElse(connection, issuer, new Date());
  if (server !== null) throw otherIssuer(issuer, `runs on this database as ${server}`);
}

/** @param does what the other server does */
export const otherIssuer = (issuer: string, does: string): MigrationError =>
  new MigrationError(
    `ISSUER is ${issuer}, and a server ${does}. All servers on one database have the same ISSUER, because people and apps know them by it. Nothing was changed. Set the same ISSUER here, or stop that server first; one that was killed is forgotten within a minute.`,
  );

/** @param borne the migrations that are applied while other servers run */
async function applyPending(
  connection: Connection,
  folder: string,
  borne: readonly string[],
): Promise<string[]> {
  const { kind, adapter } = connection;
  try {
    const applied = await withEngine(kind, adapter, async (engine) => {
      await lockTables(
        connection,
        borne.map((name) => readMigration(kind, name, folder)),
      );
      const migrationsList = readMigrations(kind, folder);
      return engine.applyMigrations({ migrationsList, filters: allTables });
    });
    await checkReferences(connection);
    await run(connection, ['COMMIT']);
    return applied.appliedMigrationNames;
  } catch (error) {
    await run(connection, ['ROLLBACK']);
    const { failure = error } = connection;
    delete connection.failure;
    throw failure;
  }
}

/**
 * Reads the applied migrations without loading the engine, which would take longer than the rest of
 * a start.
 */
async function appliedTo(connection: Connection): Promise<Set<unknown>> {
  const sql =
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL';
  return new Set((await rowsIfThere(connection, sql)).map((row) => row[0]));
}

/**
 * Refuses a database of a newer version, unless that version only added what this one can ignore.
 * @throws MigrationError
 */
function checkNotNewer(known: string[], applied: Set<unknown>): void {
  const unknown = [...applied].map(String).filter((name) => !known.includes(name));
  const found = inTheWayOf(gatehouseVersion(), unknown.sort());
  if (!found) return;
  throw new MigrationError(
    `The database was used by a newer version of Gatehouse (it has the migration ${found.name}, which this version does not know, and ${found.why}). ` +
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

/**
 * Retries while the database is locked. SQLite reports "busy" immediately, because waiting inside
 * SQLite would block the whole process. PostgreSQL reports it when we let other transactions go
 * first.
 */
async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const rest = restAfter(error);
      if (rest === null || Date.now() > deadline) throw error;
      await pause(rest * (1 + 4 * Math.random()));
    }
  }
}

/** The shortest pause before a retry, in milliseconds; null if a retry would fail too. */
function restAfter(error: unknown): number | null {
  if (error instanceof DriverAdapterError && error.cause.kind === 'SocketTimeout') return 20;
  return lockedOut.includes((error as { code?: string }).code ?? '') ? 200 : null;
}
