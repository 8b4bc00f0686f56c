import { expect, inject, test } from 'vitest';
import { sharedAllowance } from '#lib/http/network.ts';
import { en } from '#lib/messages/compiled/en.ts';
import { newSecret } from '#lib/oauth/secrets.ts';
import { auditList } from '#lib/store/audit-list.ts';
import { type Answer, credentials, post } from '../support/app.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, newVisitor, Person } from '../support/person.ts';
import { newClient, type TestClient } from '../support/seed.ts';

/** Under `next start` every address is unverified, so all tests share one, with more tries. */
const isNext = inject('shared').mount === 'next';
const perClient = 3 * (isNext ? sharedAllowance : 1);
const limits = {
  FAILED_REQUESTS_PER_CLIENT: '3',
  FAILED_REQUESTS_PER_ADDRESS: isNext ? '1000' : '8',
};
const gatehouse = await openServer(limits);
const second = await gatehouse.another(limits);

let addresses = 0;
const newAddress = () => {
  addresses += 1;
  return `192.0.2.${addresses}`;
};
const from = (address: string) => ({ 'X-Forwarded-For': address });
/** A token that does not exist. */
const token = () => newSecret('mailedLink');
const wrong = (client: TestClient) => ({ client_id: client.id, client_secret: 'wrong' });

function expectTooMany({ status, body, headers }: Answer): void {
  expect({ status, body }).toMatchObject({
    status: 429,
    body: { error: 'temporarily_unavailable' },
  });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(headers.get('cache-control')).toBe('no-store');
}

test.each([
  ['/oauth/token', () => ({ grant_type: 'refresh_token', refresh_token: token() })],
  ['/oauth/introspect', () => ({ token: token() })],
  ['/oauth/revoke', () => ({ token: token() })],
])('%s: failed client authentication is limited, in every process', async (path, params) => {
  const client = await newClient();
  const address = newAddress();
  const fail = (at = gatehouse) => post(at, path, { ...params(), ...wrong(client) }, from(address));
  for (let tries = 0; tries < perClient; tries += 1) expect((await fail()).status).toBe(401);
  expectTooMany(await fail());
  expectTooMany(await fail(second));
  expectTooMany(await fail());
});

test('a valid token request is never limited, however many fail at the same address', async () => {
  const client = await newClient();
  const address = newAddress();
  const person = await newVisitor(gatehouse);
  const code = await person.code({ client_id: client.id, response_type: 'code' });
  const fail = () =>
    post(
      gatehouse,
      '/oauth/token',
      { grant_type: 'refresh_token', ...wrong(client) },
      from(address),
    );
  for (let tries = 0; tries < 4 * perClient; tries += 1) await fail();
  expectTooMany(await fail());
  const right = { grant_type: 'authorization_code', code, ...credentials(client) };
  expect((await post(gatehouse, '/oauth/token', right, from(address))).status).toBe(200);
  expectTooMany(await fail());
});

const withAddresses = test.skipIf(isNext);

withAddresses('failures are counted per address', async () => {
  const client = await newClient();
  const address = newAddress();
  const fail = (at: string) =>
    post(gatehouse, '/oauth/token', { grant_type: 'refresh_token', ...wrong(client) }, from(at));
  for (let tries = 0; tries < 4; tries += 1) await fail(address);
  expectTooMany(await fail(address));
  expect((await fail(newAddress())).status).toBe(401);
});

test.skipIf(isNext)(
  'IPv6 addresses are limited per /48, with one event in the audit log',
  async () => {
    const client = await newClient();
    const fail = (at: string) =>
      post(
        gatehouse,
        '/oauth/token',
        { grant_type: 'client_credentials', ...wrong(client) },
        from(at),
      );
    // Each from its own /56, which anyone with a /48 can do.
    const inOne = (index: number) => `2001:db8:1:${(index << 8).toString(16)}::1`;
    for (let tries = 0; tries < 9 * perClient; tries += 1)
      expect((await fail(inOne(tries))).status).toBe(401);
    expectTooMany(await fail(inOne(9 * perClient)));
    expectTooMany(await fail(inOne(9 * perClient + 1)));
    expect((await fail('2001:db8:2::1')).status).toBe(401);
    const { rows } = await auditList.page({ clientId: client.id });
    // One event for each /48, or two if a minute ended meanwhile.
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(rows.length).toBeLessThanOrEqual(4);
  },
);

test('refused codes and refresh tokens are limited', async () => {
  const client = await newClient();
  const address = newAddress();
  const params = [
    () => ({ grant_type: 'refresh_token', refresh_token: token() }),
    () => ({ grant_type: 'authorization_code', code: token() }),
  ];
  const fail = (index: number) =>
    post(
      gatehouse,
      '/oauth/token',
      { ...params[index % 2]?.(), ...credentials(client) },
      from(address),
    );
  for (let tries = 0; tries < perClient; tries += 1)
    expect((await fail(tries)).body).toMatchObject({ error: 'invalid_grant' });
  expectTooMany(await fail(0));
  expectTooMany(await fail(1));
});

withAddresses(
  'made-up clients share one count, and several clients the count of their address',
  async () => {
    const address = newAddress();
    const fail = (client: { id: string }) =>
      post(
        gatehouse,
        '/oauth/token',
        { grant_type: 'refresh_token', client_id: client.id, client_secret: 'wrong' },
        from(address),
      );
    for (let tries = 0; tries < 3; tries += 1)
      expect((await fail({ id: `made-up-${tries}` })).status).toBe(401);
    expectTooMany(await fail({ id: 'made-up-again' }));
    const clients = await Promise.all([newClient(), newClient(), newClient()]);
    const statuses: number[] = [];
    for (const client of [...clients, ...clients]) statuses.push((await fail(client)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  },
);

test('introspection of unknown tokens by a resource server is not limited', async () => {
  const server = await newClient({ resourceServer: true });
  const address = newAddress();
  for (let tries = 0; tries < 12; tries += 1) {
    const params = { token: token(), ...credentials(server) };
    const { status, body } = await post(gatehouse, '/oauth/introspect', params, from(address));
    expect({ status, body }).toEqual({ status: 200, body: { active: false } });
  }
});

withAddresses(
  '"Cancel" at sign-in more than 60 times from one address no longer redirects to the app',
  async () => {
    const client = await newClient();
    const address = newAddress();
    const other = newAddress();
    const outsider = new Person(gatehouse);
    const login = await outsider.open(
      authorizePath({ client_id: client.id, response_type: 'code' }),
    );
    const href = login.at.replace('/login', '/oauth/cancel');
    const cancel = (at: string) => outsider.request(href, { headers: from(at) });
    for (let times = 0; times < 60; times += 1)
      expect((await cancel(address)).headers.get('location')).toContain('error=access_denied');
    const told = await cancel(address);
    expect([told.status, told.headers.get('location')]).toEqual([400, null]);
    expect(textOf(await told.text())).toContain(en['cancelled.title']);
    expect((await cancel(other)).status).toBe(303);
  },
);
