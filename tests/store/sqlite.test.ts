import { spawnSync } from 'node:child_process';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openSqlite, type Sqlite } from '#lib/store/engine/sqlite.ts';
import { createDatabase } from '../support/database.ts';

const insert = 'INSERT INTO settings (name, value, updated_at) VALUES ($1, $2, $3)';
const names = (db: Sqlite) =>
  db.all('SELECT name FROM settings ORDER BY name', []).map((row) => row.name);

async function open() {
  const url = await createDatabase('sqlite');
  return { db: openSqlite(url), path: url.slice('file:'.length) };
}

test('SQLite: writes that arrive together share one commit, and each is durable when it resolves', async () => {
  const { db, path } = await open();
  const other = new BetterSqlite3(path, { readonly: true });
  const version = () => other.pragma('data_version', { simple: true });
  const before = version();
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      db.write([{ sql: insert, params: [`s${index}`, 'x', 1] }]),
    ),
  );
  // Another connection sees a single change, so there was one commit.
  expect(Number(version()) - Number(before)).toBe(1);
  expect(other.prepare('SELECT count(*) AS n FROM settings').get()).toEqual({ n: 50 });
  other.close();
  await db.close();
});

test('SQLite: a failing write stores nothing of its own, and does not affect the others of its commit', async () => {
  const { db } = await open();
  const row = (name: string) => ({ sql: insert, params: [name, 'x', 1] });
  const half = { ...row('half'), sql: `${insert} RETURNING name` };
  const results = await Promise.allSettled([
    db.write([row('first')]),
    db.write([half, { sql: 'UPDATE settings SET updated_at = NULL', params: [] }]),
    db.write([row('last')]),
  ]);
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(names(db)).toEqual(['first', 'last']);
  await db.close();
});

test('SQLite: while another connection holds the lock, writes wait, reads go on and the event loop is not blocked', async () => {
  const { db, path } = await open();
  const other = new BetterSqlite3(path);
  other.exec('BEGIN IMMEDIATE');
  let written = false;
  const write = db.write([{ sql: insert, params: ['patient', 'x', 1] }]).then(() => {
    written = true;
  });
  for (let turn = 0; turn < 50; turn += 1) {
    expect(names(db)).toEqual([]);
    await new Promise((resume) => setImmediate(resume));
  }
  expect(written).toBe(false);
  other.exec('COMMIT');
  await write;
  expect(names(db)).toEqual(['patient']);
  other.close();
  await db.close();
});

test('SQLite: the connection has full durability, foreign keys and a write-ahead log', async () => {
  const { db } = await open();
  expect(db.all('PRAGMA synchronous', [])).toEqual([{ synchronous: 2 }]);
  expect(db.all('PRAGMA foreign_keys', [])).toEqual([{ foreignKeys: 1 }]);
  expect(db.all('PRAGMA journal_mode', [])).toEqual([{ journalMode: 'wal' }]);
  await db.close();
});

test('SQLite: the stamp changes with every write of this process or another before more is read, and with nothing else', async () => {
  const { db, path } = await open();
  const other = new BetterSqlite3(path);
  const first = db.stamp();
  expect(names(db)).toEqual([]);
  expect(db.stamp()).toBe(first);
  await db.write([{ sql: insert, params: ['own', 'x', 1] }]);
  const second = db.stamp();
  expect(second).not.toBe(first);
  expect(names(db)).toEqual(['own']);
  other.prepare(insert.replace(/\$\d/g, '?')).run('foreign', 'x', 1);
  // Whoever knows of that write cannot have been heard yet.
  await null;
  expect(db.stamp()).toBe(second);
  await new Promise((resume) => setImmediate(resume));
  expect(db.stamp()).not.toBe(second);
  other.close();
  await db.close();
});

test('SQLite: the error of a write has the driver’s code, although another thread writes', async () => {
  const { db } = await open();
  const write = () => db.write([{ sql: insert, params: ['twice', 'x', 1] }]);
  await write();
  await expect(write()).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
  await db.close();
});

test('SQLite: writes that arrive during a commit are written after it, in order', async () => {
  const { db } = await open();
  const upsert = `${insert} ON CONFLICT (name) DO UPDATE SET value = settings.value || $2`;
  const writes: Promise<unknown>[] = [];
  for (const letter of 'abcdefghij') {
    writes.push(db.write([{ sql: upsert, params: ['word', letter, 1] }]));
    await new Promise((resume) => setImmediate(resume));
  }
  await Promise.all(writes);
  expect(db.all('SELECT value FROM settings', [])).toEqual([{ value: 'abcdefghij' }]);
  await db.close();
});

test('SQLite: closing finishes pending writes, and refuses new ones', async () => {
  const { db, path } = await open();
  const write = db.write([{ sql: insert, params: ['late', 'x', 1] }]);
  await db.close();
  await write;
  await expect(db.write([{ sql: insert, params: ['later', 'x', 1] }])).rejects.toThrow('closed');
  const other = new BetterSqlite3(path);
  expect(other.prepare('SELECT name FROM settings').pluck().all()).toEqual(['late']);
  other.close();
});

test('SQLite: when the writer thread ends, the process ends and acknowledges nothing more', async () => {
  const url = await createDatabase('sqlite');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['tests/support/lose-writer.ts', url, insert],
    { timeout: 60_000, encoding: 'utf8' },
  );
  expect([status, stdout]).toEqual([1, 'first written\n']);
  expect(stderr).toBe(
    'The thread that writes to the database ended (code 1), so this process does.\n',
  );
});

test('SQLite: the reading connection cannot write', async () => {
  const { db } = await open();
  expect(() => db.all(insert, ['reader', 'x', 1])).toThrow(/readonly/);
  await db.close();
});

test('SQLite: the writer thread does not keep a process from ending', async () => {
  const url = await createDatabase('sqlite');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['tests/support/write-once.ts', url, insert],
    { timeout: 60_000, encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
});
