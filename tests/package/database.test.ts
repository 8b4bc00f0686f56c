// The package where its databases come from, go to and were before: read-only for the user that
// runs it, on both databases.
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { relative, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '#lib/tooling/stamp.mjs';
import { createEmptyDatabase } from '../support/database.ts';
import { leftDatabases } from '../support/restored.ts';
import { addressOf, type Env, newHome, packed, run, start, stop, type User } from './packed.ts';

const { place, folder, gatehouse } = packed;
beforeAll(() => packed.make(), 600_000);
afterAll(() => packed.leave());

/** Nobody who owns the package: it can be read, and not written. */
const user: User | undefined = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
const asked = resolve(place, 'not-there.txt');
beforeAll(() => {
  writeFileSync(asked, '');
  own(asked);
});

function own(path: string): void {
  if (user) chownSync(path, user.uid, user.gid);
}

/** A server of that user: its home, its settings, and its commands, which have to succeed. */
function newServer(env: Env = {}) {
  const { home, env: usual } = newHome();
  own(home);
  const preload = `--import ${resolve(import.meta.dirname, 'opened.mjs')}`;
  const settings: Env = {
    ...usual,
    SETTINGS_DIR: home,
    NODE_OPTIONS: preload,
    OPENED_FILE: asked,
    ...env,
  };
  const command = async (...args: string[]) => {
    const [code, printed] = await run(gatehouse, args, settings, user);
    expect([args[0], code, printed]).toEqual([args[0], 0, printed]);
    return printed;
  };
  /** Starts, asks for pages, has the doctor look, and stops. Returns what was printed. */
  const serve = async (): Promise<string> => {
    const server = start(gatehouse, ['start'], settings, user);
    const address = await addressOf(server);
    const pages = ['/login', '/docs', '/readyz', '/oauth/jwks', '/oauth/authorize', '/nowhere'];
    const answers = await Promise.all(pages.map((page) => fetch(address + page)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400, 404]);
    const [code, said] = await run(gatehouse, ['doctor'], { ...settings, ISSUER: address }, user);
    expect([code, said]).toEqual([expect.toSatisfy((one) => one < 2), said]);
    expect(await stop(server)).toBe(0);
    return server.printed();
  };
  const people = async () => (await command('user', 'list')).match(/\w+@example\.\w+/g)?.sort();
  const create = (name: string) =>
    command(
      'user',
      'create',
      '--username',
      name,
      '--email',
      `${name}@example.org`,
      '--password',
      'correct horse battery',
    );
  return { home, settings, command, serve, people, create };
}

const minutes = { timeout: 300_000 };

test(
  'the package makes the tables of an empty PostgreSQL and serves from it',
  minutes,
  async () => {
    const server = newServer({ DATABASE_URL: await createEmptyDatabase('postgresql') });
    expect(await server.serve()).toContain('is ready');
    await server.create('ada');
    expect(await server.people()).toEqual(['ada@example.org']);
  },
);

test('the package brings the SQLite database of the last release up to date', minutes, async () => {
  const last = resolve(leftDatabases, readdirSync(leftDatabases).sort().at(-1) ?? '');
  const server = newServer({ SERVER_SECRET: 'a secret of the tests, worth nothing elsewhere' });
  mkdirSync(resolve(server.home, 'data'));
  const file = resolve(server.home, 'data/gatehouse.db');
  writeFileSync(file, gunzipSync(readFileSync(resolve(last, 'sqlite.db.gz'))));
  for (const path of [file, resolve(server.home, 'data')]) own(path);
  await server.serve();
  expect(await server.people()).toContain('ada@example.org');
});

test('the package restores a backup into nothing, on both databases', minutes, async () => {
  const old = newServer();
  await old.create('ada');
  const backup = resolve(old.home, 'all.backup');
  const passphrase = ['--passphrase', 'correct horse battery'];
  await old.command('backup', backup, ...passphrase);
  for (const DATABASE_URL of ['', await createEmptyDatabase('postgresql')]) {
    const fresh = newServer({ DATABASE_URL });
    const secret = resolve(fresh.home, 'data/server-secret');
    await fresh.command('restore', backup, ...passphrase, '--secret-to', secret);
    await fresh.command('restore', backup, ...passphrase);
    await fresh.serve();
    expect(await fresh.people()).toEqual(['ada@example.org']);
  }
});

test('the package moves from SQLite to PostgreSQL and back', minutes, async () => {
  const server = newServer();
  await server.create('ada');
  const there = await createEmptyDatabase('postgresql');
  const back = `file:${resolve(server.home, 'back.db')}`;
  await server.command('move', '--to', there);
  server.settings.DATABASE_URL = there;
  expect(await server.people()).toEqual(['ada@example.org']);
  await server.command('move', '--to', back);
  server.settings.DATABASE_URL = back;
  await server.serve();
  expect(await server.people()).toEqual(['ada@example.org']);
});

test('what the program asked for in the tests above and did not find is not in the checkout either', () => {
  const program = resolve(folder, 'program');
  const paths = new Set(readFileSync(asked, 'utf8').split('\n'));
  const missing = [...paths]
    .map((path) => relative(program, resolve(program, path)))
    .filter((path) => path !== '' && !path.startsWith('..'))
    .filter((path) => existsSync(resolve(root, path)));
  expect(missing).toEqual([]);
});
