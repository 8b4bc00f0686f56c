import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { agreementOf } from '#lib/server/agreement.ts';
import { root } from '#lib/tooling/stamp.mjs';

/** A separate checkout, so that nothing else keeps data beside it. */
let copy: string;
beforeAll(() => {
  copy = mkdtempSync(resolve(tmpdir(), 'gatehouse-data-'));
  for (const name of ['app', 'lib', 'prisma', 'package.json', 'proxy.ts'])
    cpSync(resolve(root, name), resolve(copy, name), { recursive: true });
  for (const name of ['node_modules', '.next', 'public'])
    if (existsSync(resolve(root, name))) symlinkSync(resolve(root, name), resolve(copy, name));
});
afterAll(() => rmSync(copy, { recursive: true }));
beforeEach(() => {
  for (const name of ['data', 'elsewhere'])
    rmSync(`${copy}/${name}`, { recursive: true, force: true });
});

/** Runs a program of the checkout to its end, with only this environment. */
async function run(args: string[], env: Record<string, string> = {}) {
  const { PATH } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: copy,
    env: { PATH, NODE_ENV: 'production', PORT: '0', ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const [code] = await once(child, 'close');
  return { code, text };
}

const list = ['lib/cli.ts', 'user', 'list'];
const secret = { SERVER_SECRET: 'a secret of this file, worth nothing elsewhere' };
const elsewhere = { DATA_DIR: 'elsewhere', ...secret };
/**
 * Starts a server that gets as far as the database, and then finds that its address is not on this
 * machine.
 */
const start = (env: Record<string, string>) =>
  run(['lib/server.ts'], { HOST: '192.0.2.1', ...env });

test('DATA_DIR: without DATABASE_URL the database is in it, for commands and servers', async () => {
  expect(await run(list, elsewhere)).toMatchObject({ code: 0 });
  expect(readdirSync(copy)).not.toContain('data');
  expect(readdirSync(`${copy}/elsewhere`)).toContain('gatehouse.db');
  const made = await run(['lib/cli.ts', 'backup', '--json'], elsewhere);
  expect(JSON.parse(made.text).file).toMatch(/\/elsewhere\/backups\/gatehouse-/);
  expect(agreementOf({ DATA_DIR: 'elsewhere' }, copy).DATABASE_URL).toBe(
    `${copy}/elsewhere/gatehouse.db`,
  );
});

test('DATA_DIR: a start that would leave an existing database behind is refused, and creates nothing', async () => {
  await run(list, secret);
  expect(readdirSync(`${copy}/data`)).toContain('gatehouse.db');
  for (const { code, text } of [
    await start({ DATA_DIR: 'elsewhere' }),
    await run(list, elsewhere),
    await run(['lib/cli.ts', 'doctor'], elsewhere),
  ]) {
    expect(code).not.toBe(0);
    expect(text).toContain(`there is one at ${copy}/data/gatehouse.db: it would be left behind`);
  }
  expect(existsSync(`${copy}/elsewhere`)).toBe(false);
});

test('DATA_DIR: a database that was moved there, or that DATABASE_URL names, is used', async () => {
  await run(list, secret);
  const named = { ...elsewhere, DATABASE_URL: 'file:data/gatehouse.db' };
  expect(await run(list, named)).toMatchObject({ code: 0 });
  expect(existsSync(`${copy}/elsewhere`)).toBe(false);
  renameSync(`${copy}/data`, `${copy}/elsewhere`);
  mkdirSync(`${copy}/data`);
  expect(await run(list, elsewhere)).toMatchObject({ code: 0 });
});

test('DATA_DIR: a start with another secret is refused with the real path of the expected one', async () => {
  await start({ ...elsewhere });
  const { text } = await start({ DATA_DIR: 'elsewhere' });
  expect(text).toContain(`Restore it (${copy}/elsewhere/server-secret, or SERVER_SECRET)`);
});
