import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteClient, disableClient, updateClient } from '#lib/management/client/clients.ts';
import { blockHost } from '#lib/management/host/hosts.ts';
import {
  createRegistrationToken,
  listRegistrationTokens,
  removeRegistrationToken,
} from '#lib/management/registration-token/registration-tokens.ts';
import { digest, newSecret } from '#lib/oauth/secrets.ts';
import { newRegisteredId } from '#lib/registration/registered-id.ts';
import { takeTry } from '#lib/store/throttles.ts';
import { basic, credentials, me, post, redeem, refresh } from '../support/app.ts';
import { textOf } from '../support/html.ts';
import { linesAbout } from '../support/log-lines.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newAddress, newRegistered, register } from '../support/registering.ts';
import { newPkce } from '../support/seed.ts';
import { set } from '../support/settings.ts';

const server = await openServer({});
const actor = { id: 'cli' };
const redirect_uris = ['https://app.example/callback'];
const metadata = { client_name: 'Some App', redirect_uris };
const rowOf = async (id: string) =>
  (await prisma()).client.findUnique({
    where: { id },
    include: { secrets: true, addresses: true, introduction: true },
  });
const request = (client: { id: string }, more: Record<string, string> = {}) =>
  authorizePath({ client_id: client.id, response_type: 'code', scope: 'profile', ...more });

beforeEach(() => set('CLIENT_REGISTRATION', 'open'));

