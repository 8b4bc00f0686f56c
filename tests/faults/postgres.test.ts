import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openPostgres } from '#lib/store/engine/postgres.ts';
import { applyMigrations } from '#lib/tooling/migrate.ts';
import { startPostgres } from '#lib/tooling/postgres.ts';
import { type FrozenProxy, openFrozenProxy } from '../support/frozen-proxy.ts';
import { onDatabase } from '../support/on-each-database.ts';
import { workOn } from '../support/work-on.ts';
import {
  allWell,
  askAll,
  expectAway,
  expectRecovery,
  type Ground,
  settle,
  statuses,
} from './ground.ts';

let [proxy, ground]: [FrozenProxy?, Ground?] = [];
const world = () => {
  if (!proxy || !ground) throw new Error('nothing was set up');
  return { proxy, ground };
};
const direct = () => process.env.DATABASE_URL ?? '';

async function inDatabase<T>(work: (client: pg.Client) => Promise<T>, url = direct()): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

onDatabase('postgresql', () => {
  beforeAll(async () => {
    proxy = await openFrozenProxy(direct());
    ground = await settle(proxy.url);
  });
  afterEach(() => expectRecovery(world().ground));
  afterAll(async () => {
    await ground?.serverProcess.stop();
    await proxy?.close();
  });

  test('a PostgreSQL that goes silent is answered with 503, also by /readyz', async () => {
    world().proxy.freeze();
    await expectAway(world().ground).finally(world().proxy.thaw);
  });

  test('PostgreSQL connections that are silently lost are replaced by new ones', async () => {
    const busy = () => Promise.all(Array.from({ length: 12 }, () => statuses(world().ground)));
    await busy();
    world().proxy.loseConnections();
    await expectRecovery(world().ground);
  });

  test('a slow PostgreSQL is waited for', async () => {
    world().proxy.delay(50);
    const found = await statuses(world().ground);
    world().proxy.delay(0);
    expect(found).toEqual(allWell);
  });

  test('a PostgreSQL that refuses connections is answered with 503, also by pages', async () => {
    await world().proxy.refuse();
    await expectAway(world().ground).finally(world().proxy.accept);
  });

  test('a PostgreSQL connection that breaks during a statement fails only that statement', async () => {
    const own = await openFrozenProxy(direct());
    const db = openPostgres(own.url, 2, { lock: 4000, statement: 15_000 });
    await db.query('SELECT 1 AS one', {});
    const within = db.holding(async (run) => {
      await run("SELECT pg_notify('begun', '')", {});
      void own.refuse();
      await run('SELECT pg_sleep(20)', {});
      return { keep: true, value: null };
    });
    // Any other error that the driver reports would end a process, and with it this test run.
    await expect(within).rejects.toThrow(/The database is away/);
    await own.accept();
    expect(await db.read('SELECT 2 AS two', {})).toEqual([{ two: 2 }]);
    await db.close();
    await own.close();
  });

  test('PostgreSQL connections that are terminated cost a request at most a 503', async () => {
    for (let round = 0; round < 10; round += 1) {
      const asked = Promise.all([statuses(world().ground), statuses(world().ground)]);
      await inDatabase((client) =>
        client.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        ),
      );
      for (const found of await asked)
        for (const status of Object.values(found)) expect([200, 303, 400, 503]).toContain(status);
    }
  });

  test('a table that another session locks is waited for, then answered with 503; other requests succeed', async () => {
    await inDatabase(async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE authorizations');
      const { me, refresh, page, ready } = await askAll(world().ground);
      expect([me.status, refresh.status, page.status, ready.status]).toEqual([503, 503, 200, 200]);
      await client.query('ROLLBACK');
    });
  });

  test('a read-only PostgreSQL makes /readyz 503, while reads are served', async () => {
    const name = new URL(direct()).pathname.slice(1);
    const turn = (sql: string) =>
      inDatabase(async (client) => {
        await client.query(`ALTER DATABASE "${name}" ${sql}`);
        await client.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        );
      });
    await turn('SET default_transaction_read_only = on');
    await expect
      .poll(() => statuses(world().ground), { timeout: 20_000 })
      .toEqual({
        ...allWell,
        refresh: 503,
        ready: 503,
      });
    await inDatabase(async (client) => {
      await client.query('SET default_transaction_read_only = off');
      await client.query(`ALTER DATABASE "${name}" RESET default_transaction_read_only`);
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
    });
  });
});

test('a PostgreSQL with all processes stopped is answered with 503, and served again when they continue', async () => {
  const postgres = await startPostgres();
  const url = await postgres.createDatabase('frozen');
  await applyMigrations(url);
  workOn(url);
  const { closeStore } = await import('#lib/store/engine/database.ts');
  const own = await settle(url);
  await closeStore();
  const pids = await inDatabase(async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'",
    );
    return rows.map((row) => row.pid);
  }, url);
  const postmaster = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pids[0]}/stat`, 'utf8'))?.[1]);
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [postmaster, ...pids])
      try {
        process.kill(pid, name);
      } catch {}
  };
  signal('SIGSTOP');
  try {
    await expectAway(own);
  } finally {
    signal('SIGCONT');
  }
  await expectRecovery(own);
  await own.serverProcess.stop();
  await postgres.stop();
});
