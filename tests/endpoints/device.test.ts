import { once } from 'node:events';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { updateClient } from '#lib/management/client/clients.ts';
import { revokeGrants } from '#lib/management/grant/grants.ts';
import { createScope, deleteScope } from '#lib/management/scope/scopes.ts';
import { disableUser } from '#lib/management/user/users.ts';
import { deviceGrant } from '#lib/oauth/grant-types.ts';
import { read, write } from '#lib/store/engine/database.ts';

import { races } from '../lanes.ts';
import { changeApi, newApi } from '../support/apis.ts';
import { type Answer, basic, credentials, me, post, refresh } from '../support/app.ts';
import { newLogFile } from '../support/database.ts';
import {
  askTokens,
  askTokensAfter,
  decideOn,
  deviceTokens,
  newDeviceClient,
  type Started,
  startDevice,
  typeCode,
} from '../support/devices.ts';
import { textOf } from '../support/html.ts';
import { logOf } from '../support/log-lines.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson, Person } from '../support/person.ts';
import { newClient, newUser } from '../support/seed.ts';
import { startServer } from '../support/server.ts';
import { traceOf } from '../support/traces.ts';

const gatehouse = await openServer({});
const second = await gatehouse.secondProcess();
const cli = { id: 'cli' };
const rounds = races(gatehouse.mount === 'next' ? 1 : 5);

const errorOf = ({ status, body }: Answer) => [status, body.error];
const rowsOf = (clientId: string) =>
  read<{ id: string; state: string; userCode: string; hash: string; interval: number }>(
    'SELECT id, state, user_code, hash, "interval" FROM device_authorizations WHERE client_id = $1',
    [clientId],
  );
const eventsOf = async (clientId: string) =>
  (
    await read<{ type: string }>('SELECT type FROM audit_events WHERE client_id = $1 ORDER BY id', [
      clientId,
    ])
  ).map(({ type }) => type);

