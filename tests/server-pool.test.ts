import { once } from 'node:events';
import { expect, test } from 'vitest';
import { read } from '#lib/store/engine/database.ts';
import { createDatabase, newLogFile } from './support/database.ts';
import { newUser } from './support/seed.ts';
import { startServer } from './support/server.ts';
import { giveBack, type Pooled, takeFromPool } from './support/server-pool.ts';
import { set } from './support/settings.ts';
import { endWork, workOn } from './support/work-on.ts';

async function build(): Promise<Pooled> {
  const databaseUrl = await createDatabase('sqlite');
  const logFile = newLogFile('pooled');
  return { databaseUrl, servers: [await startServer({ mount: 'direct', databaseUrl, logFile })] };
}

/** What a test file finds when it takes over a server, and what the server makes of it. */
async function look({ databaseUrl, servers }: Pooled) {
  workOn(databaseUrl);
  const [people] = await read('SELECT count(*) AS n FROM users', []);
  const ask = (path: string) => fetch(`http://127.0.0.1:${servers[0]?.port}${path}`);
  const metadata = await (await ask('/.well-known/openid-configuration')).json();
  return {
    people: Number(people?.n),
    hasSignInPage: (await (await ask('/login')).text()).includes('/login/submit'),
    registers: 'registration_endpoint' in metadata,
  };
}

test('a reused test server has no data of earlier tests, and one that died is not reused', async () => {
  const first = await takeFromPool('a kind', build);
  const found = await look(first);
  expect(found).toEqual({ people: 0, hasSignInPage: false, registers: false });
  await newUser({ isAdmin: true });
  await set('CLIENT_REGISTRATION', 'open');
  expect(await look(first)).toEqual({ people: 1, hasSignInPage: true, registers: true });
  await endWork();
  expect(await giveBack(first)).toEqual([]);

  const second = await takeFromPool('a kind', build);
  expect(second).toBe(first);
  expect(await look(second)).toEqual(found);
  await endWork();

  const { process: child } = second.servers[0] ?? {};
  child?.kill('SIGKILL');
  if (child) await once(child, 'exit');
  await giveBack(second);
  const third = await takeFromPool('a kind', build);
  expect(third).not.toBe(first);
  expect(await look(third)).toEqual(found);
  await endWork();
  await giveBack(third);
});
