import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programs } from '#lib/tooling/programs.ts';
import { ask } from '../lab/soak/traffic.ts';
import { saidBy, untilSaid } from '../lab/soak/workers.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { type Server, startServer } from '../support/server.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-renewal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const keptOld = 'a new worker did not start, for the reason above; the old ones go on';

/** A folder with the program and this `.env`; with null, a `.env` that cannot be read. */
function programWith(name: string, env: string | null): string {
  const place = resolve(folder, name);
  mkdirSync(place);
  symlinkSync(resolve(root, '.next'), resolve(place, '.next'));
  if (env === null) mkdirSync(resolve(place, '.env'));
  else writeFileSync(resolve(place, '.env'), env);
  return place;
}

/** A version whose pages cannot be loaded, although there is a build. */
function brokenBuild(env = ''): string {
  const place = mkdtempSync(resolve(folder, 'broken-'));
  for (const copied of ['app', 'proxy.ts', 'package.json', 'next.config.js'])
    cpSync(resolve(root, copied), resolve(place, copied), { recursive: true });
  for (const linked of ['node_modules', 'prisma', 'public', 'docs'])
    symlinkSync(resolve(root, linked), resolve(place, linked));
  cpSync(resolve(root, '.next/programs'), resolve(place, '.next/programs'), { recursive: true });
  writeFileSync(resolve(place, '.next/BUILD_ID'), 'broken');
  writeFileSync(resolve(place, '.env'), env);
  return place;
}

describe('SIGHUP with WORKERS=2', () => {
  let server: Server;
  const link = resolve(folder, 'current');
  const turn = (to: string) => {
    symlinkSync(to, `${link}-next`);
    renameSync(`${link}-next`, link);
  };
  const ready = () => saidBy(server).filter(({ msg }) => msg === 'worker ready').length;
  const notes = () => saidBy(server).map(({ msg }) => String(msg));

  beforeAll(async () => {
    turn(root);
    server = await startServer({
      mount: 'direct',
      databaseUrl: await createDatabase('sqlite'),
      logFile: newLogFile('renewal'),
      env: { WORKERS: '2', DATA_DIR: folder, SETTINGS_DIR: '' },
      program: resolve(link, programs.server),
    });
    await untilSaid(server, 'worker ready', 2);
  });
  afterAll(() => server.stop());

  /** A second signal within a second counts as the same one. */
  let mayHearAgain = 0;

  const renewWith = async (place: string, says: string | RegExp) => {
    const before = notes().length;
    turn(place);
    await pause(Math.max(0, mayHearAgain - performance.now()));
    server.process.kill('SIGHUP');
    mayHearAgain = performance.now() + 1200;
    const said = () =>
      notes()
        .slice(before)
        .filter((one) => (typeof says === 'string' ? one === says : says.test(one)));
    await expect
      .poll(() => [server.process.exitCode, said().length], { timeout: 25_000 })
      .toEqual([null, 1]);
    expect(ready()).toBe(2);
    expect((await ask(server.port, '/readyz', false)).status).toBe(200);
    return said();
  };

  test('an .env that cannot be read leaves the old workers running', async () => {
    await renewWith(
      programWith('unreadable', null),
      /^no worker was replaced, the old ones go on: .*\.env cannot be read by \S+ \(EISDIR\)\. Give/,
    );
  });

  test('an .env with another ISSUER is refused, without logging the value', async () => {
    const [said] = await renewWith(
      programWith('elsewhere', 'ISSUER=https://hush.example'),
      /^no worker was replaced, the old ones go on: ISSUER changed/,
    );
    expect(said).not.toContain('hush');
  });

  test('an .env with a misspelt name leaves the old workers running', async () => {
    await renewWith(
      programWith('misspelt', 'REQUIRE_PKSE=on'),
      /^no worker was replaced, the old ones go on: .*Did you mean REQUIRE_PKCE\?$/,
    );
  });

  test('a version whose pages cannot be loaded does not replace the workers or apply its CONFIG_FILE', {
    timeout: 120_000,
  }, async () => {
    const file = resolve(folder, 'gatehouse.yaml');
    writeFileSync(file, 'groups:\n  never: {description: Never applied}\n');
    await renewWith(brokenBuild(`CONFIG_FILE=${file}`), keptOld);
    expect(notes().filter((one) => one.startsWith('configuration file'))).toEqual([]);
  });
});

test('/readyz of a single process reports that its pages cannot be loaded, once that is known', async () => {
  const server = await startServer({
    mount: 'direct',
    databaseUrl: await createDatabase('sqlite'),
    logFile: newLogFile('no-pages'),
    env: { SETTINGS_DIR: '' },
    program: resolve(brokenBuild(), programs.server),
  });
  expect((await ask(server.port, '/readyz', false)).status).toBe(200);
  // The server asks Next.js for an address that is not one of our own pages.
  expect((await ask(server.port, '/login', false)).status).toBe(500);
  const { status, body } = await ask(server.port, '/readyz', false);
  expect([status, JSON.parse(body)]).toEqual([
    503,
    { status: 'unavailable', reason: 'The pages cannot be loaded.' },
  ]);
  await server.stop();
});
