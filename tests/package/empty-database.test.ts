import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { writeEmptyDatabase } from '#lib/package/empty-database.ts';
import { placeEmptyDatabase } from '#lib/tooling/empty-database.ts';
import { applyMigrations, pendingMigrations } from '#lib/tooling/migrate.ts';

const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-empty-'));
afterAll(() => rmSync(folder, { recursive: true }));
const empty = resolve(folder, 'empty.db');
beforeAll(() => writeEmptyDatabase(empty));

let place: string;
let file: string;
beforeEach(() => {
  place = mkdtempSync(resolve(folder, 'place-'));
  file = resolve(place, 'data/gatehouse.db');
});

/** Everything in a database except rows of people and apps, of which there are none. */
function contentOf(path: string) {
  const database = new Database(path, { readonly: true });
  const rows = (sql: string) => database.prepare(sql).all();
  const tables = rows("SELECT name FROM sqlite_master WHERE type = 'table'") as { name: string }[];
  const content = {
    schema: rows('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name'),
    rows: tables.map(({ name }) => [name, rows(`SELECT count(*) AS rows FROM "${name}"`)]).sort(),
    migrations: rows(
      'SELECT migration_name, checksum FROM _prisma_migrations ORDER BY migration_name',
    ),
    journal: database.pragma('journal_mode'),
    whole: database.pragma('integrity_check'),
  };
  database.close();
  return content;
}

test('the packaged empty database is what the migrations create', async () => {
  const migrated = resolve(place, 'migrated.db');
  await applyMigrations(`file:${migrated}`);
  expect(contentOf(empty)).toEqual(contentOf(migrated));
  placeEmptyDatabase(file, empty);
  expect(await pendingMigrations(`file:${file}`)).toEqual([]);
});

test('the packaged empty database has the same bytes each time', async () => {
  await writeEmptyDatabase(resolve(place, 'again.db'));
  expect(readFileSync(resolve(place, 'again.db')).equals(readFileSync(empty))).toBe(true);
});

test('the placed empty database is readable by its owner only, and no other file is left', () => {
  placeEmptyDatabase(file, empty);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(resolve(file, '..')).mode & 0o777).toBe(0o700);
  expect(readdirSync(resolve(file, '..'))).toEqual(['gatehouse.db']);
});

test.each(['gatehouse.db', 'gatehouse.db-wal'])(
  'an existing %s is not overwritten by the empty database',
  (name) => {
    placeEmptyDatabase(file, empty);
    rmSync(file);
    writeFileSync(resolve(file, '..', name), 'kept');
    placeEmptyDatabase(file, empty);
    expect(readdirSync(resolve(file, '..'))).toEqual([name]);
    expect(readFileSync(resolve(file, '..', name), 'utf8')).toBe('kept');
  },
);

test('no database is created if there is no empty one to copy', () => {
  placeEmptyDatabase(file, resolve(folder, 'nowhere.db'));
  expect(readdirSync(place)).toEqual([]);
});

test('processes that place the empty database at the same time all find the same complete file', async () => {
  const code = `const { placeEmptyDatabase } = await import(${JSON.stringify(resolve('lib/tooling/empty-database.ts'))});
    process.once('message', () => {
      placeEmptyDatabase(${JSON.stringify(file)}, ${JSON.stringify(empty)});
      process.send(statSync(${JSON.stringify(file)}).ino + ':' + statSync(${JSON.stringify(file)}).size);
      process.disconnect();
    });
    process.send('ready');`;
  const script = resolve(place, 'one.mjs');
  writeFileSync(script, `import { statSync } from 'node:fs';\n${code}`);
  const racers = Array.from({ length: 6 }, () => fork(script));
  await Promise.all(racers.map((racer) => once(racer, 'message')));
  const said = racers.map((racer) => once(racer, 'message'));
  for (const racer of racers) racer.send('go');
  const seen = (await Promise.all(said)).map(([text]) => text);
  expect(new Set(seen)).toEqual(new Set([`${statSync(file).ino}:${statSync(empty).size}`]));
  expect(readdirSync(resolve(file, '..'))).toEqual(['gatehouse.db']);
});
