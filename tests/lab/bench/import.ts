import { spawn } from 'node:child_process';
import { pbkdf2Sync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { closeStore } from '#lib/store/engine/database.ts';
import { databases } from '#lib/tooling/schema.ts';
import { realmOf, webApp } from '../../import/realm.ts';
import { createDatabase, newLogFile } from '../../support/database.ts';
import setUp from '../../support/global-setup.ts';
import type { TestServer } from '../../support/open-server.ts';
import { Person } from '../../support/person.ts';
import { newUser } from '../../support/seed.ts';
import { startServer } from '../../support/server.ts';
import { sharedEnv } from '../../support/shared-env.ts';

/*
 * How long it takes to import a realm while people sign in: the plan, the import, and the import
 * once more, each with the slowest sign-in meanwhile. Run with: npm run bench:import -- [PEOPLE]
 * [sqlite|postgresql]
 */
const count = Number(process.argv[2] ?? 20_000);
const folder = mkdtempSync(join(tmpdir(), 'import-'));
const file = join(folder, 'realm.json');
writeFileSync(file, realmText());
const leave = await setUp();

for (const kind of databases.filter((each) => each === (process.argv[3] ?? each))) {
  const databaseUrl = await createDatabase(kind);
  const env = { LOG_LEVEL: 'error' };
  const logFile = newLogFile('import');
  const server = await startServer({ mount: 'direct', databaseUrl, logFile, env });
  const settings = { ...sharedEnv, DATABASE_URL: databaseUrl, ISSUER: server.origin };
  Object.assign(process.env, settings, { LOG_LEVEL: 'silent' });
  const gatehouse = {
    base: `http://127.0.0.1:${server.port}`,
    issuer: server.origin,
  } as TestServer;
  const { username } = await newUser();
  const idle = await slowest(gatehouse, username, new Promise((done) => setTimeout(done, 5000)));
  console.log(`${kind}: sign-ins beside nothing: ${idle}`);
  for (const [name, how] of [
    ['plan', '--dry-run'],
    ['import', '--yes'],
    ['again', '--yes'],
  ] as const) {
    const start = Date.now();
    const told = await slowest(gatehouse, username, run(how, settings));
    console.log(`${kind}: ${name} ${(Date.now() - start) / 1000} s; sign-ins meanwhile: ${told}`);
  }
  await closeStore();
  await server.stop();
}
await leave();
rmSync(folder, { recursive: true });

function realmText(): string {
  const salt = Buffer.from('sixteen bytes ok').toString('base64');
  const value = pbkdf2Sync('x', 'y', 1, 64, 'sha512').toString('base64');
  const credentials = [
    {
      type: 'password',
      secretData: JSON.stringify({ value, salt }),
      credentialData: JSON.stringify({ hashIterations: 210_000, algorithm: 'pbkdf2-sha512' }),
    },
  ];
  const users = Array.from({ length: count }, (_, at) => ({
    id: `${String(at).padStart(8, '0')}-43c6-4d2b-9d3a-8f1e2c3b4a5d`,
    username: `person${at}`,
    email: `person${at}@example.org`,
    emailVerified: true,
    enabled: true,
    firstName: 'Ada',
    lastName: `Lovelace ${at}`,
    credentials,
    groups: ['/staff', ...(at % 7 === 0 ? ['/staff/board'] : [])],
  }));
  const clients = Array.from({ length: 20 }, (_, at) => webApp(`app-${at}`));
  const groups = [{ name: 'staff', subGroups: [{ name: 'board' }] }];
  return realmOf(clients, { users, groups });
}

/** Runs the command as an operator would, beside a running server. */
function run(how: string, settings: Record<string, string>): Promise<void> {
  const args = ['lib/cli.ts', 'import', file, '--from', 'keycloak', '--json', how];
  const child = spawn(process.execPath, args, {
    cwd: resolve(import.meta.dirname, '../../..'),
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((done) => child.once('exit', () => done()));
}

/**
 * Signs in again and again until the work is done. Returns how many sign-ins there were, and the
 * slowest.
 */
async function slowest(
  server: TestServer,
  username: string,
  work: Promise<unknown>,
): Promise<string> {
  let goesOn = true;
  void work.finally(() => {
    goesOn = false;
  });
  const times: number[] = [];
  let failed = 0;
  while (goesOn) {
    const start = performance.now();
    await new Person(server, username).signIn().catch(() => {
      failed += 1;
    });
    times.push(performance.now() - start);
  }
  await work;
  const sorted = times.toSorted((one, other) => one - other);
  const [median = 0, most = 0] = [sorted[sorted.length >> 1], sorted.at(-1)];
  return `${times.length}, ${failed} failed, median ${median.toFixed(0)} ms, slowest ${most.toFixed(0)} ms`;
}
