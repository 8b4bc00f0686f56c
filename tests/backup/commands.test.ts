import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encryptInto } from '#lib/backup/envelope.ts';
import { refuseInUse } from '#lib/backup/in-use.ts';
import { onSide } from '#lib/backup/open-side.ts';
import { databases } from '#lib/tooling/schema.ts';
import { cli, failure, folder, json } from '../cli/command-line.ts';
import { createDatabase, createEmptyDatabase, newFolder, newLogFile } from '../support/database.ts';
import { isOneProcess, startServer } from '../support/server.ts';
import { workOn } from '../support/work-on.ts';
import { fill } from './filled.ts';

const count = (databaseUrl: string, sql: string) =>
  onSide(databaseUrl, 'read', (side) => side.number(sql));
const users = 'SELECT count(*) FROM users';

/** Makes all rows of a table expire tomorrow. */
const keepGood = (databaseUrl: string, table: string) =>
  onSide(databaseUrl, 'replace', async (side) => {
    const at = new Date(Date.now() + 86_400_000);
    const sql = side.kind === 'sqlite' ? at.getTime() : `'${at.toISOString()}'`;
    await side.run(`UPDATE ${table} SET expires_at = ${sql}`);
    await side.commit();
  });

describe.each(databases)('backup commands on %s', (kind) => {
  test('backup, restore and move report what they did', async () => {
    const from = await createDatabase(kind);
    await fill(from, 3);
    await keepGood(from, 'api_keys');
    workOn(from);
    const file = `${folder}/one-${kind}.backup`;
    // As in docs/postgresql.md and docs/backup.md. A bare file name is in the folder where the
    // command is run.
    const made = await json(['backup', `one-${kind}.backup`]);
    expect(made).toMatchObject({ file, passphrase: false });
    expect(statSync(file)).toMatchObject({ size: made.bytes });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await failure(['backup', file])).toContain('exists already');
    expect(await failure(['restore', file])).toContain('it has 3 users and 3 apps');
    expect(await json(['restore', `one-${kind}.backup`, '--dry-run', '--replace'])).toMatchObject({
      dry_run: true,
      replaced: { users: 3, clients: 3 },
      rows: made.rows,
    });
    workOn(await createEmptyDatabase('postgresql'));
    const bare = process.env.DATABASE_URL ?? '';
    expect(await json(['restore', file, '--dry-run'])).toMatchObject({
      replaced: { users: 0, clients: 0 },
      rows: made.rows,
    });
    const tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    expect(await count(bare, tables)).toBe(0);
    workOn(from);
    const { stdout } = await cli(['restore', file, '--replace', '--end-sign-ins']);
    expect(stdout).toContain('Restored, and compared row by row.');
    expect(stdout).toContain('No session, no sign-in of an app and no app password is alive.');
    expect(stdout).toContain('3 API keys (api-key list) and 0 registration tokens');
    const to = await createEmptyDatabase(kind === 'sqlite' ? 'postgresql' : 'sqlite');
    expect(await json(['move', '--to', to])).toMatchObject({
      // Without sessions and devices.
      rows: Number(made.rows) - 6,
    });
    expect(await count(to, users)).toBe(3);
  });

  test('backup refuses a database of an older version or without tables, and does not change it', async () => {
    const older = await createDatabase(kind);
    const last = 'migration_name = (SELECT max(migration_name) FROM _prisma_migrations)';
    await onSide(older, 'replace', async (side) => {
      await side.run(`DELETE FROM _prisma_migrations WHERE ${last}`);
      await side.commit();
    });
    const applied = () => count(older, 'SELECT count(*) FROM _prisma_migrations');
    const before = await applied();
    const file = `${folder}/not-made-${kind}.backup`;
    workOn(older);
    expect(await failure(['backup', file])).toContain(
      'Make the backup with the version that serves',
    );
    expect(await applied()).toBe(before);
    workOn(await createEmptyDatabase(kind));
    expect(await failure(['backup', file])).toMatch(/no tables yet|There is no database at \//);
    expect(await failure(['backup', file])).toMatch(/no tables yet|There is no database at \//);
    expect(existsSync(file)).toBe(false);
  });

  test('restore into a database without tables accepts an older backup, and migrates it', async () => {
    const file = `${folder}/older-${kind}.backup`;
    workOn(await createDatabase('sqlite'));
    await encryptInto(linesOfOlder(), createWriteStream(file), null);
    expect(await failure(['restore', file])).toContain('Restore it into an empty database');
    const to = await createEmptyDatabase(kind);
    workOn(to);
    await json(['restore', file, '--end-sign-ins']);
    expect(await count(to, "SELECT count(*) FROM settings WHERE value = 'kept'")).toBe(1);
    expect(await count(to, 'SELECT count(*) FROM user_groups')).toBe(0);
  });
});

/** A backup from before groups existed. */
async function* linesOfOlder() {
  const about = {
    gatehouse: 'backup',
    format: 1,
    version: '0.0.9',
    database: 'sqlite',
    migration: '20261121213951_scope_translations',
    at: '2026-11-21T00:00:00Z',
    issuer: 'http://localhost:3000',
    secretId: (await import('#lib/sealed/seal.ts')).secretId(process.env.SERVER_SECRET ?? ''),
  };
  const line = '["kept","kept",1767225600000]';
  const { createHash } = await import('node:crypto');
  const sha256 = createHash('sha256').update(`${line}\n`).digest('hex');
  const table = {
    table: 'settings',
    columns: { name: 'text', value: 'text', updated_at: 'moment' },
    key: ['name'],
  };
  const end = { end: true, tables: { settings: { rows: 1, sha256 } } };
  for (const part of [about, table]) yield `${JSON.stringify(part)}\n`;
  yield `${line}\n${JSON.stringify(end)}\n`;
}

test('backup and restore read a passphrase from standard input, and --secret-to writes the server secret', async () => {
  workOn(await createDatabase('sqlite'));
  const file = `${folder}/passphrase.backup`;
  expect(await failure(['backup', file, '--passphrase', 'short'])).toContain('at least 10');
  await json(['backup', file, '--passphrase', '-'], 'correct horse battery\n');
  expect(await failure(['restore', file, '--replace'])).toContain('made with a passphrase');
  const secret = `${folder}/secret`;
  await json(
    ['restore', file, '--passphrase', '-', '--secret-to', secret],
    'correct horse battery\n',
  );
  expect(readFileSync(secret, 'utf8').trim()).toBe(process.env.SERVER_SECRET);
  expect(await failure(['restore', `${folder}/nothing`])).toContain('cannot be read (ENOENT)');
  expect(existsSync(`${folder}/nothing`)).toBe(false);
});

test('restore on a new machine writes the server secret first with --secret-to, and then restores the rest', async () => {
  workOn(await createDatabase('sqlite'));
  const [file, passphrase] = [`${folder}/moves.backup`, 'correct horse battery\n'];
  await json(['backup', file, '--passphrase', '-'], passphrase);
  // This folder does not exist yet.
  const data = `${newFolder('new-machine')}/data`;
  const { SERVER_SECRET, DATABASE_URL: _, ...others } = process.env;
  const env = { ...others, DATA_DIR: data, NODE_ENV: 'production' } as const;
  const restore = ['restore', file, '--passphrase', '-'];
  const written = await cli([...restore, '--secret-to', `${data}/server-secret`], passphrase, env);
  expect([written.code, written.stderr]).toEqual([0, '']);
  expect(readFileSync(`${data}/server-secret`, 'utf8').trim()).toBe(SERVER_SECRET);
  const again = await cli([...restore, '--secret-to', `${data}/server-secret`], passphrase, env);
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringContaining('is there already. If a server that holds nothing yet made it'),
  ]);
  const { code, stdout } = await cli(restore, passphrase, env);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('Restored, and compared row by row.'),
  ]);
});