describe('the registration endpoint (RFC 7591 section 3)', () => {
  test('is in both metadata documents while registration is on', async () => {
    for (const name of ['oauth-authorization-server', 'openid-configuration'])
      for (const mode of ['off', 'token', 'open'] as const) {
        await set('CLIENT_REGISTRATION', mode);
        const known = await (await fetch(`${server.base}/.well-known/${name}`)).json();
        const at = mode === 'off' ? undefined : `${server.issuer}/oauth/register`;
        expect((known as Record<string, unknown>).registration_endpoint).toBe(at);
      }
  });

  test('is 404 with an explanation while registration is off', async () => {
    await set('CLIENT_REGISTRATION', 'off');
    const { status, body } = await register(server, metadata, newAddress());
    expect([status, body.error]).toEqual([404, 'invalid_request']);
    expect(body.error_description).toContain('An admin');
  });

  test('answers a confidential client with its registered metadata and secret (section 3.2.1)', async () => {
    const before = Math.floor(Date.now() / 1000);
    const sent = { ...metadata, grant_types: ['authorization_code', 'client_credentials'] };
    const more = { logo_uri: 'https://app.example/l.png', x: { y: 1 }, client_id: 'mine' };
    const { status, body, headers } = await register(server, { ...sent, ...more }, newAddress());
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      client_id: expect.stringMatching(/^gh_dyn_[\w-]{80,300}$/),
      client_id_issued_at: expect.any(Number),
      client_secret: expect.stringMatching(/^gh_cs_[\w-]{43}$/),
      client_secret_expires_at: 0,
      client_name: 'Some App',
      redirect_uris,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      id_token_signed_response_alg: 'RS256',
      registration_client_uri: `${server.issuer}/oauth/register?client_id=${body.client_id}`,
      registration_access_token: expect.stringMatching(/^gh_ra_/),
    });
    expect(body.client_id_issued_at).toBeGreaterThanOrEqual(before);
  });

  test('answers a public client without a secret', async () => {
    const links = { client_uri: 'https://app.example/', tos_uri: 'https://app.example/terms' };
    const sent = {
      ...metadata,
      ...links,
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['http://127.0.0.1/cb', 'com.example.app:/cb'],
    };
    const { status, body } = await register(server, sent, newAddress());
    expect([status, body]).toMatchObject([201, sent]);
    expect(Object.keys(body).filter((name) => name.startsWith('client_secret'))).toEqual([]);
  });

  test.each<[string, unknown, string?]>([
    ['no address', {}, 'invalid_redirect_uri'],
    ['plain http', { redirect_uris: ['http://app.example/'] }, 'invalid_redirect_uri'],
    ['a script', { redirect_uris: ['javascript:alert(1)//x'] }, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: ['https://app.example/#x'] }, 'invalid_redirect_uri'],
    ['a key instead of a secret', { ...metadata, token_endpoint_auth_method: 'private_key_jwt' }],
    [
      'keys at a port, which anybody could have this server try',
      {
        ...metadata,
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: 'https://app.example:8443/keys',
      },
    ],
    ['client credentials alone', { ...metadata, grant_types: ['client_credentials'] }],
    ['a token in the address', { ...metadata, response_types: ['token'] }],
    [
      'too much for an id',
      { ...metadata, client_uri: longLink(), policy_uri: longLink(), tos_uri: longLink() },
    ],
    ['a list', [metadata]],
    ['null', 'null'],
    ['no JSON', '{"redirect_uris":'],
    ['nothing', ''],
  ])('refuses %s with an error code and a description (section 3.2.2)', async (_, sent, code) => {
    const { status, body, headers } = await register(server, sent, newAddress());
    expect([status, body.error]).toEqual([400, code ?? 'invalid_client_metadata']);
    expect(String(body.error_description).length).toBeGreaterThan(20);
    expect(body.error_uri).toContain(`${server.issuer}/docs/errors/${body.error}?request=`);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test.each([
    ['two hosts', ['https://claude.ai/cb', 'https://evil.example/cb']],
    ['two hosts of one domain', ['https://a.example.org/cb', 'https://b.example.org/cb']],
    ['two schemes', ['com.example.app:/cb', 'com.example.other:/cb']],
    ['a host that ends with a dot', ['https://app.example./cb']],
  ])('refuses %s: all redirect URIs must be at one place', async (_, uris) => {
    const { status, body } = await register(server, { redirect_uris: uris }, newAddress());
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
    expect(body.error_description).toMatch(/more than one place|ends with a dot/);
  });

  test('refuses post_logout_redirect_uris at another host or a blocked one', async () => {
    const away = { ...metadata, post_logout_redirect_uris: ['https://evil.example/login'] };
    const refused = await register(server, away, newAddress());
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_redirect_uri']);
    expect(refused.body.error_description).toContain('evil.example');
    const host = `${randomBytes(6).toString('hex')}.example`;
    await blockHost(host, actor, new Date());
    const local = {
      redirect_uris: ['http://127.0.0.1/cb'],
      post_logout_redirect_uris: [`https://${host}/bye`],
    };
    const blocked = await register(server, local, newAddress());
    expect([blocked.status, blocked.body.error]).toEqual([400, 'invalid_redirect_uri']);
    expect(blocked.body.error_description).toContain('is blocked');
  });

  test('accepts a host with subdomains and loopback, as editors register', async () => {
    const uris = [
      'https://insiders.editor.example/redirect',
      'https://editor.example/redirect',
      'http://127.0.0.1/',
      'http://127.0.0.1:33418/',
    ];
    const { status, body } = await register(server, { redirect_uris: uris }, newAddress());
    expect([status, body.redirect_uris]).toEqual([201, uris]);
  });

  test('refuses another content type, a secret in the URL and more than 16 KB', async () => {
    const form = { ...newAddress(), 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await register(server, 'redirect_uris=x', form)).body.error_description).toContain(
      'application/json',
    );
    const withQuery = (query: string) =>
      fetch(`${server.base}/oauth/register?${query}`, {
        method: 'POST',
        body: JSON.stringify(metadata),
        headers: { ...newAddress(), 'Content-Type': 'application/json' },
      });
    expect((await withQuery('access_token=x')).status).toBe(400);
    expect((await withQuery('client-request-id=x')).status).toBe(201);
    const padded = { ...metadata, padding: 'x'.repeat(17_000) };
    expect((await register(server, padded, newAddress())).status).toBe(413);
  });

  test('allows scripts of any origin (CORS)', async () => {
    const { status, headers } = await fetch(`${server.base}/oauth/register`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect([status, headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, POST, OPTIONS',
    ]);
    expect(headers.get('access-control-allow-headers')).toContain('Content-Type');
  });

  test('answers hostile JSON with 201 or 400, never with a server error', async () => {
    const deep = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`;
    const around = (value: string) =>
      `{"redirect_uris":["https://app.example/"],"client_name":${value},"x":${value}}`;
    const bodies = [
      deep(8000),
      '['.repeat(16_000),
      `{"redirect_uris":${deep(7000)}}`,
      `{"grant_types":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}`,
      ...['1e999', '"\\ud800"', '"\\u0000"', '[]', '{}', 'true', '""', '"\\u202eevil"'].map(around),
      '{"__proto__":{"redirect_uris":["https://app.example/"]}}',
      '{"constructor":{},"toString":1,"redirect_uris":["https://app.example/"]}',
      `{"redirect_uris":["https://app.example/${'\\u00e9'.repeat(10)}"]}`,
      `{"redirect_uris":[${'"https://app.example/",'.repeat(300)}"https://app.example/"]}`,
      `{"redirect_uris":["https://app.example/\\u0000"]}`,
      `{"redirect_uris":["app:"]}`,
      `{"redirect_uris":["app://"]}`,
      `{"redirect_uris":["https://"]}`,
      `{"redirect_uris":["https://app.example/"],"redirect_uris":["javascript:1"]}`,
      '\ufeff{}',
      ...Array.from({ length: 40 }, () => mutated(JSON.stringify(metadata))),
    ];
    for (const body of bodies) {
      const { status, body: answer } = await register(server, body, newAddress());
      expect([201, 400], body.slice(0, 200)).toContain(status);
      if (status === 400) expect(answer.error, body).toMatch(/^invalid_/);
    }
    const bytes = await fetch(`${server.base}/oauth/register`, {
      method: 'POST',
      body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
      headers: { ...newAddress(), 'Content-Type': 'application/json' },
    });
    expect(bytes.status).toBe(400);
  });
});

/** A link that does not compress. */
function longLink(): string {
  return `https://app.example/${randomBytes(360).toString('base64url')}`;
}

/** The text with some characters replaced. */
function mutated(text: string): string {
  const [...characters] = text;
  for (const byte of randomBytes(3))
    characters[byte % characters.length] = '{}[]",:\\0ue\u0001'[byte % 13] ?? '';
  return characters.join('');
}

describe('a dynamically registered client', () => {
  test('is stored when a user first consents, and works like any other', async () => {
    const client = await newRegistered(server, metadata);
    const person = await newPerson(server);
    const consent = await person.open(request(client));
    expect(consent.at).toMatch(/^\/consent/);
    expect(textOf(consent.html)).toContain('Some App');
    expect(await rowOf(client.id)).toBeNull();
    const { code = '' } = answerOf(await person.decide(consent, 'allow'));
    const row = await rowOf(client.id);
    expect(row).toMatchObject({
      name: 'Some App',
      type: 'confidential',
      origin: 'registration',
      grants: 'authorization_code refresh_token',
      introduction: { host: 'app.example' },
      addresses: [{ kind: 'redirect', uri: redirect_uris[0] }],
    });
    expect(row?.secrets.map(({ hash }) => hash)).toEqual([digest(client.secret)]);
    expect(JSON.stringify(row)).not.toContain(client.secret);

    const wrong = await redeem(server, { ...client, secret: newSecret('clientSecret') }, code);
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client']);
    const params = { grant_type: 'authorization_code', code };
    const { body } = await post(server, '/oauth/token', params, basic(client));
    expect((await me(server, String(body.access_token))).body.username).toBe(person.username);
    const again = await refresh(server, String(body.refresh_token), credentials(client));
    expect(again.status).toBe(200);
    // The consent is remembered, so the second request does not ask.
    expect(answerOf(await person.open(request(client))).code).toBeTruthy();
  });

  test('can be public, on any port of localhost, with PKCE', async () => {
    const client = await newRegistered(server, {
      redirect_uris: ['http://localhost/callback'],
      token_endpoint_auth_method: 'none',
    });
    const person = await newPerson(server);
    const pkce = newPkce();
    const redirect_uri = 'http://localhost:53682/callback';
    const page = await person.open(request(client, { redirect_uri, ...pkce.challenge }));
    const back = await person.decide(page, 'allow');
    expect(back.at.startsWith(`${redirect_uri}?`)).toBe(true);
    const { status, body } = await post(server, '/oauth/token', {
      grant_type: 'authorization_code',
      code: answerOf(back).code ?? '',
      redirect_uri,
      client_id: client.id,
      code_verifier: pkce.verifier,
    });
    expect([status, typeof body.refresh_token]).toEqual([200, 'string']);
  });

  test('is stored once when six users consent at the same time', async () => {
    const client = await newRegistered(server);
    const people = await Promise.all(Array.from({ length: 6 }, () => newPerson(server)));
    const pages = await Promise.all(people.map((person) => person.open(request(client))));
    const codes = await Promise.all(
      people.map(
        async (person, at) => answerOf(await person.decide(pages[at] as never, 'allow')).code,
      ),
    );
    const redeemed = await Promise.all(codes.map((code) => redeem(server, client, code ?? '')));
    expect(redeemed.map(({ status }) => status)).toEqual(people.map(() => 200));
    const events = await (await prisma()).auditEvent.findMany({ where: { clientId: client.id } });
    expect(events.filter(({ type }) => type === 'client.introduced')).toHaveLength(1);
  });

  test.each([
    ['en', /You’ve allowed 20 new apps .* Try again in 1 minute\./],
    ['de', /Sie haben in kurzer Zeit 20 neue Apps zugelassen.* in 1 Minute noch einmal/],
  ])(
    'after 20 new ones by one user gets 429 with Retry-After and an explanation (%s)',
    async (language, sentence) => {
      const person = await newPerson(server);
      const client = await newRegistered(server, metadata);
      person.language = language;
      const consent = await person.open(request(client));
      for (let each = 0; each < 20; each += 1)
        await takeTry({ key: `registered:${person.user.id}`, limit: 20 }, new Date());
      const refused = await person.decide(consent, 'allow');
      expect(refused.status).toBe(429);
      const wait = Number(refused.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(50);
      expect(wait).toBeLessThanOrEqual(60);
      expect(textOf(refused.html)).toMatch(sentence);
      expect(await rowOf(client.id)).toBeNull();
      const id = refused.headers.get('x-request-id') ?? '';
      const lines = await linesAbout(server, [id]);
      expect(lines.find(({ msg }) => msg === 'refused')).toMatchObject({
        clientId: client.id,
        code: 'temporarily_unavailable',
        rule: 'client.too-many-new',
        problem: 'too_many_new_apps',
      });
    },
  );

  test('can have a client_id of more than 1,000 characters', async () => {
    const uri = `https://app.example/${randomBytes(700).toString('base64url')}`;
    const client = await newRegistered(server, { redirect_uris: [uri] });
    expect(client.id.length).toBeGreaterThan(1000);
    const person = await newPerson(server);
    const back = await person.decide(await person.open(request(client)), 'allow');
    const { status } = await redeem(server, client, answerOf(back).code ?? '');
    expect(status).toBe(200);
    expect(await rowOf(client.id)).toMatchObject({ addresses: [{ uri }] });
  });

  test('gets no error by redirect and no introspection before a user consents', async () => {
    const client = await newRegistered(server);
    const person = await newPerson(server);
    const page = await person.open(request(client, { prompt: 'none' }));
    expect([page.at.startsWith('/oauth/authorize'), page.status]).toEqual([true, 400]);
    const fields = { ...credentials(client), token: newSecret('mailedLink') };
    expect((await post(server, '/oauth/introspect', fields)).status).toBe(401);
  });
});

describe('a dynamically registered client with the consent of one user', () => {
  const silent = { prompt: 'none' };

  test('gets no error or "Cancel" by redirect from other users’ browsers', async () => {
    const { client, person } = await newUsed();
    for (const other of [new Person(server), await newPerson(server)]) {
      const page = await other.open(request(client, silent));
      expect([page.status, page.at.startsWith('/oauth/authorize')]).toEqual([400, true]);
    }
    const other = await newPerson(server);
    const consent = await other.open(request(client));
    const flow = new URL(consent.at, server.issuer).searchParams.get('flow');
    const cancelled = await other.open(`/oauth/cancel?flow=${flow}`);
    expect([cancelled.status, cancelled.at.startsWith('/oauth/cancel')]).toEqual([400, true]);
    const wrong = { scope: 'no-such-scope' };
    expect(answerOf(await person.open(request(client, wrong))).error).toBe('invalid_scope');
    expect(answerOf(await person.open(request(client, silent))).code).toBeTruthy();
  });

  test('shows no way back to the app to a user without access', async () => {
    const { client } = await newUsed();
    await updateClient(client.id, { access: 'listed' }, { actor, now: new Date() });
    const person = await newPerson(server);
    const page = await person.open(request(client));
    expect(page.at).toMatch(/^\/no-access/);
    expect(page.html).not.toContain('/oauth/cancel');
    const back = await person.open(page.at.replace('/no-access', '/oauth/cancel'));
    expect([back.at.startsWith('/oauth/cancel'), back.status]).toEqual([true, 400]);
  });

  test('gets errors by redirect from all users if it was registered with an admin’s token', async () => {
    const { token } = await createRegistrationToken(
      { name: 'CI', life: '1 hour' },
      actor,
      new Date(),
    );
    const headers = { ...newAddress(), Authorization: `Bearer ${token}` };
    const client = await newRegistered(server, {}, headers);
    const outsider = new Person(server);
    expect(answerOf(await outsider.open(request(client, silent))).error).toBe('login_required');
    const person = await newPerson(server);
    await person.decide(await person.open(request(client)), 'allow');
    expect(answerOf(await outsider.open(request(client, silent))).error).toBe('login_required');
  });
});

/**
 * The text that a person reads when the app sends them here, which includes the reason for its
 * developer.
 */
async function readProblem(client: { id: string }): Promise<string> {
  const person = await newPerson(server);
  const page = await person.open(request(client));
  expect([page.status, page.at.startsWith('/oauth/authorize')]).toEqual([400, true]);
  return textOf(page.html);
}

/** A new client that a person has allowed, with its refresh token. */
async function newUsed(): Promise<{
  client: Awaited<ReturnType<typeof newRegistered>>;
  token: string;
  person: Person;
}> {
  const client = await newRegistered(server);
  const person = await newPerson(server);
  const back = await person.decide(await person.open(request(client)), 'allow');
  const { body } = await redeem(server, client, answerOf(back).code ?? '');
  return { client, person, token: String(body.refresh_token) };
}

const again = 'This app has to be connected again';
const notHere = 'This app can’t be used here';

describe('a dynamically registered client that is refused', () => {
  test('has an altered client_id, which is unknown', async () => {
    const { id } = await newRegistered(server);
    const at = id.length - 30;
    const altered = id.slice(0, at) + (id[at] === 'A' ? 'B' : 'A') + id.slice(at + 1);
    for (const other of [altered, `${id}A`, id.slice(0, -1)])
      expect(await readProblem({ id: other })).toContain('There is no client with this client_id');
    expect(await rowOf(altered)).toBeNull();
  });

  test('was registered more than 30 days ago without consent, and has to register again', async () => {
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
    const idAt = (at: Date) => newRegisteredId({ ...metadata }, false, at) ?? '';
    expect(await readProblem({ id: idAt(hours(720.1)) })).toContain(again);
    const person = await newPerson(server);
    expect((await person.open(request({ id: idAt(hours(719.9)) }))).at).toMatch(/^\/consent/);
  });

  test('was deleted, and is not recreated by its client_id: 401, and a page for users', async () => {
    const { client, token } = await newUsed();
    await deleteClient(client.id, actor, new Date());
    const refused = await refresh(server, token, credentials(client));
    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client']);
    expect(await readProblem(client)).toContain(again);
    expect(await rowOf(client.id)).toBeNull();
  });

  test('was deleted while its consent page was open, and is not stored again', async () => {
    const { client } = await newUsed();
    const person = await newPerson(server);
    const page = await person.open(request(client));
    await deleteClient(client.id, actor, new Date());
    const after = await person.decide(page, 'allow');
    expect(textOf(after.html)).toContain(again);
    expect(await rowOf(client.id)).toBeNull();
  });

  test('was disabled by an admin', async () => {
    const { client, token } = await newUsed();
    await disableClient(client.id, actor, new Date());
    expect((await refresh(server, token, credentials(client))).status).toBe(401);
    expect(await readProblem(client)).toContain('This client is disabled');
  });

  test('is one without consent after registration was switched off; others go on', async () => {
    const fresh = await newRegistered(server);
    const used = await newUsed();
    await set('CLIENT_REGISTRATION', 'off');
    expect(await readProblem(fresh)).toContain(notHere);
    expect((await refresh(server, used.token, credentials(used.client))).status).toBe(200);
    const person = await newPerson(server);
    expect((await person.open(request(used.client))).at).toMatch(/^\/consent/);
  });

  test('is at a blocked host: at registration and sign-in, before and after consent', async () => {
    const host = `blocked-${randomBytes(4).toString('hex')}.example`;
    const uris = { redirect_uris: ['http://localhost/cb', `https://${host}/cb`] };
    const fresh = await newRegistered(server, uris);
    const used = await newRegistered(server, uris);
    const person = await newPerson(server);
    const redirect_uri = `https://${host}/cb`;
    await person.decide(await person.open(request(used, { redirect_uri })), 'allow');
    await blockHost(host, actor, new Date());
    const { status, body } = await register(server, uris, newAddress());
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
    expect(body.error_description).toContain(host);
    expect(await readProblem(fresh)).toContain(notHere);
    expect(await readProblem(used)).toContain(notHere);
  });
});

describe('registration with an initial access token (RFC 7591 section 3)', () => {
  const newToken = (life = '1 hour', at = new Date()) =>
    createRegistrationToken({ name: 'A build server', life }, actor, at);
  const bearer = (token: string) => ({ ...newAddress(), Authorization: `Bearer ${token}` });

  beforeAll(() => set('CLIENT_REGISTRATION', 'token'));
  beforeEach(() => set('CLIENT_REGISTRATION', 'token'));

  test('without a token is 401 with a challenge', async () => {
    const { status, body, headers } = await register(server, metadata, newAddress());
    expect([status, body.error]).toEqual([401, 'invalid_token']);
    expect(headers.get('www-authenticate')).toBe('Bearer realm="Gatehouse"');
  });

  test('with a wrong, expired or removed token is 401 invalid_token', async () => {
    const removed = await newToken();
    await removeRegistrationToken(removed.id, actor, new Date());
    const expired = await newToken('1 hour', new Date(Date.now() - 3_601_000));
    const wrong = [newSecret('registrationToken'), removed.token, expired.token, 'x'];
    for (const token of wrong) {
      const { status, body, headers } = await register(server, metadata, bearer(token));
      expect([status, body.error]).toEqual([401, 'invalid_token']);
      expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
      expect(JSON.stringify(body)).not.toContain(token.length > 1 ? token : 'gh_ia_');
    }
    await set('CLIENT_REGISTRATION', 'open');
    const open = await register(server, metadata, bearer(newSecret('registrationToken')));
    expect(open.status).toBe(401);
  });

  test('works any number of times with one token, and its last use is noted', async () => {
    const { id, token } = await newToken();
    for (let count = 0; count < 3; count += 1)
      expect((await register(server, metadata, bearer(token))).status).toBe(201);
    await expect
      .poll(async () => (await listRegistrationTokens()).find((one) => one.id === id)?.lastUsedAt, {
        timeout: 15_000,
      })
      .toBeInstanceOf(Date);
  });

  test('makes client_ids registered without a token unusable', async () => {
    const { token } = await newToken();
    await set('CLIENT_REGISTRATION', 'open');
    const with_ = await newRegistered(server, {}, bearer(token));
    const without = await newRegistered(server);
    await set('CLIENT_REGISTRATION', 'token');
    expect(await readProblem(without)).toContain(notHere);
    const person = await newPerson(server);
    expect((await person.open(request(with_))).at).toMatch(/^\/consent/);
  });
});

describe('a flood of client registrations', () => {
  // Under `next start` every address is unverified.
  const unknown = server.mount === 'next';

  test.skipIf(unknown)(
    'from one address is limited to 60, successes and failures together',
    async () => {
      const address = newAddress();
      const statuses: number[] = [];
      for (let count = 0; count < 60; count += 1) {
        const sent = count % 3 === 0 ? '{' : metadata;
        statuses.push((await register(server, sent, address)).status);
      }
      expect(new Set(statuses)).toEqual(new Set([201, 400]));
      const { status, body, headers } = await register(server, metadata, address);
      expect([status, body.error]).toEqual([429, 'temporarily_unavailable']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await register(server, metadata, newAddress())).status).toBe(201);
    },
  );

  test.skipIf(unknown)('from 400 addresses stores no client', async () => {
    const db = await prisma();
    const count = () =>
      Promise.all([db.client.count(), db.clientSecret.count(), db.clientIntroduction.count()]);
    const before = await count();
    const each = Array.from({ length: 400 }, () => newAddress());
    for (let at = 0; at < each.length; at += 40) {
      const part = each.slice(at, at + 40).map((from) => register(server, metadata, from));
      for (const { status } of await Promise.all(part)) expect(status).toBe(201);
    }
    expect(await count()).toEqual(before);
  });
});
