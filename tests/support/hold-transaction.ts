import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';

// Holds a write transaction open until it is sent a message to let go.
const url = process.argv[2] ?? '';
const sql = 'UPDATE revision SET value = value WHERE id = 1';
const letGo = url.startsWith('file:')
  ? holdSqlite(url.slice('file:'.length))
  : await holdPostgres(url);
process.send?.('held');
process.once('message', async () => {
  await letGo();
  process.disconnect();
});

function holdSqlite(file: string): () => void {
  const database = new BetterSqlite3(file);
  database.exec('BEGIN IMMEDIATE');
  database.exec(sql);
  return () => {
    database.exec('COMMIT');
    database.close();
  };
}

async function holdPostgres(connectionString: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('BEGIN');
  await client.query(sql);
  return async () => {
    await client.query('COMMIT');
    await client.end();
  };
}