describe('the device authorization endpoint (RFC 8628 section 3.1)', () => {
  test('answers with device_code, user_code, verification URIs, expires_in and interval', async () => {
    const client = await newDeviceClient();
    const { status, headers, body } = await post(gatehouse, '/oauth/device_authorization', {
      client_id: client.id,
      scope: 'openid profile',
    });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      device_code: expect.stringMatching(/^gh_dc_[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${gatehouse.issuer}/device`,
      verification_uri_complete: `${gatehouse.issuer}/device?user_code=${body.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    const stored = JSON.stringify(await read('SELECT * FROM device_authorizations', []));
    expect(stored).not.toContain(String(body.device_code).slice(6));
  });

  test('requires the client authentication of the token endpoint', async () => {
    const client = await newDeviceClient({ type: 'confidential' });
    const ask = (params: Record<string, string>, headers = {}) =>
      post(gatehouse, '/oauth/device_authorization', params, headers);
    expect((await ask(credentials(client))).status).toBe(200);
    expect((await ask({}, basic(client))).status).toBe(200);
    expect(errorOf(await ask({ client_id: client.id }))).toEqual([401, 'invalid_client']);
    expect(errorOf(await ask({}, basic(client, client.id, 'wrong')))).toEqual([
      401,
      'invalid_client',
    ]);
    expect(errorOf(await ask({ client_id: 'nobody' }))).toEqual([401, 'invalid_client']);
    expect(errorOf(await ask({}))).toEqual([401, 'invalid_client']);
  });

  test('refuses clients without the grant type, scopes that the client may not request, and malformed requests', async () => {
    const other = await newClient({ type: 'public' });
    const client = await newDeviceClient();
    const ask = (client_id: string, more: Record<string, string> = {}) =>
      post(gatehouse, '/oauth/device_authorization', { client_id, ...more });
    expect(errorOf(await ask(other.id))).toEqual([400, 'unauthorized_client']);
    expect(errorOf(await ask(client.id, { scope: 'a "b' }))).toEqual([400, 'invalid_scope']);
    expect(errorOf(await ask(client.id, { scope: 'unheard-of' }))).toEqual([400, 'invalid_scope']);
    const listed = await newDeviceClient({ scopes: ['profile'] });
    expect(errorOf(await ask(listed.id, { scope: 'email' }))).toEqual([400, 'invalid_scope']);
    expect(errorOf(await ask(listed.id, { scope: 'groups' }))).toEqual([400, 'invalid_scope']);
    expect((await ask(listed.id, { scope: 'groups profile' })).status).toBe(200);
    const path = `/oauth/device_authorization?client_id=${client.id}`;
    expect(errorOf(await post(gatehouse, path, {}))).toEqual([400, 'invalid_request']);
    const twice: [string, string][] = [
      ['client_id', client.id],
      ['scope', 'email'],
      ['scope', 'profile'],
    ];
    const answer = await post(gatehouse, '/oauth/device_authorization', twice);
    expect(errorOf(answer)).toEqual([400, 'invalid_request']);
    const introduced = await newDeviceClient();
    await write("UPDATE clients SET origin = 'document' WHERE id = $1", [introduced.id]);
    await write('UPDATE revision SET value = value + 1', []);
    expect(errorOf(await ask(introduced.id))).toEqual([400, 'unauthorized_client']);
    expect(await rowsOf(client.id)).toEqual([]);
  });

  test.skipIf(gatehouse.mount === 'next')(
    'refuses a network after 60 requests (429, Retry-After)',
    async () => {
      const client = await newDeviceClient();
      const from = {
        'X-Forwarded-For': `2001:db8:${Math.floor(Math.random() * 65_536).toString(16)}::7`,
      };
      const answers: Answer[] = [];
      for (let each = 0; each < 62; each += 1)
        answers.push(
          await post(gatehouse, '/oauth/device_authorization', { client_id: client.id }, from),
        );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
      const last = answers.at(-1);
      expect(last && errorOf(last)).toEqual([429, 'temporarily_unavailable']);
      expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    },
  );

  test('is in the metadata, with its grant type', async () => {
    for (const path of ['oauth-authorization-server', 'openid-configuration']) {
      const response = await fetch(`${gatehouse.base}/.well-known/${path}`);
      expect(await response.json()).toMatchObject({
        device_authorization_endpoint: `${gatehouse.issuer}/oauth/device_authorization`,
        grant_types_supported: expect.arrayContaining([deviceGrant]),
      });
    }
  });
});

describe('the device code grant at the token endpoint (RFC 8628 sections 3.4 and 3.5)', () => {
  test('is authorization_pending until the user allows it, then gives tokens that work and can be revoked', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient();
    const started = await startDevice(gatehouse, client, { scope: 'openid profile' });
    const pending = await askTokens(gatehouse, client, started);
    expect(errorOf(pending)).toEqual([400, 'authorization_pending']);
    expect(pending.headers.get('cache-control')).toBe('no-store');
    const done = await decideOn(person, started);
    expect(done.at).toBe('/device/allowed');
    const { status, body } = await askTokensAfter(6, client, started);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', scope: 'openid profile' });
    expect(decodeJwt(String(body.id_token))).toMatchObject({
      iss: gatehouse.issuer,
      aud: client.id,
      sub: person.user.id,
    });
    expect((await me(second, String(body.access_token))).body.sub).toBe(person.user.id);
    const more = { client_id: client.id };
    const again = await refresh(second, String(body.refresh_token), more);
    expect(again.status).toBe(200);
    expect(await eventsOf(client.id)).toEqual(['device.allowed']);
    // The device is among the person's apps, and can be removed.
    expect(textOf((await person.open('/account/apps')).html)).toContain(`App ${client.id}`);
    await revokeGrants({ user: person.username, client: client.id }, cli, new Date());
    expect((await me(gatehouse, String(again.body.access_token))).status).toBe(401);
    const gone = await refresh(gatehouse, String(again.body.refresh_token), more);
    expect(gone.body.error).toBe('invalid_grant');
  });

  test('gives no refresh token to a client without that grant, and an access token that works', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient({ grants: [deviceGrant] });
    const tokens = await deviceTokens(gatehouse, person, client, {
      scope: 'openid offline_access',
    });
    expect(Object.keys(tokens)).not.toContain('refresh_token');
    expect(tokens).toMatchObject({ token_type: 'Bearer', id_token: expect.any(String) });
    expect((await me(second, tokens.access_token)).body.sub).toBe(person.user.id);
  });

  test('is access_denied after the user denied it', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient();
    const started = await startDevice(gatehouse, client);
    expect((await decideOn(person, started, 'deny')).at).toBe('/device/denied');
    expect(errorOf(await askTokens(gatehouse, client, started))).toEqual([400, 'access_denied']);
    expect(errorOf(await askTokens(gatehouse, client, started))).toEqual([400, 'access_denied']);
    expect(await eventsOf(client.id)).toEqual(['device.denied']);
    expect(await read('SELECT id FROM grants WHERE client_id = $1', [client.id])).toEqual([]);
    expect((await typeCode(person, started.user_code)).at).toBe('/device');
  });

  test('is slow_down for a device that polls too often, with an interval that grows to a maximum', async () => {
    const client = await newDeviceClient();
    const started = await startDevice(gatehouse, client);
    expect(errorOf(await askTokens(gatehouse, client, started))).toEqual([
      400,
      'authorization_pending',
    ]);
    for (const interval of ['10', '15', '20']) {
      const hasty = await askTokens(second, client, started);
      expect(errorOf(hasty)).toEqual([400, 'slow_down']);
      expect(hasty.headers.get('retry-after')).toBe(interval);
    }
    expect((await askTokensAfter(10, client, started)).body.error).toBe('slow_down');
    expect((await askTokensAfter(26, client, started)).body.error).toBe('authorization_pending');
    for (let each = 0; each < 12; each += 1) await askTokensAfter(27, client, started);
    expect((await rowsOf(client.id))[0]?.interval).toBe(60);
    expect((await askTokensAfter(90, client, started)).body.error).toBe('authorization_pending');
  });

  test('is expired_token after ten minutes, and the user’s late decision is refused', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient();
    const started = await startDevice(gatehouse, client);
    expect((await askTokensAfter(580, client, started)).body.error).toBe('authorization_pending');
    expect(errorOf(await askTokensAfter(601, client, started))).toEqual([400, 'expired_token']);
    const page = await typeCode(person, started.user_code);
    await write('UPDATE device_authorizations SET expires_at = $2 WHERE client_id = $1', [
      client.id,
      new Date(),
    ]);
    const late = await person.submit(page, '/device/confirm/submit', { decision: 'allow' });
    expect(late.at).toBe('/device/over');
    expect(textOf(late.html)).toContain('This code no longer works');
    expect(errorOf(await askTokens(gatehouse, client, started))).toEqual([400, 'expired_token']);
  });

  test.each([
    ['is deleted', (scope: string) => deleteScope(scope, cli, new Date())],
    [
      'is taken from its app',
      (_: string, id: string) =>
        updateClient(id, { scopes: ['openid'] }, { actor: cli, now: new Date() }),
    ],
  ] as const)('a scope that %s meanwhile: the decision is refused', async (_, end) => {
    const person = await newPerson(gatehouse);
    const scope = `s${Math.random().toString(36).slice(2)}`;
    await createScope({ name: scope, description: 'Payments' }, cli, new Date());
    const client = await newDeviceClient({ scopes: ['openid', scope] });
    const started = await startDevice(gatehouse, client, { scope: `openid ${scope}` });
    const page = await typeCode(person, started.user_code);
    await end(scope, client.id);
    const late = await person.submit(page, '/device/confirm/submit', { decision: 'allow' });
    expect(late.at).toBe('/device/over');
    const grants = await read('SELECT scopes FROM grants WHERE client_id = $1', [client.id]);
    expect(grants).toEqual([]);
  });

  test('refuses the code of another client, an unknown one and none, and consumes nothing', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient();
    const other = await newDeviceClient();
    const started = await startDevice(gatehouse, client);
    await decideOn(person, started);
    expect(errorOf(await askTokens(gatehouse, other, started))).toEqual([400, 'invalid_grant']);
    const guessed = { device_code: `gh_dc_${'A'.repeat(43)}` };
    expect(errorOf(await askTokens(gatehouse, client, guessed))).toEqual([400, 'invalid_grant']);
    const without = { grant_type: deviceGrant, client_id: client.id };
    expect(errorOf(await post(gatehouse, '/oauth/token', without))).toEqual([
      400,
      'invalid_request',
    ]);
    const inQuery = `/oauth/token?device_code=${started.device_code}`;
    expect(errorOf(await post(gatehouse, inQuery, without))).toEqual([400, 'invalid_request']);
    const asCode = { ...without, grant_type: 'authorization_code', code: started.device_code };
    expect((await post(gatehouse, '/oauth/token', asCode)).status).toBe(400);
    expect((await askTokens(gatehouse, client, started)).status).toBe(200);
  });

  test('a second redemption is refused and ends the tokens', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient();
    const tokens = await deviceTokens(gatehouse, person, client);
    const again = await askTokensAfter(30, client, tokens);
    expect(errorOf(again)).toEqual([400, 'invalid_grant']);
    expect((await me(gatehouse, tokens.access_token)).status).toBe(401);
    expect(await eventsOf(client.id)).toEqual(['device.allowed', 'code.reused']);
  });

  test('the trace of a denied device code names the rule device-code.denied, without the code', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient();
    const started = await startDevice(gatehouse, client);
    await decideOn(person, started, 'deny');
    const trace = await traceOf(await askTokens(gatehouse, client, started));
    expect(JSON.stringify(trace)).toContain('device-code.denied');
    expect(JSON.stringify(trace)).not.toContain(started.device_code);
  });
});

