import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { programs } from '#lib/tooling/programs.ts';
import { root } from '#lib/tooling/stamp.mjs';
import { createDatabase, newLogFile } from '../support/database.ts';
import { startServer } from '../support/server.ts';

const chunks = globSync('.next/programs/*/*.mjs', { cwd: root });
const textOf = (file: string) => readFileSync(resolve(root, file), 'utf8');

test('the bundled programs exist, with every worker thread that they start', () => {
  for (const program of Object.values(programs)) expect(chunks).toContain(program);
  const threads = chunks.flatMap((file) =>
    [...textOf(file).matchAll(/new URL\("\.\/([^"]+)"/g)].map(([, name = '']) =>
      resolve(root, dirname(file), name),
    ),
  );
  expect(threads.length).toBeGreaterThanOrEqual(4);
  expect(threads.filter((file) => !existsSync(file))).toEqual([]);
});

test('the bundled programs do not contain the path where they were built', () => {
  const maps = globSync('.next/programs/*/*.map', { cwd: root });
  expect([...chunks, ...maps].filter((file) => textOf(file).includes(root))).toEqual([]);
});

const dropTable = (databaseUrl: string, name: string) => {
  const file = new Database(databaseUrl.slice('file:'.length));
  file.pragma('foreign_keys = off');
  file.exec(`DROP TABLE ${name}`);
  file.close();
};

test('the stack trace of an error at the start names our source file and line', async () => {
  const databaseUrl = await createDatabase('sqlite');
  dropTable(databaseUrl, 'signing_keys');
  const start = startServer({ mount: 'direct', databaseUrl, logFile: newLogFile('bundle') });
  await expect(start).rejects.toThrow(/\n {4}at .*[( ]lib\/store\/keys\.ts:\d+:\d+/);
});

test('the stack trace of an error in a request or a page names our source file and line', async () => {
  const databaseUrl = await createDatabase('sqlite');
  const logFile = newLogFile('bundle');
  const server = await startServer({ mount: 'direct', databaseUrl, logFile });
  onTestFinished(server.stop);
  const statusOf = async (path: string) => (await fetch(server.origin + path)).status;
  expect(await statusOf('/login')).toBe(200);
  dropTable(databaseUrl, 'scopes');
  dropTable(databaseUrl, 'users');
  expect(await statusOf('/.well-known/openid-configuration')).toBe(500);
  expect(await statusOf('/login')).toBe(500);
  await vi.waitFor(() => {
    expect(readFileSync(logFile, 'utf8')).toMatch(/\\n {4}at \S+ \(lib\/store\/scopes\.ts:\d+:/);
    expect(readFileSync(logFile, 'utf8')).toMatch(/\n {4}at \S+ \(app\/login\/\S+\.tsx?:\d+:/);
  });
});
