import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeStore } from '#lib/store/engine/database.ts';
import { applyMigrations } from '#lib/tooling/migrate.ts';
import { type Postgres, startPostgres } from '#lib/tooling/postgres.ts';
import { me } from '../support/app.ts';
import { workOn } from '../support/work-on.ts';
import { allWell, expectRecovery, type Ground, settle, statuses } from './ground.ts';

// Synchronous replication without a standby: each commit waits, even after its client has gone.
// PostgreSQL cannot tell that a client has gone until the commit is done.

const size = 4;
let [postgres, ground]: [Postgres?, Ground?] = [];
const given = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('nothing was set up');
  return value;
};

async function ask<T>(sql: string): Promise<T[]> {
  const client = new pg.Client(given(postgres).url('postgres'));
  await client.connect();
  return client
    .query(sql)
    .then(({ rows }) => rows as T[])
    .finally(() => client.end());
}

async function demandStandby(name: string): Promise<void> {
  await ask(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await ask('SELECT pg_reload_conf()');
}

/** The number of connections, and how many of them wait for a standby. */
async function connections(): Promise<{ all: number; waiting: number }> {
  const sql =
    "SELECT count(*)::int AS all, (count(*) FILTER (WHERE wait_event = 'SyncRep'))::int AS waiting FROM pg_stat_activity WHERE datname = 'waiting'";
  return (await ask<{ all: number; waiting: number }>(sql))[0] ?? { all: 0, waiting: 0 };
}

beforeAll(async () => {
  postgres = await startPostgres();
  const url = await postgres.createDatabase('waiting');
  await applyMigrations(url);
  workOn(url);
  ground = await settle(url, { DATABASE_POOL_SIZE: String(size) });
  await closeStore();
});
afterAll(async () => {
  await ground?.serverProcess.stop();
  await postgres?.stop();
});

test('commits waiting for a synchronous standby stay within the connection limit, and reads are served', {
  timeout: 120_000,
}, async () => {
  await demandStandby('nobody');
  let most = 0;
  let over = false;
  const writing = Array.from({ length: 12 }, async () => {
    while (!over) await statuses(given(ground));
  });
  const until = Date.now() + 25_000;
  while (Date.now() < until) most = Math.max(most, (await connections()).all);
  const { server, tokens } = given(ground);
  const read = await Promise.all(Array.from({ length: 20 }, () => me(server, tokens.access_token)));
  const ready = await fetch(`${server.base}/readyz`);
  over = true;
  await Promise.all(writing);
  console.info(
    `${most} connections at most, ${read.filter(({ status }) => status === 200).length} of 20 reads answered`,
  );
  expect(most).toBeLessThanOrEqual(2 * size);
  expect(read.map(({ status }) => status)).toEqual(read.map(() => 200));
  expect(ready.status).toBe(503);
  expect((await connections()).waiting).toBeGreaterThan(0);
  await demandStandby('');
  await expectRecovery(given(ground));
  expect(await statuses(given(ground))).toEqual(allWell);
});
