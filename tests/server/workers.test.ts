import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '#lib/tooling/schema.ts';
import { askUntil } from '../lab/soak/asking.ts';
import { ask } from '../lab/soak/traffic.ts';
import { renewUnderLoad, saidBy, startWorkers, untilSaid } from '../lab/soak/workers.ts';
import { createDatabase } from '../support/database.ts';
import { type Server, serverEnvironment } from '../support/server.ts';

const restarted = 'a worker ended by itself and is started again';

/** The worker processes, by their place. */
function workersOf(server: Server): Map<unknown, number> {
  const ready = saidBy(server).filter(({ msg }) => msg === 'worker ready');
  return new Map(ready.map((line) => [line.worker, Number(line.process)]));
}

/** The reasons for which requests were turned away. */
const busyIn = (server: Server) =>
  saidBy(server)
    .filter(({ msg }) => msg === 'busy')
    .map(({ reason }) => String(reason));

const lives = (process_: number) => {
  try {
    return process.kill(process_, 0);
  } catch {
    return false;
  }
};

describe.each(databases)('WORKERS=2 on %s', (kind) => {
  let server: Server;
  beforeAll(async () => {
    server = await startWorkers(await createDatabase(kind), 2, { METRICS: 'loopback' });
  });
  afterAll(() => server.stop());

  test('SIGHUP replaces each worker under load without a failed request', {
    timeout: 240_000,
  }, async () => {
    const before = [...workersOf(server).values()];
    const { answered, lost, again } = await renewUnderLoad(server, 1000, 1);
    console.info(`${kind}: ${answered} requests; sent again: ${JSON.stringify(again)}`);
    expect([...lost, ...(lost.length > 0 ? busyIn(server) : [])]).toEqual([]);
    const after = [...workersOf(server).values()];
    expect(after).toHaveLength(2);
    expect(after.filter((each) => before.includes(each))).toEqual([]);
    expect(before.filter(lives)).toEqual([]);
  });

  test('/metrics of any worker has those of all workers by their place, and of the database once', async () => {
    const answered = async () => {
      const { body } = await ask(server.port, '/metrics', false);
      const name = /^gatehouse_request_duration_seconds_count\{([^}]*)\} (\d+)$/gm;
      const lines = [...body.matchAll(name)].filter(([, labels]) => labels?.includes('"/healthz"'));
      const places = lines.map(([, labels]) => /worker="(\d)"/.exec(labels ?? '')?.[1]);
      return { body, places, sum: lines.reduce((sum, [, , count]) => sum + Number(count), 0) };
    };
    const before = await answered();
    for (let turn = 0; turn < 10; turn += 1) await ask(server.port, '/healthz', false);
    for (const _ of [1, 2, 3]) {
      const { body, places, sum } = await answered();
      expect(sum - before.sum).toBe(10);
      expect(new Set(places)).toEqual(new Set(['1', '2']));
      expect(body.match(/^gatehouse_table_rows\{table="scopes"\} /gm)).toHaveLength(1);
      expect(body.match(/^# TYPE gatehouse_request_duration_seconds /gm)).toHaveLength(1);
      expect(body.match(/^process_cpu_user_seconds_total\{worker="[12]"\} /gm)).toHaveLength(2);
      expect(body).not.toContain('_total_total');
      expect(body.match(/^process_resident_memory_bytes\{worker="[12]"\} /gm)).toHaveLength(2);
      expect(body.trimEnd().endsWith('# EOF')).toBe(true);
    }
  });
});

describe('WORKERS=2', () => {
  let server: Server;
  let databaseUrl: string;
  beforeAll(async () => {
    databaseUrl = await createDatabase('sqlite');
    server = await startWorkers(databaseUrl, 2);
  });
  afterAll(() => server.stop());

  /** Makes the database look like one of the previous version. */
  function forgetMigration(): () => void {
    const database = new BetterSqlite3(databaseUrl.slice('file:'.length));
    const name = database
      .prepare('SELECT max(migration_name) FROM _prisma_migrations')
      .pluck()
      .get();
    const set = (to: string | null) =>
      database
        .prepare('UPDATE _prisma_migrations SET rolled_back_at = ? WHERE migration_name = ?')
        .run(to, name);
    set(new Date().toISOString());
    return () => {
      set(null);
      database.close();
    };
  }

  test('a worker that is killed is replaced; only its own connections break, and the other one continues', async () => {
    const killed = Number(workersOf(server).get(2));
    const times = saidBy(server).filter(({ msg }) => msg === 'worker ready').length;
    let isKilled = false;
    const clients = 6;
    const asked = await askUntil(server.port, clients, ({ answered }) => {
      if (answered >= 100 && !isKilled) isKilled = process.kill(killed, 'SIGKILL');
      return answered >= 400;
    });
    // No client waits for an answer that will never come, and none loses two requests.
    for (const lost of asked.lost) expect(lost).toMatch(/: (ECONNRESET|EPIPE)$/);
    expect(asked.lost.length).toBeLessThanOrEqual(clients);
    await untilSaid(server, 'worker ready', times + 1);
    expect(workersOf(server).get(2)).not.toBe(killed);
  });

  test('new workers do not migrate the database beside old ones, which continue', async () => {
    const before = workersOf(server);
    const remember = forgetMigration();
    server.process.kill('SIGHUP');
    await untilSaid(
      server,
      'a new worker did not start, for the reason above; the old ones go on',
    ).finally(remember);
    expect(workersOf(server)).toEqual(before);
    expect([...before.values()].every(lives)).toBe(true);
    expect((await ask(server.port, '/readyz', false)).status).toBe(200);
  });

  test('a worker that cannot start is tried again after growing pauses, until it can', async () => {
    const times = saidBy(server).filter(({ msg }) => msg === 'worker ready').length;
    const ends = () => saidBy(server).filter(({ msg }) => msg === restarted);
    const before = ends().length;
    const remember = forgetMigration();
    process.kill(Number(workersOf(server).get(1)), 'SIGKILL');
    await untilSaid(server, restarted, before + 3).finally(remember);
    const [first, second, third] = ends()
      .slice(before)
      .map(({ seconds }) => Number(seconds));
    expect([second, third]).toEqual([2 * Number(first), 4 * Number(first)]);
    await untilSaid(server, 'worker ready', times + 1);
    expect((await ask(server.port, '/readyz', false)).status).toBe(200);
  });

  test('SIGTERM ends all workers, with exit code 0', async () => {
    const [own, ended] = [workersOf(server), once(server.process, 'exit')];
    server.process.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect([...own.values()].filter(lives)).toEqual([]);
  });
});

test('WORKERS: a start that is impossible is reported once, and ends', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const env = serverEnvironment('direct', await createDatabase('sqlite'), port);
  const child = spawn(process.execPath, ['lib/server.ts'], { env: { ...env, WORKERS: '64' } });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (printed += chunk));
  const [code] = await once(child, 'close');
  taken.close();
  expect(code).toBe(1);
  expect(printed.match(/Gatehouse cannot start: Port \d+ of 127\.0\.0\.1 is taken/g)).toHaveLength(
    1,
  );
  expect(printed).toMatch(/^WARNING: WORKERS=64, and this machine has \d+ cores?/m);
});

test.each(['0', '65', 'two', '1.5'])(
  'WORKERS=%s is refused with what is expected',
  async (wrong) => {
    const { parseConfig } = await import('#lib/config.ts');
    expect(() => parseConfig({ SERVER_SECRET: 'x'.repeat(32), WORKERS: wrong })).toThrow(
      'and has to be a whole number from 1 to 64',
    );
  },
);
