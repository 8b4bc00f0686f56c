import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';

/** All rows by table, sorted. */
export type TableRows = Record<string, Record<string, unknown>[]>;

/** Everything in a database, whatever its tables are, except the list of migrations. */
export async function rowsOf(databaseUrl: string): Promise<TableRows> {
  const found = databaseUrl.startsWith('file:')
    ? inSqlite(databaseUrl.slice('file:'.length))
    : await inPostgres(databaseUrl);
  for (const rows of Object.values(found))
    rows.sort((one, other) => (key(one) < key(other) ? -1 : 1));
  return found;
}

/**
 * Rows of both moments are sorted by the columns that both have, because the first columns stay the
 * same.
 */
const key = (row: Record<string, unknown>) => JSON.stringify(Object.values(row));

const isOurs = (name: string) => !name.startsWith('sqlite_') && name !== '_prisma_migrations';

function inSqlite(path: string): TableRows {
  const db = new BetterSqlite3(path, { readonly: true });
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  const found: TableRows = {};
  for (const name of (names as string[]).filter(isOurs))
    found[name] = db.prepare(`SELECT * FROM "${name}"`).all() as TableRows[string];
  db.close();
  return found;
}

async function inPostgres(url: string): Promise<TableRows> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows: names } = await client.query<{ tablename: string }>(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
  );
  const found: TableRows = {};
  for (const { tablename } of names.filter((each) => isOurs(each.tablename)))
    found[tablename] = (await client.query(`SELECT * FROM "${tablename}"`)).rows;
  await client.end();
  return found;
}
