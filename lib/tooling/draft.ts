import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { whoServes } from './beside.ts';
import { type Connection, connect } from './connection.ts';

/**
 * Fills a database that may not be there yet. A new SQLite file has another name until the work is
 * done, so that work that fails, or is killed, leaves no database behind, and no folder for one. In
 * a PostgreSQL database without tables, those of work that fails are dropped again.
 * @param work is given the database to fill
 * @param keeps whether what the work returns is to stay, as it is not after a rehearsal
 * @throws what `work` throws, or an error of the system with EEXIST if another process made the
 * file in the meantime
 */
export async function throughDraft<T>(
  databaseUrl: string,
  work: (databaseUrl: string) => Promise<T>,
  keeps: (done: T) => boolean = () => true,
): Promise<T> {
  const file = databaseUrl.startsWith('file:') ? databaseUrl.slice('file:'.length) : null;
  if (file === null) return inBareDatabase(databaseUrl, work);
  if (existsSync(file) || existsSync(`${file}-wal`)) return work(databaseUrl);
  const folders = missingAbove(file);
  const draft = `${file}.${randomUUID()}`;
  try {
    const done = await work(`file:${draft}`);
    if (keeps(done)) linkSync(draft, file);
    return done;
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(draft + end, { force: true });
    for (const folder of folders) removeIfEmpty(folder);
  }
}

async function inBareDatabase<T>(
  databaseUrl: string,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  // If it cannot be reached, the work says so.
  const wasBare = await onConnection(databaseUrl, isBare).catch(() => false);
  try {
    return await work(databaseUrl);
  } catch (error) {
    if (wasBare) await onConnection(databaseUrl, dropAll).catch(() => {});
    throw error;
  }
}

async function onConnection<T>(
  databaseUrl: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connect(databaseUrl);
  return work(connection).finally(() => connection.adapter.dispose());
}

const tablesHere = 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()';

const isBare = async ({ ask }: Connection): Promise<boolean> =>
  (await ask(tablesHere)).length === 0;

/** Drops all tables, unless a server has begun to use them. */
async function dropAll(connection: Connection): Promise<void> {
  if ((await whoServes(connection, new Date())) !== null) return;
  const names = (await connection.ask(tablesHere)).map(([name]) => `"${name}"`);
  if (names.length > 0) await connection.ask(`DROP TABLE ${names.join(', ')} CASCADE`);
}

/** The folders that have to be made for a file, the innermost first. */
function missingAbove(file: string): string[] {
  const missing = [];
  for (let folder = dirname(file); !existsSync(folder); folder = dirname(folder))
    missing.push(folder);
  return missing;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It holds the database by now, or was never made.
  }
}