describe('the device grant with resource (RFC 8707)', () => {
  const start = async (params: [string, string][]) => {
    const client = await newDeviceClient();
    const asked: [string, string][] = [['client_id', client.id], ...params];
    return { client, answer: await post(gatehouse, '/oauth/device_authorization', asked) };
  };

  test('the confirmation page names the API, and the tokens are for it', async () => {
    const person = await newPerson(gatehouse);
    const api = await newApi({ scopes: ['tools'] });
    const { client, answer } = await start([
      ['scope', 'openid tools'],
      ['resource', api.identifier],
    ]);
    const started = answer.body as Started;
    const page = await typeCode(person, started.user_code);
    expect(textOf(page.html)).toContain('May tools');
    expect(textOf(page.html)).toContain(`API ${api.id}`);
    await person.submit(page, '/device/confirm/submit', { decision: 'allow' });
    const { body } = await askTokens(gatehouse, client, started);
    expect(body.scope).toBe('openid tools');
    const [row] = await read<{ resources: string }>(
      'SELECT resources FROM authorizations WHERE client_id = $1',
      [client.id],
    );
    expect(row?.resources).toBe(api.identifier);
    const [grant] = await read<{ scopes: string }>(
      'SELECT scopes FROM grants WHERE client_id = $1',
      [client.id],
    );
    expect(grant?.scopes).toBe(`openid ${api.identifier} ${api.identifier}#tools`);
  });

  test('an API that the client may not ask for is invalid_target, at the start and at the token endpoint', async () => {
    const person = await newPerson(gatehouse);
    const api = await newApi();
    const closed = await newApi({ access: 'listed' });
    expect(errorOf((await start([['resource', closed.identifier]])).answer)).toEqual([
      400,
      'invalid_target',
    ]);
    const { client, answer } = await start([['resource', api.identifier]]);
    const started = answer.body as Started;
    await decideOn(person, started);
    const other = await newApi();
    const swapped: [string, string][] = [
      ...Object.entries({ grant_type: deviceGrant, client_id: client.id }),
      ['device_code', started.device_code],
      ['resource', other.identifier],
    ];
    expect(errorOf(await post(gatehouse, '/oauth/token', swapped))).toEqual([
      400,
      'invalid_target',
    ]);
    expect((await askTokensAfter(10, client, started)).status).toBe(200);
  });

  test('the decision is refused once the API has been deleted', async () => {
    const person = await newPerson(gatehouse);
    const api = await newApi();
    const { answer } = await start([['resource', api.identifier]]);
    const page = await typeCode(person, (answer.body as Started).user_code);
    await changeApi(api.id, null);
    const late = await person.submit(page, '/device/confirm/submit', { decision: 'allow' });
    expect(late.at).toBe('/device/over');
  });
});