describe.each(databases)('backup commands beside a server on %s', (kind) => {
  test('restore and move are refused until the server has stopped, is forgotten, or with --beside-server', async () => {
    const databaseUrl = await createDatabase(kind);
    workOn(databaseUrl);
    const file = `${folder}/beside-${kind}.backup`;
    await json(['backup', file]);
    const to = await createEmptyDatabase('sqlite');
    const started = { mount: 'direct', databaseUrl, logFile: newLogFile('beside') } as const;
    const server = await startServer(started);
    const { pid } = server.process;
    const sentence = `A server runs on this database: process ${isOneProcess ? pid : ''}`;
    expect(await failure(['restore', file, '--replace'])).toContain(sentence);
    expect(await failure(['move', '--to', to])).toContain('--beside-server. What people do');
    await json(['restore', file, '--replace', '--dry-run']);
    await json(['restore', file, '--replace', '--beside-server']);
    await json(['move', '--to', to, '--beside-server']);
    await server.stop();
    await json(['restore', file, '--replace']);

    const killed = await startServer(started);
    killed.process.kill('SIGKILL');
    await once(killed.process, 'exit');
    expect(await failure(['move', '--to', to, '--replace'])).toContain('forgotten within a minute');
    const soon = new Date(Date.now() + 60_000);
    await expect(refuseInUse(databaseUrl, '', soon)).resolves.toBeUndefined();
  });

  test('move is refused while a server runs on the target', async () => {
    workOn(await createDatabase(kind));
    const to = await createDatabase(kind);
    const logFile = newLogFile('beside');
    const server = await startServer({ mount: 'direct', databaseUrl: to, logFile });
    expect(await failure(['move', '--to', to])).toContain('A server runs on this database');
    await server.stop();
    await json(['move', '--to', to, '--replace']);
  });
});

