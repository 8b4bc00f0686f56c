import { statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { cutWriteAheadLog } from '#lib/store/engine/checkpoint.ts';
import { database, write } from '#lib/store/engine/database.ts';
import { onDatabase } from '../support/on-each-database.ts';

const insert = 'INSERT INTO settings (name, value, updated_at) VALUES ($1, $2, $3)';
const text = 'x'.repeat(1024 * 1024);
const fill = async (name: string) => {
  for (let each = 0; each < 20; each += 1)
    await write(insert, [`${name}${each}`, text, new Date()]);
};

onDatabase('sqlite', () => {
  test('the SQLite write-ahead log that grew beside a reader is truncated once the reader is gone', async () => {
    const path = (process.env.DATABASE_URL ?? '').slice('file:'.length);
    const size = () => statSync(`${path}-wal`).size;
    await write('SELECT 1', []);
    const reader = new BetterSqlite3(path, { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT * FROM revision').all();
    await fill('beside');
    const grown = size();
    expect(grown).toBeGreaterThan(20 * text.length);
    await cutWriteAheadLog();
    expect(size()).toBe(grown);
    reader.close();
    await cutWriteAheadLog();
    expect(size()).toBe(0);
    // Everything is there, and writing continues.
    await fill('after');
    expect(database().kind).toBe('sqlite');
  });

  test('the SQLite write-ahead log is limited to 16 MiB whenever it restarts', () => {
    const db = database();
    expect(db.kind === 'sqlite' && db.all('PRAGMA journal_size_limit', [])).toEqual([
      { journalSizeLimit: 16 * 1024 * 1024 },
    ]);
  });
});
