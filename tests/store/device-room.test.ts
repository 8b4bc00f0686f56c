import { afterEach, expect, test } from 'vitest';
import { config } from '#lib/config.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { addSeconds } from '#lib/oauth/token-request.ts';
import { eventBy } from '#lib/store/actor.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { denyDevice, noteCodeEntered, storeDevice } from '#lib/store/device-authorizations.ts';
import { makingRoom, mostDecided, mostWaitingDevices } from '#lib/store/device-room.ts';
import { database, inOneTransaction, read, write } from '#lib/store/engine/database.ts';
import { fillDevices } from '../support/devices.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const now = new Date();
const expiresAt = addSeconds(now, 600);

async function start(clientId: string, network: string): Promise<string> {
  const id = newId(now);
  const asked = { clientId, scope: '', resources: '', address: null, network, expiresAt };
  expect(await storeDevice({ id, hash: id, userCode: id, ...asked }, now)).toBe(true);
  return id;
}

/** Stores this many waiting devices, all older than those that start now. */
const fill = (clientId: string, network: string, count: number, expires = expiresAt) =>
  fillDevices({ clientId, network, count, now, expires });

const rowsOf = (clientId: string) =>
  read<{ id: string; network: string; state: string }>(
    'SELECT id, network, state FROM device_authorizations WHERE client_id = $1 ORDER BY id',
    [clientId],
  );
const countIn = async (clientId: string, network: string) =>
  (await rowsOf(clientId)).filter((row) => row.network === network).length;

onEachDatabase(() => {
  afterEach(() => write('DELETE FROM device_authorizations', []));

  test('waiting device authorizations of a client are limited; the oldest of the busiest network is deleted', async () => {
    const client = await newClient();
    const other = await newClient();
    await fill(client.id, 'quiet', 10);
    await fill(client.id, 'busy', mostWaitingDevices.ofClient - 10);
    await fill(other.id, 'quiet', 2);
    const id = await start(client.id, 'quiet');
    const ids = (await rowsOf(client.id)).map((row) => row.id);
    expect(ids).toHaveLength(mostWaitingDevices.ofClient);
    expect(ids).toContain(id);
    expect(ids).not.toContain(`0-${client.id}-busy-10001`);
    expect(await countIn(client.id, 'quiet')).toBe(11);
    expect(await rowsOf(other.id)).toHaveLength(2);
  });

  test('a device authorization that a user has opened is deleted last, and the new one is always kept', async () => {
    const client = await newClient();
    await fill(client.id, 'busy', mostWaitingDevices.ofClient);
    const first = `0-${client.id}-busy-10001`;
    await noteCodeEntered(first, now);
    await start(client.id, 'busy');
    const ids = (await rowsOf(client.id)).map(({ id }) => id);
    expect(ids).toContain(first);
    expect(ids).not.toContain(`0-${client.id}-busy-10002`);
    await write('UPDATE device_authorizations SET seen_at = $1', [now]);
    const id = await start(client.id, 'busy');
    const left = (await rowsOf(client.id)).map((row) => row.id);
    expect(left).toContain(id);
    expect(left).not.toContain(first);
  });

  test('waiting device authorizations are limited in total, and a client with few is not displaced', async () => {
    const crowd = await Promise.all(Array.from({ length: 10 }, () => newClient()));
    for (const { id } of crowd) await fill(id, 'busy', 999);
    const client = await newClient();
    await fill(client.id, 'quiet', 10);
    await start(client.id, 'third');
    expect(await countIn(client.id, 'quiet')).toBe(10);
    expect(await countIn(client.id, 'third')).toBe(1);
    expect(await read('SELECT id FROM device_authorizations', [])).toHaveLength(
      mostWaitingDevices.inAll,
    );
  });

  test('of device authorizations that start at the same time none is lost, and the limit holds', async () => {
    const client = await newClient();
    await fill(client.id, 'busy', mostWaitingDevices.ofClient - 5);
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, each) => start(client.id, `network ${each}`)),
    );
    const left = (await rowsOf(client.id)).map(({ id }) => id);
    expect(left).toEqual(expect.arrayContaining(ids));
    // Starts at the same moment do not see each other, so each connection can be one too many or
    // too few.
    const beside = database().kind === 'sqlite' ? 0 : config().databasePoolSize;
    expect(Math.abs(left.length - mostWaitingDevices.ofClient)).toBeLessThanOrEqual(beside);
    for (let each = 0; each < beside; each += 1) await start(client.id, 'later');
    expect(await rowsOf(client.id)).toHaveLength(mostWaitingDevices.ofClient);
  });

  test('decided and expired device authorizations do not count towards the limit', async () => {
    const client = await newClient();
    const user = await newUser();
    const about = { userId: user.id, clientId: client.id };
    const denied = await start(client.id, 'busy');
    await denyDevice(denied, user.id, eventBy({ id: user.id }, 'device.denied', about), now);
    await fill(client.id, 'busy', mostWaitingDevices.ofClient - 1);
    await fill(client.id, 'over', 20, new Date(now.getTime() - 3_600_000));
    await start(client.id, 'busy');
    expect(await rowsOf(client.id)).toHaveLength(mostWaitingDevices.ofClient + 21);
    await start(client.id, 'busy');
    expect(await rowsOf(client.id)).toHaveLength(mostWaitingDevices.ofClient + 21);
    expect((await rowsOf(client.id)).map(({ id }) => id)).toContain(denied);
    await deleteExpired(now);
    expect(await countIn(client.id, 'over')).toBe(0);
  });

  test('decided device authorizations are limited for each user', async () => {
    const client = await newClient();
    const user = await newUser();
    const about = { userId: user.id, clientId: client.id };
    const event = eventBy({ id: user.id }, 'device.denied', about);
    for (let each = 0; each < mostDecided + 5; each += 1)
      await denyDevice(await start(client.id, 'home'), user.id, event, now);
    expect(await rowsOf(client.id)).toHaveLength(mostDecided);
  });

  test('the statements that delete excess device authorizations use indexes', async () => {
    const client = await newClient();
    await fill(client.id, 'busy', 900);
    await fill((await newClient()).id, 'quiet', 900);
    const isSqlite = database().kind === 'sqlite';
    await inOneTransaction(async () => {
      // On a table this small, PostgreSQL uses an index or not depending on its latest statistics.
      if (!isSqlite) await read('SET LOCAL enable_seqscan = off', []);
      for (const { sql, params } of makingRoom('new', client.id, now)) {
        const plan = await read(`${isSqlite ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'} ${sql}`, params);
        const lines = plan.flatMap((row) => Object.values(row).map(String));
        expect(lines.length).toBeGreaterThan(5);
        expect(lines.filter((line) => /SCAN device|Seq Scan/.test(line))).toEqual([]);
      }
      return { keep: false, value: null };
    });
  });
});
