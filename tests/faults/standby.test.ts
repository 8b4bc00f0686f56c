import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disableClient, enableClient, updateClient } from '#lib/management/client/clients.ts';
import { closeStore } from '#lib/store/engine/database.ts';
import { applyMigrations } from '#lib/tooling/migrate.ts';
import { type Postgres, startPostgres } from '#lib/tooling/postgres.ts';
import { me, redeem, refresh, tokensOf } from '../support/app.ts';
import { newLogFile } from '../support/database.ts';
import { type FrozenProxy, openFrozenProxy } from '../support/frozen-proxy.ts';
import { newPerson, type Person } from '../support/person.ts';
import { startServer } from '../support/server.ts';
import { workOn } from '../support/work-on.ts';
import { allWell, expectAway, type Ground, settle, statuses } from './ground.ts';

// A primary, its standby, and one proxy to both, which a fail-over switches.
let [primary, standby, way, ground]: [Postgres?, Postgres?, FrozenProxy?, Ground?] = [];
const given = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('nothing was set up');
  return value;
};
const name = 'followed';
const admin = { id: 'cli' };
/** What happened only on the primary. */
let lost: { person: Person; tokens: Awaited<ReturnType<typeof tokensOf>> } | undefined;

async function ask<T>(server: Postgres | undefined, sql: string): Promise<T[]> {
  const client = new pg.Client(given(server).url(name));
  await client.connect();
  return client
    .query(sql)
    .then(({ rows }) => rows as T[])
    .finally(() => client.end());
}

const caughtUp = async () => {
  const [position] = await ask<{ at: string }>(primary, 'SELECT pg_current_wal_lsn() AS at');
  const sql = `SELECT pg_last_wal_replay_lsn() >= '${position?.at}' AS is`;
  await expect
    .poll(() => ask(standby, sql), { timeout: 60_000, interval: 100 })
    .toEqual([{ is: true }]);
};

/** Leaves the standby in its state, without its knowing. */
async function cutOff(): Promise<void> {
  await ask(standby, "ALTER SYSTEM SET primary_conninfo = ''");
  await ask(standby, 'SELECT pg_reload_conf()');
  await expect
    .poll(() => ask(standby, 'SELECT pid FROM pg_stat_wal_receiver'), { timeout: 60_000 })
    .toEqual([]);
}

const isServed = async ({ server, tokens }: Ground) =>
  (await me(server, tokens.access_token)).status === 200;

beforeAll(async () => {
  primary = await startPostgres();
  const url = await primary.createDatabase(name);
  await applyMigrations(url);
  standby = await startPostgres({ standbyOf: url });
  way = await openFrozenProxy(url);
  workOn(way.url);
  ground = await settle(way.url);
});
afterAll(async () => {
  await ground?.serverProcess.stop();
  await closeStore();
  await way?.close();
  await standby?.stop();
  await primary?.stop();
});

test('a lagging standby is treated as an unavailable database, so that revoked tokens stay revoked', async () => {
  await caughtUp();
  await cutOff();
  const { server, client } = given(ground);
  const person = await newPerson(server);
  lost = { person, tokens: await tokensOf(server, person, client) };
  for (const description of ['one', 'two'])
    await updateClient(client.id, { description }, { actor: admin, now: new Date() });
  await disableClient(client.id, admin, new Date());
  expect(await isServed(given(ground))).toBe(false);
  given(way).turnTo(given(standby).url(name));
  await expectAway(given(ground));
  const readiness = async () => {
    const answer = await fetch(`${server.base}/readyz`);
    return [answer.status, await answer.text()];
  };
  // On a busy machine it may first say that nothing answers.
  const said = [503, expect.stringContaining('standby')];
  await expect.poll(readiness, { timeout: 10_000 }).toEqual(said);
});

test('a server does not start on a standby, and says why', async () => {
  const [mount, databaseUrl] = ['direct', given(standby).url(name)] as const;
  const started = startServer({ mount, databaseUrl, logFile: newLogFile('standby') });
  await expect(started).rejects.toThrow(/cannot start: .*standby.*DATABASE_URL/);
});

test('a promoted standby is served without a restart, with the data that it has', async () => {
  await ask(standby, 'SELECT pg_promote()');
  await given(primary).crash();
  const { tokens, person } = given(lost);
  await expect.poll(() => statuses(given(ground)), { timeout: 40_000 }).toEqual(allWell);
  const { server } = given(ground);
  expect((await me(server, tokens.access_token)).status).toBe(401);
  expect((await refresh(server, tokens.refresh_token)).body.error).toBe('invalid_grant');
  expect((await person.open('/account')).at).toMatch(/^\/login/);
});

test('a client disabled after the fail-over is refused immediately, whatever was cached before', async () => {
  const { server, client, person, tokens } = given(ground);
  const code = await person.code({ client_id: client.id, response_type: 'code' });
  for (const description of ['one', 'two'])
    await updateClient(client.id, { description }, { actor: admin, now: new Date() });
  await disableClient(client.id, admin, new Date());
  expect(await isServed(given(ground))).toBe(false);
  expect((await refresh(server, tokens.refresh_token)).status).toBe(401);
  expect((await redeem(server, client, code)).body.error).toBe('invalid_client');
  await enableClient(client.id, admin, new Date());
  expect(await isServed(given(ground))).toBe(false);
});