describe('a device that was allowed, before it redeems its code', () => {
  const ends: [string, (person: Person, clientId: string) => Promise<unknown>][] = [
    [
      'the consent is withdrawn',
      (person, client) => revokeGrants({ user: person.username, client }, cli, new Date()),
    ],
    ['the person is disabled', (person) => disableUser(person.username, cli, new Date())],
    [
      'the app is no longer for them',
      (_, client) => updateClient(client, { access: 'listed' }, { actor: cli, now: new Date() }),
    ],
    [
      'the app demands a second factor',
      (_, client) =>
        updateClient(client, { requireSecondFactor: true }, { actor: cli, now: new Date() }),
    ],
  ];
  test.each(ends)('gets invalid_grant when %s', async (_, end) => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient();
    const started = await startDevice(gatehouse, client);
    await decideOn(person, started);
    await end(person, client.id);
    expect(errorOf(await askTokens(gatehouse, client, started))).toEqual([400, 'invalid_grant']);
    expect(errorOf(await askTokensAfter(10, client, started))).toEqual([400, 'invalid_grant']);
  });

  test('gets its tokens even if the server is killed meanwhile', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient();
    const server = await startServer({
      mount: 'direct',
      databaseUrl: gatehouse.databaseUrl,
      logFile: newLogFile('killed'),
      env: { ISSUER: gatehouse.issuer },
    });
    const third = { ...gatehouse, base: `http://127.0.0.1:${server.port}` };
    const elsewhere = Object.assign(new Person(third), { cookies: person.cookies });
    const started = await startDevice(third, client);
    expect((await decideOn(elsewhere, started)).at).toBe('/device/allowed');
    server.process.kill('SIGKILL');
    await once(server.process, 'exit');
    expect((await rowsOf(client.id)).map(({ state }) => state)).toEqual(['allowed']);
    expect((await askTokens(second, client, started)).status).toBe(200);
  });
});

