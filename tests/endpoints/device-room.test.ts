import { expect, test } from 'vitest';
import { addSeconds } from '#lib/oauth/token-request.ts';
import { mostWaitingDevices } from '#lib/store/device-room.ts';
import { database, read } from '#lib/store/engine/database.ts';
import { post } from '../support/app.ts';
import {
  askTokens,
  decideOn,
  fillDevices,
  newDeviceClient,
  startDevice,
  typeCode,
} from '../support/devices.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson } from '../support/person.ts';
import type { TestClient } from '../support/seed.ts';

const server = await openServer({});
const second = await server.secondProcess();

const isExact = database().kind === 'sqlite';

const waitingIn = async (client: TestClient) =>
  new Map(
    (
      await read<{ network: string; n: number }>(
        'SELECT network, COUNT(*) AS n FROM device_authorizations WHERE client_id = $1 GROUP BY network',
        [client.id],
      )
    ).map(({ network, n }) => [network, n]),
  );

/**
 * Starts devices from three /64 networks of a /48 in which enough devices are already waiting that
 * a second such network fills the room.
 */
async function flood(client: TestClient, network: string) {
  const now = new Date();
  const expires = addSeconds(now, 600);
  const count = mostWaitingDevices.ofClient / 2 - 20;
  await fillDevices({ clientId: client.id, network: `${network}::/48`, count, now, expires });
  const started = await Promise.all(
    ['1', '2', '3'].map(async (subnet, index) => {
      const to = index % 2 === 0 ? server : second;
      let count = 0;
      for (let each = 0; each < 15; each += 1) {
        const asked = { client_id: client.id };
        const from = { 'X-Forwarded-For': `${network}:${subnet}::7` };
        const { status } = await post(to, '/oauth/device_authorization', asked, from);
        if (status === 200) count += 1;
      }
      return count;
    }),
  );
  return started.reduce((sum, count) => sum + count, 0);
}

// Behind Next.js no proxy is trusted, so all devices come from the same address.
test.skipIf(server.mount === 'next')(
  'device authorization: a flood from two networks displaces only its own codes (RFC 8628 section 5)',
  async () => {
    const person = await newPerson(server);
    const client = await newDeviceClient();
    const at = (address: string) => startDevice(server, client, {}, { 'X-Forwarded-For': address });
    const early = await at('192.0.2.7');
    const seen = await at('2001:db8:a::7');
    await typeCode(person, seen.user_code);
    const floods = await Promise.all([flood(client, '2001:db8:a'), flood(client, '2001:db8:b')]);
    // No request was refused.
    expect(floods).toEqual([45, 45]);
    const late = await at('198.51.100.7');
    const waiting = await waitingIn(client);
    expect([waiting.get('192.0.2.7'), waiting.get('198.51.100.7')]).toEqual([1, 1]);
    const all = [...waiting.values()].reduce((sum, n) => sum + n, 0);
    // On PostgreSQL, starts at the same moment do not see each other, and six run at a time.
    expect(Math.abs(all - mostWaitingDevices.ofClient)).toBeLessThanOrEqual(isExact ? 0 : 6);
    for (const device of [early, late, seen]) {
      expect((await decideOn(person, device)).at).toBe('/device/allowed');
      expect((await askTokens(second, client, device)).status).toBe(200);
    }
  },
);