describe('a command that refuses or fails leaves nothing that it made', () => {
  /** The environment of a command whose data is in a folder that is not there, and that folder. */
  function nowhere() {
    const place = newFolder('nowhere');
    const { DATABASE_URL: _, ...others } = process.env;
    return {
      place,
      env: { ...others, DATA_DIR: `${place}/deep/data`, NODE_ENV: 'production' as const },
    };
  }

  test('restore of a damaged backup, of another secret, or as a rehearsal', async () => {
    workOn(await createDatabase('sqlite'));
    const file = `${folder}/whole.backup`;
    await json(['backup', file]);
    const damaged = `${folder}/damaged.backup`;
    writeFileSync(damaged, readFileSync(file).subarray(0, -40));
    const { place, env } = nowhere();
    const other = { ...env, SERVER_SECRET: 'another secret of this length, for a test' };
    for (const [args, given] of [
      [[damaged], env],
      [[file], other],
      [[file, '--dry-run'], env],
    ] as const) {
      await cli(['restore', ...args], '', given);
      expect([args, readdirSync(place)]).toEqual([args, []]);
    }
    const none = { ...env, SERVER_SECRET: '' };
    const { stderr } = await cli(['restore', file], '', none);
    expect([stderr, readdirSync(place)]).toEqual([expect.stringContaining('no secret yet'), []]);
    expect((await cli(['restore', file], '', env)).code).toBe(0);
    expect(readdirSync(`${place}/deep/data`)).toEqual(['gatehouse.db']);
  });

  test('restore of a damaged backup, or of another secret, into a PostgreSQL database without tables', async () => {
    workOn(await createDatabase('sqlite'));
    const file = `${folder}/for-bare.backup`;
    await json(['backup', file]);
    const damaged = `${folder}/damaged-for-bare.backup`;
    writeFileSync(damaged, readFileSync(file).subarray(0, -40));
    const bare = await createEmptyDatabase('postgresql');
    workOn(bare);
    const tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    const SERVER_SECRET = 'another secret of this length, for a test';
    for (const [name, env] of [
      [damaged, process.env],
      [file, { ...process.env, SERVER_SECRET }],
    ] as const) {
      expect((await cli(['restore', name], '', env)).code).toBe(1);
      expect([name, await count(bare, tables)]).toEqual([name, 0]);
    }
    await json(['restore', file]);
    expect(await count(bare, tables)).toBeGreaterThan(0);
  });

  test('move to a new file beside a server, or from a database that cannot be moved', async () => {
    const databaseUrl = await createDatabase('sqlite');
    workOn(databaseUrl);
    const to = `${newFolder('moved')}/new/gatehouse.db`;
    const server = await startServer({ mount: 'direct', databaseUrl, logFile: newLogFile('move') });
    expect(await failure(['move', '--to', `file:${to}`])).toContain('A server runs on this');
    await server.stop();
    expect(existsSync(dirname(to))).toBe(false);
    await onSide(databaseUrl, 'replace', async (side) => {
      await side.run('DROP TABLE token_keys');
      await side.commit();
    });
    await failure(['move', '--to', `file:${to}`]);
    expect(existsSync(dirname(to))).toBe(false);
  });
});

test('restore of a file that opens and is no backup says so in one line', async () => {
  workOn(await createDatabase('sqlite'));
  const file = `${folder}/opens.backup`;
  async function* text() {
    for (let i = 0; i < 100; i++) yield `{"no":"backup"}${' '.repeat(2 ** 16)}\n`;
  }
  await encryptInto(text(), createWriteStream(file), null);
  const command = ['lib/cli.ts', 'restore', file, '--replace'];
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^[^\n]+\n$/)]);
});

test('restore of a backup with one line of gigabytes is refused in bounded memory', async () => {
  workOn(await createDatabase('sqlite'));
  const file = `${folder}/hostile.backup`;
  const million = ' '.repeat(2 ** 20);
  async function* oneLine() {
    for (let megabytes = 0; megabytes < 1024; megabytes += 1) yield million;
  }
  await encryptInto(oneLine(), createWriteStream(file), null);
  expect(statSync(file).size).toBeLessThan(2 * 2 ** 20);
  const env = { ...process.env, NODE_OPTIONS: '--max-old-space-size=128' };
  const command = ['lib/cli.ts', 'restore', file, '--replace'];
  const { status, stderr } = spawnSync(process.execPath, command, { env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, 'This backup is damaged. Use another one.\n']);
});