describe('device codes under concurrency', () => {
  test('of 50 token requests at the same time one gets the tokens, and they work', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient();
    for (let round = 0; round < rounds; round += 1) {
      const started = await startDevice(gatehouse, client);
      await decideOn(person, started);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          askTokens(index % 2 === 0 ? gatehouse : second, client, started),
        ),
      );
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      const lost = answers.filter(({ status }) => status !== 200).map(({ body }) => body.error);
      expect(new Set(lost)).toEqual(new Set(['slow_down']));
      expect((await me(gatehouse, String(won[0]?.body.access_token))).status).toBe(200);
    }
  });

  test('of three users who decide at the same time one decision counts', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const client = await newDeviceClient();
      const started = await startDevice(gatehouse, client);
      const people = await Promise.all([
        newPerson(gatehouse),
        newPerson(second),
        newPerson(gatehouse),
      ]);
      const pages = await Promise.all(people.map((person) => typeCode(person, started.user_code)));
      const done = await Promise.all(
        people.map((person, index) =>
          person.submit(pages[index] as never, '/device/confirm/submit', {
            decision: index === 0 ? 'deny' : 'allow',
          }),
        ),
      );
      expect(done.filter(({ at }) => at === '/device/over')).toHaveLength(2);
      const stored = await read('SELECT id FROM authorizations WHERE client_id = $1', [client.id]);
      const decided = done.find(({ at }) => at !== '/device/over')?.at;
      expect(stored).toHaveLength(decided === '/device/allowed' ? 1 : 0);
      expect(await eventsOf(client.id)).toHaveLength(1);
    }
  });
});

describe('guessing of user codes (RFC 8628 section 5.1)', () => {
  const guess = () =>
    Array.from({ length: 8 }, () => 'BCDFGHJKLMNPQRSTVWXZ'[Math.floor(Math.random() * 20)]).join(
      '',
    );

  test('a wrong, an expired and a used user code get the same answer', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient();
    const used = await startDevice(gatehouse, client);
    const expired = await startDevice(gatehouse, client);
    await decideOn(person, used);
    const byCode = 'UPDATE device_authorizations SET expires_at = $2 WHERE user_code = $1';
    await write(byCode, [expired.user_code.replace('-', ''), new Date()]);
    const codes = [used.user_code, expired.user_code, guess()];
    const pages = [];
    for (const code of codes) pages.push(await typeCode(person, code));
    const texts = pages.map(({ html }) => textOf(html));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('No device is waiting with this code.');
    // The code that was typed is still in the field.
    expect(pages.map(({ forms }) => forms[0]?.fields.user_code)).toEqual(codes);
  });

  test('of 40 guesses at the same time at most ten are looked up, and then the right code is refused, too', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient();
    const started = await startDevice(gatehouse, client);
    const page = await person.open('/device');
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const { body, headers } = person.postOf(page, '/device/submit', { user_code: guess() });
        const to = index % 2 === 0 ? gatehouse : second;
        const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(`${to.base}/device/submit`, {
          method: 'POST',
          redirect: 'manual',
          body,
          headers: {
            ...headers,
            Origin: to.issuer,
            Cookie: cookie,
            'Content-Type': 'application/x-www-form-urlencoded',
          },
        });
        return answer.headers.get('location');
      }),
    );
    expect(new Set(answers)).toEqual(new Set(['/device']));
    const [row] = await read<{ total: number }>('SELECT total FROM throttles WHERE key = $1', [
      `user-code:of ${person.user.id}`,
    ]);
    expect(row?.total).toBeLessThanOrEqual(10);
    const refused = await typeCode(person, started.user_code);
    expect(textOf(refused.html)).toContain('Too many wrong codes.');
    // Another person can still approve their own device.
    expect((await decideOn(await newPerson(gatehouse), started)).at).toBe('/device/allowed');
  });

  test('right user codes do not count towards the limit', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient();
    for (let each = 0; each < 12; each += 1) {
      const started = await startDevice(gatehouse, client);
      expect((await typeCode(person, started.user_code)).at).toMatch(/^\/device\/confirm/);
    }
  });
});

