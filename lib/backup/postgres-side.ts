import pg from 'pg';
import { lastMigration, type Side, type Use } from './side.ts';
import type { Table } from './tables.ts';
import { kindsOf, quotedNames, type Row, toBackup, toPostgres } from './values.ts';

const rowsAtOnce = 500;
const deadlock = '40P01';
const mostTries = 8;
const setUp = {
  read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0',
  // No one reads half of the new content: concurrent readers wait, or see the content from before.
  replace: "BEGIN; SET LOCAL lock_timeout = '30s'; SET LOCAL statement_timeout = 0",
};

/**
 * Opens a PostgreSQL database for one transaction.
 * @throws the errors of the driver
 */
export async function openPostgresSide(connectionString: string, use: Use): Promise<Side> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  // A broken connection also fails the waiting statement. Without a listener, the event would end
  // the process.
  client.on('error', () => {});
  await client.query(setUp[use]);
  const one = async (sql: string) => Object.values((await client.query(sql)).rows[0] ?? {})[0];
  const replaced: string[] = [];
  const hasTables = await one("SELECT to_regclass('_prisma_migrations')");
  return {
    kind: 'postgresql',
    migration: hasTables === null ? null : ((await one(lastMigration)) as string | null),
    batches: (table) => batchesOf(client, table),
    number: async (sql) => Number(await one(sql)),
    text: async (sql) => ((await one(sql)) as string | undefined) ?? null,
    run: async (sql) => void (await client.query(sql)),
    empty: async (names) => {
      await empty(client, names);
      replaced.push(...names);
    },
    dropIndexes: (names) => dropIndexes(client, names),
    insert: inserting(client),
    // PostgreSQL does not recreate a foreign key while a row refers to one that does not exist.
    violations: async () => 0,
    commit: async () => {
      // Without statistics, statements are planned blindly until PostgreSQL analyses the tables by
      // itself, minutes later.
      if (replaced.length > 0) await client.query(`ANALYZE ${quotedNames(replaced)}`);
      await client.query('COMMIT');
    },
    close: () => client.end(),
  };
}

async function* batchesOf(client: pg.Client, table: Table): AsyncIterable<Row[]> {
  const entries = Object.entries(table.columns);
  // Byte by byte, as SQLite orders text, regardless of the database's locale.
  const order = table.key.map((column) =>
    table.columns[column] === 'text' ? `"${column}" COLLATE "C"` : `"${column}"`,
  );
  await client.query(
    `DECLARE rows_of_table NO SCROLL CURSOR FOR SELECT ${quotedNames(Object.keys(table.columns))} FROM "${table.name}" ORDER BY ${order.join(', ')}`,
  );
  const fetch = () =>
    client.query<unknown[]>({ text: `FETCH ${rowsAtOnce} FROM rows_of_table`, rowMode: 'array' });
  for (let coming: ReturnType<typeof fetch> | null = fetch(); coming; ) {
    const { rows }: { rows: unknown[][] } = await coming;
    // The next rows are fetched while these are processed. An error is reported where they are
    // awaited.
    coming = rows.length < rowsAtOnce ? null : fetch();
    coming?.catch(() => {});
    yield rows.map((values) => entries.map(([, kind], at) => toBackup(kind, values[at])));
  }
  await client.query('CLOSE rows_of_table');
}

/**
 * Concurrent writers can wait for this transaction while it waits for them; PostgreSQL then fails
 * one of the two. If this one fails, it gives up the locks it has taken so far and tries to take
 * all of them again.
 */
async function empty(client: pg.Client, names: readonly string[]): Promise<void> {
  await client.query('SAVEPOINT before_locks');
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query(`TRUNCATE ${quotedNames(names)}`);
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== deadlock || tries === mostTries) throw error;
      await client.query('ROLLBACK TO SAVEPOINT before_locks');
    }
  }
}

/** Foreign keys are recreated last: they need the keys that they refer to. */
async function dropIndexes(client: pg.Client, names: readonly string[]): Promise<string[]> {
  const of = `= ANY (ARRAY[${names.map((name) => `'${name}'::regclass`)}]::oid[])`;
  const { rows } = await client.query<{ drop: string; make: string }>(`
    SELECT 1 AS step, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
    FROM pg_constraint WHERE contype = 'f' AND conrelid ${of}
    UNION ALL
    SELECT 2, format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    FROM pg_index WHERE indrelid ${of}
      AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = indexrelid AND c.contype IN ('p', 'u', 'x'))
    ORDER BY step`);
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ make }) => make).reverse();
}

/**
 * Returns the function that inserts rows: the statement has one parameter per column, an array with
 * that column's values of all rows. One parameter per value would be thousands per statement, which
 * PostgreSQL is slow to parse.
 */
function inserting(client: pg.Client): Side['insert'] {
  const texts = new Map<string, string>();
  return async (table, rows) => {
    const text = texts.get(table.name) ?? (await insertInto(client, table));
    texts.set(table.name, text);
    const values = kindsOf(table).map((kind, at) =>
      rows.map((row) => toPostgres(kind, row[at] ?? null)),
    );
    await client.query(text, values);
  };
}

async function insertInto(client: pg.Client, { name, columns }: Table): Promise<string> {
  const { rows } = await client.query<{ attname: string; type: string }>(
    `SELECT attname, atttypid::regtype::text AS type FROM pg_attribute WHERE attrelid = '${name}'::regclass`,
  );
  const types = new Map(rows.map(({ attname, type }) => [attname, type]));
  const names = Object.keys(columns);
  const arrays = names.map((column, at) => `$${at + 1}::${types.get(column)}[]`);
  const row = quotedNames(names);
  return `INSERT INTO "${name}" (${row}) SELECT ${row} FROM unnest(${arrays.join(', ')}) AS given (${row})`;
}
