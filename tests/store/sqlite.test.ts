import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openSqlite, type Sqlite } from '#lib/store/sqlite.ts';
import { createDatabase } from '../support/database.ts';

const insert = 'INSERT INTO settings (name, value, updated_at) VALUES ($1, $2, $3)';
const names = (db: Sqlite) =>
  db.all('SELECT name FROM settings ORDER BY name', []).map((row) => row.name);

async function open() {
  const url = await createDatabase('sqlite');
  return { db: openSqlite(url), path: url.slice('file:'.length) };
}

test('writes that arrive together share one commit, and each is durable when it resolves', async () => {
  const { db, path } = await open();
  const other = new BetterSqlite3(path, { readonly: true });
  const version = () => other.pragma('data_version', { simple: true });
  const before = version();
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      db.write((tx) => tx.run(insert, [`s${index}`, 'x', 1])),
    ),
  );
  // Another connection sees one change: there was one commit.
  expect(Number(version()) - Number(before)).toBe(1);
  expect(other.prepare('SELECT count(*) AS n FROM settings').get()).toEqual({ n: 50 });
  other.close();
  await db.close();
});

test('a write that fails takes nothing of its own in, and none of its neighbours out', async () => {
  const { db } = await open();
  const results = await Promise.allSettled([
    db.write((tx) => tx.run(insert, ['first', 'x', 1])),
    db.write((tx) => {
      tx.run(insert, ['half', 'x', 1]);
      throw new Error('in the middle');
    }),
    db.write((tx) => tx.run(insert, ['last', 'x', 1])),
  ]);
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(names(db)).toEqual(['first', 'last']);
  await db.close();
});

test('while another connection holds the lock, writes wait, reads answer and the event loop turns', async () => {
  const { db, path } = await open();
  const other = new BetterSqlite3(path);
  other.exec('BEGIN IMMEDIATE');
  let written = false;
  const write = db
    .write((tx) => tx.run(insert, ['patient', 'x', 1]))
    .then(() => {
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

test('every connection keeps full durability and foreign keys', async () => {
  const { db } = await open();
  expect(db.all('PRAGMA synchronous', [])).toEqual([{ synchronous: 2 }]);
  expect(db.all('PRAGMA foreign_keys', [])).toEqual([{ foreign_keys: 1 }]);
  expect(db.all('PRAGMA journal_mode', [])).toEqual([{ journal_mode: 'wal' }]);
  await db.close();
});

test('the stamp moves with what others write and with what this connection changes, not with what it adds', async () => {
  const { db, path } = await open();
  const other = new BetterSqlite3(path);
  const first = db.stamp();
  await db.write((tx) => tx.run(insert, ['added', 'x', 1]), 'adds');
  expect(db.stamp()).toBe(first);
  await db.write((tx) => tx.run(insert, ['changed', 'x', 1]));
  const second = db.stamp();
  expect(second).not.toBe(first);
  other.prepare(insert.replace(/\$\d/g, '?')).run('foreign', 'x', 1);
  expect(db.stamp()).not.toBe(second);
  other.close();
  await db.close();
});
