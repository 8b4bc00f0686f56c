import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { sharesConnections } from '#lib/store/engine/pooler.ts';
import { cli } from '../cli/command-line.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { havePgbouncer, type Pgbouncer, startPgbouncer } from '../support/pgbouncer.ts';
import { sharedEnv, startServer } from '../support/server.ts';

const canRun = await havePgbouncer();
const databaseUrl = await createDatabase('postgresql');
const started: Pgbouncer[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
});

async function behind(...lines: string[]): Promise<string> {
  const pooler = await startPgbouncer(databaseUrl, lines);
  started.push(pooler);
  return pooler.url;
}

/** Several looks, as one may be lucky. */
async function looks(url: string): Promise<boolean[]> {
  const found: boolean[] = [];
  for (let turn = 0; turn < 20; turn += 1) found.push(await sharesConnections(url));
  return [...new Set(found)];
}

/** Other programs use the pool in between. */
async function busied<T>(url: string, programs: number, work: () => Promise<T>): Promise<T> {
  let over = false;
  const clients = Array.from({ length: programs }, () => new pg.Client(url));
  const busy = clients.map(async (client) => {
    await client.connect();
    while (!over) await client.query('SELECT pg_sleep(random() * 0.003)');
    await client.end();
  });
  return work().finally(async () => {
    over = true;
    await Promise.all(busy);
  });
}

test('a connection of its own on the server is not mistaken for a shared one', async () => {
  expect(await looks(databaseUrl)).toEqual([false]);
  expect(await busied(databaseUrl, 5, () => looks(databaseUrl))).toEqual([false]);
});

describe.skipIf(!canRun)('behind pgbouncer', () => {
  const pools = [
    ['one server connection', 'default_pool_size = 1'],
    ['two server connections', 'default_pool_size = 2'],
    ['twenty server connections', 'default_pool_size = 20'],
  ] as const;
  for (const [name, size] of pools) {
    for (const mode of ['transaction', 'statement'])
      test(`${mode} mode is found out with ${name}, idle and busy, last or next in turn`, async () => {
        for (const turns of ['server_round_robin = 0', 'server_round_robin = 1']) {
          const url = await behind(`pool_mode = ${mode}`, size, turns);
          expect(await looks(url)).toEqual([true]);
          expect(await busied(url, 4, () => looks(url))).toEqual([true]);
          expect(await looks(url)).toEqual([true]);
        }
      });
  }

  test('session mode passes', async () => {
    const url = await behind('pool_mode = session', 'default_pool_size = 20');
    expect(await looks(url)).toEqual([false]);
    expect(await busied(url, 4, () => looks(url))).toEqual([false]);
  });

  test('session mode passes with one server connection, where the second has to wait', async () => {
    const url = await behind('pool_mode = session', 'default_pool_size = 1');
    expect(await sharesConnections(url)).toBe(false);
  });

  test('a server does not start behind transaction mode, says what to do, and starts behind session mode', async () => {
    const start = (url: string) =>
      startServer({ mount: 'direct', databaseUrl: url, logFile: newLogFile('pooler') });
    await expect(start(await behind('pool_mode = transaction'))).rejects.toThrow(
      /cannot start: DATABASE_URL leads to a connection pooler in transaction mode.*session mode/,
    );
    const server = await start(await behind('pool_mode = session'));
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
    await server.stop();
  });

  test('doctor names it, and what to do', async () => {
    const find = async (url: string) => {
      const before = { ...process.env };
      Object.assign(process.env, sharedEnv, { DATABASE_URL: url, MAIL_URL: '' });
      const { stdout } = await cli(['doctor', '--json']).finally(() => {
        process.env = before;
      });
      const { findings } = JSON.parse(stdout) as { findings: { check: string; is: string }[] };
      return findings.find(({ check }) => check === 'pooler');
    };
    expect(await find(await behind('pool_mode = transaction'))).toMatchObject({
      is: 'trouble',
      says: expect.stringContaining('transaction mode'),
      fix: expect.stringContaining('session mode'),
    });
    expect(await find(await behind('pool_mode = session'))).toMatchObject({ is: 'fine' });
  });
});
