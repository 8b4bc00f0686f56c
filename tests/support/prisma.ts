import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import { PrismaPg } from '@prisma/adapter-pg';
import { config } from '#lib/config.ts';
import { retryWhileBusy } from '#lib/store/engine/busy.ts';
import { beforeClose } from '#lib/store/engine/database.ts';
import { transactionHere } from '#lib/store/engine/transaction.ts';
import { PrismaClient } from '#prisma/generated/sqlite/client.ts';

/** The Prisma client. Both databases have the same models, so SQLite's types serve for both. */
type Database = PrismaClient;

const open = new Map<string, Promise<Database>>();

/**
 * Prisma on the database that this process works on, to look at rows as another program would. The
 * server itself does not use it, because its engine takes 70 MB. Open no interactive transaction
 * with it on SQLite: between two awaits it would hold the lock that the store waits for.
 */
export function prisma(): Promise<Database> {
  if (transactionHere())
    throw new Error('Prisma sees nothing of the transaction that is open here.');
  const { databaseUrl } = config();
  const client = open.get(databaseUrl) ?? connect(databaseUrl);
  open.set(databaseUrl, client);
  return client;
}

async function connect(url: string): Promise<Database> {
  const client = config().database === 'postgresql' ? await onPostgres(url) : onSqlite(url);
  beforeClose(() => {
    open.delete(url);
    return client.$disconnect();
  });
  return client;
}

async function onPostgres(connectionString: string): Promise<Database> {
  const generated = await import('#prisma/generated/postgresql/client.ts');
  const adapter = new PrismaPg({ connectionString, max: 5 });
  return new generated.PrismaClient({ adapter }) as unknown as Database;
}

/** Waits for a lock of another connection without blocking this process. */
function onSqlite(url: string): Database {
  const format = { timestampFormat: 'unixepoch-ms' } as const;
  const client = new PrismaClient({
    adapter: new PrismaBetterSqlite3({ url, timeout: 0 }, format),
  });
  const extended = client.$extends({
    query: { $allOperations: ({ args, query }) => retryWhileBusy(() => query(args)) },
  });
  return extended as unknown as Database;
}