describe('the device pages', () => {
  test('keep the user_code of verification_uri_complete through sign-in, and need an explicit decision', async () => {
    const user = await newUser({ name: 'Ada' });
    const client = await newDeviceClient({ name: 'Cinema' });
    const started = await startDevice(
      gatehouse,
      client,
      { scope: 'openid email' },
      { 'X-Forwarded-For': '198.51.100.7' },
    );
    const person = new Person(gatehouse, user.username);
    const { pathname, search } = new URL(started.verification_uri_complete);
    const page = await person.signInAt(await person.open(pathname + search));
    expect(page.at).toBe(`/device?user_code=${started.user_code}`);
    expect(page.forms[0]?.fields.user_code).toBe(started.user_code);
    expect((await askTokens(gatehouse, client, started)).body.error).toBe('authorization_pending');
    const asked = await person.submit(page, '/device/submit');
    const text = textOf(asked.html);
    expect(text).toContain('Use Cinema on another device with your account?');
    expect(text).toContain(started.user_code);
    expect(text).toContain('If someone sent you this code or link');
    expect(text).toContain(
      gatehouse.mount === 'next'
        ? 'The device asked just now'
        : 'The device asked just now from 198.51.100.7',
    );
    expect(text).toContain(user.email);
    // Opening the page again decides nothing; neither does a post without a decision.
    await person.open(asked.at);
    await person.submit(asked, '/device/confirm/submit');
    expect((await rowsOf(client.id)).map(({ state }) => state)).toEqual(['waiting']);
    expect((await person.submit(asked, '/device/confirm/submit', { decision: 'allow' })).at).toBe(
      '/device/allowed',
    );
  });

  test.each(['wdjb', 'WDJB-MJH1', 'AEIOU-AEI', '', 'WDJBMJHTX', '<script>'])(
    'do not look up what is no user code: %j',
    async (typed) => {
      const person = await newPerson(gatehouse);
      const page = await typeCode(person, typed);
      expect(textOf(page.html)).toMatch(/That isn’t a code from a device|Type the code/);
      expect(page.forms[0]?.fields.user_code ?? '').toBe(typed);
      const counted = await read('SELECT key FROM throttles WHERE key = $1', [
        `user-code:of ${person.user.id}`,
      ]);
      expect(counted).toEqual([]);
    },
  );

  test('accept a user code in any spelling', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient();
    const spellings = [
      (code: string) => code.toLowerCase(),
      (code: string) => code.replace('-', ''),
      (code: string) => ` ${code.toLowerCase().replace('-', ' ')} `,
      (code: string) => [...code.replace('-', '')].join('.'),
      (code: string) => code.replace('-', '–'),
    ];
    for (const spell of spellings) {
      const { user_code } = await startDevice(gatehouse, client);
      expect((await typeCode(person, spell(user_code))).at).toMatch(/^\/device\/confirm\?device=/);
    }
  });

  test('ask for confirmation each time: consent for a device is not remembered', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient();
    await deviceTokens(gatehouse, person, client);
    const page = await typeCode(person, (await startDevice(gatehouse, client)).user_code);
    expect(page.forms.some(({ action }) => action === '/device/confirm/submit')).toBe(true);
    const [grant] = await read<{ remembered: string }>(
      'SELECT remembered FROM grants WHERE client_id = $1',
      [client.id],
    );
    expect(grant?.remembered).toBe('');
  });

  test('are bound to the browser where the user code was typed, and to its CSRF value', async () => {
    const person = await newPerson(gatehouse);
    const thief = await newPerson(gatehouse);
    const client = await newDeviceClient();
    const started = await startDevice(gatehouse, client);
    const page = await typeCode(person, started.user_code);
    expect((await thief.open(page.at)).at).toBe('/device/over');
    const forged = thief.postOf(await thief.open('/device'), '/device/submit');
    const fields = new URLSearchParams(forged.body);
    const own = page.forms.find(({ action }) => action === '/device/confirm/submit')?.fields ?? {};
    const body = new URLSearchParams({
      ...own,
      csrf: fields.get('csrf') ?? '',
      decision: 'allow',
    }).toString();
    const post = { method: 'POST', body, headers: forged.headers };
    expect((await thief.open('/device/confirm/submit', post)).at).toBe('/device/over');
    const stale = {
      ...post,
      body: new URLSearchParams({ ...own, csrf: 'x', decision: 'allow' }).toString(),
    };
    expect((await person.open('/device/confirm/submit', stale)).status).toBe(403);
    const foreign = person.postOf(page, '/device/confirm/submit', { decision: 'allow' });
    const crossSite = { ...foreign.headers, Origin: 'https://evil.example' };
    const crossed = await person.open('/device/confirm/submit', {
      method: 'POST',
      body: foreign.body,
      headers: crossSite,
    });
    expect(crossed.status).toBe(403);
    expect((await rowsOf(client.id)).map(({ state }) => state)).toEqual(['waiting']);
  });

  test('after a switch of accounts show the confirmation again', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient();
    const started = await startDevice(gatehouse, client);
    const page = await typeCode(person, started.user_code);
    const other = await newUser();
    const again = await person.open(`/login?back=${encodeURIComponent(page.at)}`);
    const asOther = await person.signInAt(again, other.username);
    expect(asOther.at).toBe(page.at);
    expect(textOf(asOther.html)).toContain(other.email);
    const stale = await person.submit(page, '/device/confirm/submit', { decision: 'allow' });
    expect(textOf(stale.html)).toContain('Something changed while this page was open.');
    expect((await rowsOf(client.id)).map(({ state }) => state)).toEqual(['waiting']);
  });

  test('refuse a user who may not use the app, or is outside its networks; the device keeps waiting', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient({ access: 'listed' });
    const started = await startDevice(gatehouse, client);
    const page = await typeCode(person, started.user_code);
    expect(textOf(page.html)).toContain(`You can’t use App ${client.id}`);
    expect(page.forms.map(({ action }) => action)).not.toContain('/device/confirm/submit');
    expect(await eventsOf(client.id)).toEqual(['access.refused']);
    expect((await askTokens(gatehouse, client, started)).body.error).toBe('authorization_pending');
    const far = await newDeviceClient({ networks: ['192.0.2.0/24'] });
    const elsewhere = await typeCode(person, (await startDevice(gatehouse, far)).user_code);
    expect(textOf(elsewhere.html)).toContain('from certain networks');
  });

  test('ask for a newer or stronger sign-in where the app demands it', async () => {
    const person = await newPerson(gatehouse);
    const strict = await newDeviceClient({ maxSignInAge: 60 });
    const { user_code } = await startDevice(gatehouse, strict);
    const hourAgo = new Date(Date.now() - 3_600_000);
    await write('UPDATE sessions SET auth_time = $2 WHERE user_id = $1', [person.user.id, hourAgo]);
    const signIn = await typeCode(person, user_code);
    expect(signIn.at).toMatch(/^\/login\?back=%2Fdevice%2Fconfirm/);
    expect((await person.signInAt(signIn)).at).toMatch(/^\/device\/confirm\?device=/);
    const stronger = await newDeviceClient({ requireSecondFactor: true });
    const again = await typeCode(person, (await startDevice(gatehouse, stronger)).user_code);
    expect(again.at).toMatch(/^\/login\?back=/);
    expect((await person.signInAt(again)).at).toMatch(/^\/login\/enrol\?back=/);
  });

  test('are shown in German', async () => {
    const person = await newPerson(gatehouse);
    const client = await newDeviceClient();
    person.language = 'de';
    const page = await typeCode(person, (await startDevice(gatehouse, client)).user_code);
    expect(textOf(page.html)).toContain('Zeigt Ihr Gerät genau diesen Code?');
  });
});

test('device codes and user codes are not in the log', async () => {
  const person = await newPerson(gatehouse);
  const client = await newDeviceClient();
  const started = await deviceTokens(gatehouse, person, client);
  const log = await logOf(gatehouse);
  expect(log).toContain(client.id);
  for (const secret of [
    started.device_code.slice(6),
    started.user_code,
    started.user_code.replace('-', ''),
  ])
    expect(log).not.toContain(secret);
});
