import { afterAll, beforeAll, expect, test } from 'vitest';
import { read, write } from '#lib/store/engine/database.ts';
import { credentials, post, redeem, refresh, tokensOf } from '../support/app.ts';
import { newDeviceClient } from '../support/devices.ts';
import { type FrozenProxy, openFrozenProxy } from '../support/frozen-proxy.ts';
import { onDatabase } from '../support/on-each-database.ts';
import { type Ground, settle } from './ground.ts';

/*
 * A connection breaks when PostgreSQL answers. The client can know whether its statement took
 * effect only if a COMMIT was still to come. docs/postgresql.md says what happens then.
 */
let [way, ground]: [FrozenProxy?, Ground?] = [];
const world = () => {
  if (!way || !ground) throw new Error('nothing was set up');
  return { way, ...ground };
};
const again = { status: 503, body: expect.objectContaining({ error: 'temporarily_unavailable' }) };

onDatabase('postgresql', () => {
  beforeAll(async () => {
    way = await openFrozenProxy(process.env.DATABASE_URL ?? '');
    ground = await settle(way.url);
  });
  afterAll(async () => {
    await ground?.serverProcess.stop();
    await way?.close();
  });

  const startDevice = async (client: { id: string }) => {
    const answer = await post(world().server, '/oauth/device_authorization', {
      client_id: client.id,
    });
    const sql = 'SELECT id FROM device_authorizations WHERE client_id = :id';
    return { ...answer, rows: (await read(sql, { id: client.id })).length };
  };

  test('a read whose PostgreSQL connection breaks is repeated', async () => {
    const { server, way, tokens } = world();
    const asked = { ...credentials(tokens.client), token: tokens.access_token };
    expect((await post(server, '/oauth/introspect', asked)).status).toBe(200);
    way.loseAnswerTo(tokens.client.id);
    expect(await post(server, '/oauth/introspect', asked)).toMatchObject({
      status: 200,
      body: { active: true },
    });
  });

  test('a statement that PostgreSQL reports as not completed is repeated once', async () => {
    await write('CREATE SEQUENCE ended_turns', {});
    const sql = `INSERT INTO spent_values (hash, expires_at) SELECT 'ended', now()
      WHERE nextval('ended_turns') > 1 OR (pg_terminate_backend(pg_backend_pid()) AND pg_sleep(60)::text = '') RETURNING hash`;
    expect(await write(sql, {})).toEqual([{ hash: 'ended' }]);
    expect(await read("SELECT nextval('ended_turns') AS turn", {})).toEqual([{ turn: 3 }]);
  });

  test('a transaction that breaks before its COMMIT is repeated once', async () => {
    const client = await newDeviceClient();
    expect(await startDevice(client)).toMatchObject({ status: 200, rows: 1 });
    world().way.loseAnswerTo(client.id, client.id);
    expect(await startDevice(client)).toMatchObject({ status: 200, rows: 2 });
  });

  test('a transaction whose COMMIT is not answered is answered with 503, and not repeated', async () => {
    const client = await newDeviceClient();
    expect(await startDevice(client)).toMatchObject({ status: 200, rows: 1 });
    world().way.loseAnswerTo(client.id, 'COMMIT');
    const answer = await startDevice(client);
    expect(answer).toMatchObject({ ...again, rows: 2 });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('a refresh whose answer is lost is answered with 503; the same token then gives the lost result', async () => {
    const { server, way, person } = world();
    const { client, refresh_token } = await tokensOf(server, person);
    way.loseAnswerTo(client.id);
    expect(await refresh(server, refresh_token, credentials(client))).toMatchObject(again);
    const answer = await refresh(server, refresh_token, credentials(client));
    expect(answer.status).toBe(200);
    expect(
      (await refresh(server, String(answer.body.refresh_token), credentials(client))).status,
    ).toBe(200);
  });

  test('a code whose redemption has a lost answer was redeemed; presenting it again ends its tokens', async () => {
    const { server, way, person } = world();
    const { client } = await tokensOf(server, person);
    const code = await person.code({ client_id: client.id, response_type: 'code' });
    way.loseAnswerTo(client.id);
    expect(await redeem(server, client, code)).toMatchObject(again);
    expect(await redeem(server, client, code)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });
});
