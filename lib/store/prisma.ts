import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '#prisma/generated/sqlite/client.ts';
import { config } from '../config.ts';
import { once } from '../once.ts';
import { orAway } from './away.ts';
import { retryWhileBusy } from './busy.ts';
import { beforeClose } from './database.ts';
import { poolOptions } from './postgres.ts';
import { DatabaseFile } from './sqlite-file.ts';
import { transactionHere } from './transaction.ts';

/** The Prisma client. Both databases have the same models; SQLite's types stand for both. */
export type Database = PrismaClient;

/**
 * Prisma, to look at rows as another program would: its engine holds 70 MB, so no request and no
 * command uses it. On SQLite no interactive transaction may be opened with it: between two awaits it
 * would hold the lock that `hot` waits for.
 */
export async function prisma(): Promise<Database> {
  if (transactionHere())
    throw new Error('Prisma sees nothing of the transaction that is open here.');
  return once('prisma', async () => {
    const client = await open();
    beforeClose(() => client.$disconnect());
    return client;
  });
}

async function open(): Promise<Database> {
  const { database, databaseUrl } = config();
  if (database === 'postgresql') {
    const generated = await import('#prisma/generated/postgresql/client.ts');
    const client = new generated.PrismaClient({
      adapter: new PrismaPg(poolOptions(databaseUrl, 5)),
    });
    return sayingAway(client as unknown as PrismaClient, (work) => work());
  }
  const adapter = new PrismaBetterSqlite3(
    { url: databaseUrl, timeout: 0 },
    { timestampFormat: 'unixepoch-ms' },
  );
  const file = new DatabaseFile(databaseUrl.slice('file:'.length));
  // A lock held by another connection is waited for without freezing this process.
  return sayingAway(new PrismaClient({ adapter }), (work) => {
    file.check();
    return retryWhileBusy(work);
  });
}

/** A client that says `DatabaseAway` where the database is. */
function sayingAway(
  client: PrismaClient,
  run: (work: () => Promise<unknown>) => Promise<unknown>,
): Database {
  const extended = client.$extends({
    query: {
      $allOperations: async ({ args, query }) => {
        try {
          return await run(() => query(args));
        } catch (error) {
          throw orAway(error);
        }
      },
    },
  });
  return extended as unknown as Database;
}
