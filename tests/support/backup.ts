import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';

/** Brings a live database back to what it held when the backup was taken, under whatever is running on it. */
export type Restore = () => Promise<void>;

/** Takes a backup of a database and gives the way to restore it. */
export function takeBackup(databaseUrl: string): Promise<Restore> {
  return databaseUrl.startsWith('file:')
    ? backUpSqlite(databaseUrl.slice('file:'.length))
    : backUpPostgres(databaseUrl);
}

/** SQLite's online-backup API both ways, as `.backup` and `.restore` of its shell. */
async function backUpSqlite(live: string): Promise<Restore> {
  const kept = `${live}.${process.hrtime.bigint()}.backup`;
  await copySqlite(live, kept);
  return () => copySqlite(kept, live);
}

async function copySqlite(from: string, to: string): Promise<void> {
  const source = new BetterSqlite3(from);
  await source.backup(to);
  source.close();
}

/** The content of every table, put back in one transaction as a restored dump of the data would. */
async function backUpPostgres(connectionString: string): Promise<Restore> {
  const kept = `kept_${process.hrtime.bigint()}`;
  const tables = await inPostgres(connectionString, async (client) => {
    const { rows } = await client.query<{ tablename: string }>(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'",
    );
    await client.query(`CREATE SCHEMA ${kept}`);
    for (const { tablename } of rows)
      await client.query(`CREATE TABLE ${kept}.${tablename} AS TABLE public.${tablename}`);
    return rows.map((row) => row.tablename);
  });
  return () =>
    inPostgres(connectionString, async (client) => {
      await client.query('BEGIN');
      await client.query('SET LOCAL session_replication_role = replica');
      await client.query(`TRUNCATE ${tables.map((table) => `public.${table}`).join(', ')}`);
      for (const table of tables)
        await client.query(`INSERT INTO public.${table} SELECT * FROM ${kept}.${table}`);
      await client.query('COMMIT');
    });
}

async function inPostgres<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
