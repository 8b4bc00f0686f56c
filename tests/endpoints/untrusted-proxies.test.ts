import { randomInt } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { newSecret } from '#lib/oauth/secrets.ts';
import { write } from '#lib/store/engine/database.ts';
import { post } from '../support/app.ts';
import { newDeviceClient } from '../support/devices.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { Person, postSignIn } from '../support/person.ts';
import { register } from '../support/registering.ts';
import { newClient, newUser } from '../support/seed.ts';
import { set } from '../support/settings.ts';

const limits = {
  FAILED_REQUESTS_PER_CLIENT: '0',
  FAILED_REQUESTS_PER_ADDRESS: '8',
  // Nothing listens there; only the request for a mail matters.
  MAIL_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'no-reply@gatehouse.example',
};
/** The tests connect from 127.0.0.1, which no server in this file trusts. */
const strict = await openServer({ ...limits, TRUSTED_PROXIES: '203.0.113.1' });
const open = await strict.another({ ...limits, TRUSTED_PROXIES: '' });
await set('CLIENT_REGISTRATION', 'open');

/** Another address with each request, as from a sender who pretends to be many. */
const somewhere = () => ({ 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.7` });

await newUser({ isAdmin: true });
const client = await newClient();
const device = await newDeviceClient();
const metadata = { redirect_uris: ['https://app.example/callback'] };

/** Under `next start` every address is unverified. */
describe.skipIf(strict.mount === 'next')(
  'requests through a proxy that is not in TRUSTED_PROXIES',
  () => {
    const cases: [what: string, most: number, act: (server: typeof strict) => Promise<number>][] = [
      [
        'failed requests',
        8,
        async (server) => {
          const wrong = { client_id: client.id, client_secret: newSecret('mailedLink') };
          return (await post(server, '/oauth/introspect', { token: 'x', ...wrong }, somewhere()))
            .status;
        },
      ],
      [
        'devices that are started',
        60,
        async (server) => {
          const asked = { client_id: device.id };
          return (await post(server, '/oauth/device_authorization', asked, somewhere())).status;
        },
      ],
      [
        'clients that register',
        60,
        async (server) => (await register(server, metadata, somewhere())).status,
      ],
    ];

    test.each(cases)(
      '%s: are counted for the proxy’s address, whatever X-Forwarded-For says',
      async (_, most, act) => {
        for (let each = 0; each < most; each += 1) expect(await act(strict)).not.toBe(429);
        expect(await act(strict)).toBe(429);
      },
    );

    test.each(cases)(
      '%s: have ten times the limit while TRUSTED_PROXIES is empty',
      async (_, most, act) => {
        for (let each = 0; each <= most; each += 1) expect(await act(open)).not.toBe(429);
        // As if all but a few of the others had come, too.
        const few = 3;
        await write('UPDATE throttles SET failures = :most WHERE failures = :counted', {
          counted: most + 1,
          most: 10 * most - few,
        });
        for (let each = 0; each < few; each += 1) expect(await act(open)).not.toBe(429);
        expect(await act(open)).toBe(429);
      },
    );

    test('reset mails: are counted for the proxy’s address, whatever X-Forwarded-For says', async () => {
      const ask = async () => {
        const person = Object.assign(new Person(strict), {
          address: somewhere()['X-Forwarded-For'],
        });
        const page = await person.open('/recover');
        const username = `nobody-${randomInt(1e9)}`;
        return (await person.submit(page, '/recover/submit', { username })).at;
      };
      for (let each = 0; each < 20; each += 1) expect(await ask()).toBe('/recover/sent');
      expect(await ask()).toBe('/recover');
    });

    test.each([
      ['no proxy is trusted', open, 'counts as one address, which gets ten times as many tries'],
      ['others are', strict, 'pretending to be elsewhere'],
    ])('Home in the dashboard warns of them where %s', async (_, server, said) => {
      const admin = new Person(server, (await newUser({ isAdmin: true })).username);
      const bare = Object.assign(admin, { address: '' });
      await bare.signIn();
      const home = textOf((await bare.open('/admin')).html);
      expect(home).toContain(
        'X-Forwarded-For comes from 127.0.0.1, which TRUSTED_PROXIES doesn’t list',
      );
      expect(home).toContain(said);
    });

    /** Tries wrong passwords for unknown user names, each from another address. */
    const spray = async (server: typeof strict, times: number) => {
      for (let each = 0; each < times; each += 1) {
        await postSignIn(new Person(server), `nobody-${each}-${Date.now()}`, 'wrong');
      }
    };

    test('sign-in: is refused after thirty failures, which are in the audit log with the proxy’s address', async () => {
      await spray(strict, 31);
      const user = await newUser();
      expect((await new Person(strict).signIn(user.username)).at).toBe('/login');
      const { rows } = await listAudit({ type: 'sign-in.failure' });
      expect(rows.length).toBeGreaterThanOrEqual(30);
      for (const { address } of rows) expect(address).toBe('127.0.0.1');
    });

    test('sign-in: goes on after thirty failures while TRUSTED_PROXIES is empty', async () => {
      await spray(open, 31);
      const user = await newUser();
      expect((await new Person(open).signIn(user.username)).at).toBe('/account');
    });

    test('sign-in: without X-Forwarded-For is refused after thirty failures', async () => {
      await write('DELETE FROM throttles', []);
      const { username } = await newUser();
      const bare = () => Object.assign(new Person(open), { address: '' });
      for (let each = 0; each < 29; each += 1)
        await postSignIn(bare(), `nobody-${each}-${Date.now()}`, 'wrong');
      expect((await bare().signIn(username)).at).toBe('/account');
      await postSignIn(bare(), `nobody-${Date.now()}`, 'wrong');
      expect((await bare().signIn(username)).at).toBe('/login');
    });
  },
);
