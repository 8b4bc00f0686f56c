import { once } from 'node:events';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '#lib/tooling/connection.ts';
import { root } from '#lib/tooling/schema.ts';
import { startBalancer } from '../lab/soak/balancer.ts';
import { beginChains, type Chain, checkAll } from '../lab/soak/load.ts';
import type { SoakServer } from '../lab/soak/part.ts';
import { saidBy, untilSaid } from '../lab/soak/workers.ts';
import { createDatabase, newFolder, newLogFile } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { type Server, startServer } from '../support/server.ts';
import { workOn } from '../support/work-on.ts';
import { addALot, makeNext, type Next, turn } from './next-version.ts';

let next: Next;
beforeAll(() => {
  next = makeNext('expand', addALot);
});

/** The number of answers to wait for in each state, before the next change. */
const enough = 150;

/** People and apps that send requests until told to stop. Unexpected answers are kept. */
async function startStream(at: SoakServer) {
  const chains = await beginChains(at, 4);
  let over = false;
  const runs = chains.map((chain) => chain.run([at], () => !over));
  const answers = () => chains.reduce((sum, each) => sum + each.answers, 0);
  const amiss = () => chains.flatMap(({ amiss: found }) => found);
  return {
    chains,
    answers,
    /** Waits for `enough` more answers, or until something went wrong. */
    more: async () => {
      const from = answers();
      const isEnough = () => amiss().length > 0 || answers() > from + enough;
      await expect.poll(isEnough, { timeout: 150_000, interval: 50 }).toBe(true);
      expect(amiss()).toEqual([]);
    },
    stop: async () => {
      over = true;
      await Promise.all(runs);
      expect(amiss()).toEqual([]);
    },
  };
}

/** Expects everything that was acknowledged to be as it was said. */
async function expectNothingLost(chains: Chain[], at: SoakServer): Promise<number> {
  const { checked, failures } = await checkAll(chains, at);
  expect(failures).toEqual([]);
  expect(checked).toBeGreaterThan(chains.length);
  return checked;
}

async function migrationsOf(databaseUrl: string): Promise<unknown[]> {
  const { adapter } = await connect(databaseUrl);
  const sql = 'SELECT migration_name FROM _prisma_migrations ORDER BY migration_name';
  const { rows } = await adapter.queryRaw({ sql, args: [], argTypes: [] });
  await adapter.dispose();
  return rows.flat();
}

const alone = () => Promise.reject(new Error('There is one address here.'));

function serverAt(databaseUrl: string, serverProcess: Server, port: number): SoakServer {
  return {
    mount: 'direct',
    databaseUrl,
    serverProcess,
    port,
    logFile: serverProcess.logFile,
    base: `http://127.0.0.1:${port}`,
    issuer: `http://localhost:${port}`,
    secondProcess: alone,
    another: alone,
  };
}

const lifetimes = { CODE_TTL: '600' };

describe('a rolling upgrade on SQLite, by reload', () => {
  const link = resolve(newFolder('rolling'), 'current');
  let databaseUrl = '';
  let server: Server;
  beforeAll(async () => {
    databaseUrl = await createDatabase('sqlite');
    workOn(databaseUrl);
    turn(link, root);
    const port = await freePort();
    server = await startServer({
      mount: 'direct',
      databaseUrl,
      logFile: newLogFile('rolling'),
      env: {
        WORKERS: '2',
        DATA_DIR: resolve(link, '..'),
        PORT: String(port),
        ISSUER: `http://localhost:${port}`,
        ...lifetimes,
      },
      program: resolve(link, 'lib/server.ts'),
    });
    await untilSaid(server, 'worker ready', 2);
  });
  afterAll(() => server.stop());

  const over = 'the new workers have taken over';
  /** The folders of the processes that are serving now. */
  const placesOfWorkers = () => {
    const ready = saidBy(server).filter(({ msg }) => msg === 'worker ready');
    return ready.slice(-2).map(({ process: pid }) => readlinkSync(`/proc/${pid}/cwd`));
  };
  const keptOld = 'a new worker did not start, for the reason above; the old ones go on';
  async function reload(to: string, says = over): Promise<void> {
    const before = saidBy(server).length;
    turn(link, to);
    server.process.kill('SIGHUP');
    const ends = () =>
      saidBy(server)
        .slice(before)
        .filter(({ msg }) => msg === over || msg === keptOld);
    await expect.poll(() => ends().length, { timeout: 150_000, interval: 100 }).toBe(1);
    expect([ends()[0]?.msg, readFileSync(server.logFile, 'utf8').slice(-3000)]).toEqual([
      says,
      expect.anything(),
    ]);
  }

  test('to the next release and back: no request fails, and nothing is lost', {
    timeout: 480_000,
  }, async () => {
    const gatehouse = serverAt(databaseUrl, server, server.port);
    const stream = await startStream(gatehouse);
    await stream.more();
    await reload(next.folder);
    expect(placesOfWorkers()).toEqual([next.folder, next.folder].map((at) => realpathSync(at)));
    expect((await migrationsOf(databaseUrl)).at(-1)).toBe(next.migration);
    await stream.more();
    await reload(root);
    expect(placesOfWorkers()).toEqual([root, root]);
    await stream.more();
    await stream.stop();
    const checked = await expectNothingLost(stream.chains, gatehouse);
    console.info(`reload: ${stream.answers()} answers, ${checked} things checked afterwards`);
  });

  test('to a release that removes something does not start beside this one, which continues', async () => {
    const taking = makeNext('contract', () => 'ALTER TABLE "users" DROP COLUMN "app_order";');
    const before = await migrationsOf(databaseUrl);
    await reload(taking.folder, keptOld);
    expect(placesOfWorkers()).toEqual([root, root]);
    expect(await migrationsOf(databaseUrl)).toEqual(before);
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
    turn(link, root);
  });
});

test('a rolling upgrade on PostgreSQL, one server after the other: no request fails, and nothing is lost', {
  timeout: 480_000,
}, async () => {
  const databaseUrl = await createDatabase('postgresql');
  workOn(databaseUrl);
  const ports = [await freePort(), await freePort()] as const;
  const balancer = await startBalancer([...ports]);
  const start = (index: 0 | 1, folder: string) =>
    startServer({
      mount: 'direct',
      databaseUrl,
      logFile: newLogFile('rolling'),
      program: resolve(folder, 'lib/server.ts'),
      env: {
        PORT: String(ports[index]),
        ISSUER: `http://localhost:${balancer.port}`,
        STOP_DELAY: '1',
        ...lifetimes,
      },
    });
  const servers = [await start(0, root), await start(1, root)] as [Server, Server];
  const replace = async (index: 0 | 1, folder: string) => {
    const exit = once(servers[index].process, 'exit');
    servers[index].process.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    servers[index] = await start(index, folder);
  };
  const server = serverAt(databaseUrl, servers[0], balancer.port);
  const stream = await startStream(server);
  await stream.more();
  await replace(0, next.folder);
  expect((await migrationsOf(databaseUrl)).at(-1)).toBe(next.migration);
  await stream.more();
  // Meanwhile a server of the old version can still be started.
  await replace(1, root);
  await stream.more();
  await replace(1, next.folder);
  await stream.more();
  await stream.stop();
  const checked = await expectNothingLost(stream.chains, server);
  console.info(`servers: ${stream.answers()} answers, ${checked} things checked afterwards`);
  balancer.close();
  await Promise.all(servers.map((each) => each.stop()));
});
