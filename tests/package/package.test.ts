// The package as it is distributed: built once, then run where nothing else is.
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gatehouseVersion } from '#lib/config.ts';
import { allRecipes } from '#lib/recipes/list.ts';
import { root } from '#lib/tooling/stamp.mjs';
import { addressOf, type Env, newHome, packed, run, start, stop } from './packed.ts';

const { place, folder, gatehouse } = packed;
beforeAll(() => packed.make(), 600_000);
afterAll(() => packed.leave());

/** The size of all these files, in bytes. */
const sizeOf = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + statSync(resolve(folder, file)).size, 0);

describe('the folder of the package', () => {
  const files = () =>
    globSync('**', { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => resolve(entry.parentPath, entry.name).slice(folder.length + 1));

  test('has at most 260 MB, and nothing that only builds or tests need', () => {
    expect(sizeOf(files())).toBeLessThan(260e6);
    const unwanted =
      /\.tsx?$|(?<!\/programs\/\w+\/[\w.-]+)\.map$|^program\/(tests|docs|dist)\/|prebuilds\/(?!linux-)|node_modules\/(@next\/swc|@prisma\/engines|prisma|typescript|vitest|playwright|tailwindcss|@types)/;
    expect(files().filter((file) => unwanted.test(file))).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(
      [
        '.env.example',
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'gatehouse',
        'gatehouse.service',
        'program',
        'sbom.json',
      ].sort(),
    );
  });

  test('does not contain the path where it was built, and names its commands correctly', () => {
    const texts = files().filter((file) => /\.(js|mjs|cjs|json|html|md)$/.test(file));
    const ours = texts.filter((file) => !/\/node_modules\/|^CHANGELOG/.test(file));
    const having = (of: string[], text: string) =>
      of.filter((file) => readFileSync(resolve(folder, file)).includes(text));
    expect(having(texts, root)).toEqual([]);
    expect(having(ours, 'npm run cli')).toEqual([]);
  });

  test('has an SBOM with each package and its licence, and Node.js', () => {
    const { components } = JSON.parse(readFileSync(resolve(folder, 'sbom.json'), 'utf8')) as {
      components: { name: string; purl: string; licenses?: object[]; hashes?: object[] }[];
    };
    const names = new Set(components.map(({ name }) => name));
    const manifests = globSync('program/node_modules/{*,@*/*}/package.json', { cwd: folder });
    const inside = manifests.map((file) => file.split('/').slice(2, -1).join('/'));
    expect(inside.filter((name) => !names.has(name))).toEqual([]);
    // React is part of the build.
    expect([...names]).toEqual(
      expect.arrayContaining(['next', 'react', `node-linux-${process.arch}`]),
    );
    for (const tool of ['vitest', 'typescript', 'prisma', '@tailwindcss/postcss'])
      expect(names).not.toContain(tool);
    expect(components.filter(({ licenses, hashes }) => !licenses || !hashes)).toEqual([]);
  });
});

/** Separate namespaces: no network except loopback, and the folder is read-only even for root. */
const alone = [
  '--net',
  '--mount',
  'sh',
  '-c',
  'ip link set lo up && mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" "$0" && exec "$@"',
  folder,
];
const canBeAlone = () => spawnSync('unshare', [...alone, 'true']).status === 0;

test.skipIf(!canBeAlone())(
  'the package serves and runs commands without network, npm and Node.js, from a read-only folder',
  {
    timeout: 180_000,
  },
  async () => {
    const { home, env } = newHome();
    const visit = resolve(import.meta.dirname, 'visit.mjs');
    const node = resolve(folder, 'program/node');
    const visitor = start('unshare', [...alone, node, visit, gatehouse], { ...env, PORT: '39017' });
    expect([(await once(visitor.child, 'close'))[0], visitor.printed()]).toEqual([
      0,
      expect.anything(),
    ]);
    const seen = JSON.parse(visitor.printed());
    console.info(
      `ready after ${Math.round(seen.ready)} ms (${seen.cpu.start} of the processor), first page after ${Math.round(seen.firstPage)} ms (${seen.cpu.firstPage})`,
    );
    expect(new Set(Object.values(seen.statuses))).toEqual(new Set([200]));
    expect(JSON.parse(seen.people).users ?? JSON.parse(seen.people)).toHaveLength(1);
    expect(JSON.parse(seen.recipes).recipes).toHaveLength(allRecipes().length);
    expect(seen.version).toBe(gatehouseVersion());
    expect(seen.help).toContain('Usage: gatehouse ');
    expect([seen.code, seen.printed]).toEqual([0, expect.not.stringMatching(/EROFS|EACCES|npm/)]);
    expect(seen.doctor.code).toBeLessThan(2);
    expect(readdirSync(resolve(home, '.local/share/gatehouse/data'))).toEqual(
      expect.arrayContaining(['gatehouse.db', 'server-secret']),
    );
  },
);

test('the package starts correctly after its first start was killed at any moment', {
  timeout: 240_000,
}, async () => {
  const { home, env } = newHome();
  const data = resolve(home, 'data');
  mkdirSync(data);
  const settings = { ...env, SETTINGS_DIR: home };
  // Each round ends one step later: after the secret, the database, its log.
  for (let files = 1; files <= 4; files++) {
    const server = start(gatehouse, ['start'], settings);
    const names = new Set<string | null>();
    const watcher = watch(data, (_, name) => {
      names.add(name);
      if (names.size >= files) server.child.kill('SIGKILL');
    });
    const [, signal] = await Promise.race([
      once(server.child, 'close'),
      addressOf(server).then(() => [0, 'ready']),
    ]);
    watcher.close();
    server.child.kill('SIGKILL');
    expect(['SIGKILL', 'ready']).toContain(signal);
  }
  const server = start(gatehouse, ['start'], settings);
  expect((await fetch(`${await addressOf(server)}/readyz`)).status).toBe(200);
  expect(await stop(server)).toBe(0);
});

test('the stack trace of an error in the package names our source file and line', async () => {
  const { home, env } = newHome();
  const settings = { ...env, SETTINGS_DIR: home };
  const server = start(gatehouse, ['start'], settings);
  await addressOf(server);
  await stop(server);
  const database = new Database(resolve(home, 'data/gatehouse.db'));
  database.exec('DROP TABLE signing_keys');
  database.close();
  const broken = start(gatehouse, ['start'], settings);
  expect((await once(broken.child, 'close'))[0]).toBe(1);
  expect(broken.printed()).toMatch(/\n {4}at .*[( ]lib\/store\/keys\.ts:\d+:\d+/);
});

describe('settings of the package', () => {
  const ending = (env: Env, args = ['start']) => run(gatehouse, args, env);

  test('are read from .env in SETTINGS_DIR, and a wrong one is named', async () => {
    const { home, env } = newHome();
    const settings = resolve(home, 'settings');
    mkdirSync(settings);
    writeFileSync(resolve(settings, '.env'), 'PORT=many\n');
    const { PORT: _, ...rest } = env;
    expect(await ending({ ...rest, SETTINGS_DIR: settings })).toEqual([
      78,
      expect.stringMatching(/^Gatehouse cannot start: PORT is ".*", and has to be a whole number/),
    ]);
    writeFileSync(resolve(settings, '.env'), 'REQUIRE_PKSE=on\n');
    expect(await ending({ ...env, SETTINGS_DIR: settings })).toEqual([
      78,
      expect.stringContaining('Did you mean REQUIRE_PKCE?'),
    ]);
  });

  test('with relative paths are relative to the folder of .env', async () => {
    const { home, env } = newHome();
    writeFileSync(resolve(home, '.env'), 'DATA_DIR=kept\nDATABASE_URL=file:kept/own.db\n');
    const [code] = await ending({ ...env, SETTINGS_DIR: home }, ['user', 'list']);
    expect([code, readdirSync(resolve(home, 'kept')).sort()]).toEqual([
      0,
      expect.arrayContaining(['own.db', 'server-secret']),
    ]);
  });

  test('with a DATA_DIR that cannot be created end the start with a sentence', async () => {
    const { env } = newHome();
    expect(await ending({ ...env, DATA_DIR: '/proc/nowhere' })).toEqual([
      1,
      expect.stringMatching(/^Gatehouse cannot start: .*cannot be written/),
    ]);
  });

  test('need SETTINGS_DIR if there is no home folder', async () => {
    const { PATH } = newHome().env;
    expect(await ending({ PATH })).toEqual([
      78,
      'gatehouse: Set SETTINGS_DIR to the folder for settings and data.\n',
    ]);
  });
});

test.skipIf(process.getuid?.() !== 0)(
  'two users of one machine have servers of their own, and cannot read each other’s data',
  {
    timeout: 120_000,
  },
  async () => {
    const users = [21_001, 21_002].map((id) => ({ uid: id, gid: id }));
    const servers = users.map((user) => {
      const { home, env } = newHome();
      chownSync(home, user.uid, user.gid);
      return { user, home, server: start(gatehouse, ['start'], env, user) };
    });
    const addresses = await Promise.all(servers.map(({ server }) => addressOf(server)));
    expect(new Set(addresses).size).toBe(2);
    const kept = servers.map(({ home }) => resolve(home, '.local/share/gatehouse/data'));
    const secrets = kept.map((data) => readFileSync(resolve(data, 'server-secret'), 'utf8'));
    expect(secrets[0]).not.toBe(secrets[1]);
    for (const data of kept)
      for (const name of ['.', ...readdirSync(data)])
        expect([name, statSync(resolve(data, name)).mode & 0o077]).toEqual([name, 0]);
    for (const { server } of servers) expect(await stop(server)).toBe(0);
  },
);

test('reload of the package replaces the workers by another version with its Node.js; the old folder can be deleted', {
  timeout: 240_000,
}, async () => {
  const { home, env } = newHome();
  const settings = { ...env, SETTINGS_DIR: home, WORKERS: '2', PORT: '39018' };
  const [before, after, current] = ['before', 'after', 'current'].map((name) =>
    resolve(place, name),
  );
  for (const version of [before, after]) execFileSync('cp', ['-Rl', folder, version as string]);
  symlinkSync(before as string, current as string);
  const command = resolve(place, 'command');
  symlinkSync(resolve(current as string, 'gatehouse'), command);
  const server = start(command, ['start'], settings);
  await addressOf(server);
  const workers = () => {
    const task = `/proc/${server.child.pid}/task/${server.child.pid}/children`;
    return readFileSync(task, 'utf8')
      .trim()
      .split(/\s+/)
      .filter((pid) => existsSync(`/proc/${pid}/exe`));
  };
  const nodes = () => new Set(workers().map((pid) => readlinkSync(`/proc/${pid}/exe`)));
  await expect.poll(() => workers().length, { timeout: 60_000 }).toBe(2);
  await expect
    .poll(() => existsSync(resolve(home, 'data/gatehouse.pid')), { timeout: 60_000 })
    .toBe(true);
  expect(nodes()).toEqual(new Set([resolve(before as string, 'program/node')]));
  symlinkSync(after as string, `${current}-next`);
  renameSync(`${current}-next`, current as string);
  rmSync(before as string, { recursive: true });
  execFileSync(command, ['reload'], { env: settings as unknown as NodeJS.ProcessEnv });
  await expect
    .poll(() => server.printed(), { timeout: 120_000 })
    .toContain('the new workers have taken over');
  await expect
    .poll(nodes, { timeout: 30_000 })
    .toEqual(new Set([resolve(after as string, 'program/node')]));
  expect((await fetch('http://localhost:39018/login')).status).toBe(200);
  expect(await stop(server)).toBe(0);
});
