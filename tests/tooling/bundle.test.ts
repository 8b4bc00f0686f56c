import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { programs } from '#lib/tooling/programs.ts';
import { root } from '#lib/tooling/stamp.mjs';
import { createDatabase, newLogFile } from '../support/database.ts';
import { startServer } from '../support/server.ts';

const chunks = globSync('.next/programs/*/*.mjs', { cwd: root });
const textOf = (file: string) => readFileSync(resolve(root, file), 'utf8');

test('the programs are there, and every thread that they start lies beside them', () => {
  for (const program of Object.values(programs)) expect(chunks).toContain(program);
  const threads = chunks.flatMap((file) =>
    [...textOf(file).matchAll(/new URL\("\.\/([^"]+)"/g)].map(([, name = '']) =>
      resolve(root, dirname(file), name),
    ),
  );
  expect(threads.length).toBeGreaterThanOrEqual(4);
  expect(threads.filter((file) => !existsSync(file))).toEqual([]);
});

test('they say nowhere where they were made', () => {
  const maps = globSync('.next/programs/*/*.map', { cwd: root });
  expect([...chunks, ...maps].filter((file) => textOf(file).includes(root))).toEqual([]);
});

test('an error names our own file, and the line in it', async () => {
  const databaseUrl = await createDatabase('sqlite');
  const file = new Database(databaseUrl.slice('file:'.length));
  file.exec('DROP TABLE signing_keys');
  file.close();
  const start = startServer({ mount: 'direct', databaseUrl, logFile: newLogFile('bundle') });
  await expect(start).rejects.toThrow(/\n *at .*\/lib\/store\/keys\.ts:\d+:\d+/);
});
