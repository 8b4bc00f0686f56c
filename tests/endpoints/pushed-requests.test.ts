import { describe, expect, test, vi } from 'vitest';
import { newPendingRequest, sealPendingRequest } from '#lib/interaction/pending-request.ts';
import { requestUriOf } from '#lib/interaction/pushed-request.ts';
import { updateClient } from '#lib/management/client/clients.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { newApi } from '../support/apis.ts';
import { basic, post, redeem } from '../support/app.ts';
import { assertionOf, byAssertion, keySet, newSigningKey } from '../support/assertions.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, type Page, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newAddress, newRegistered } from '../support/registering.ts';
import { newClient, newPkce, type TestClient } from '../support/seed.ts';
import { set } from '../support/settings.ts';

const server = await openServer({});
/** Another process, which has never seen the request. */
const other = await server.secondProcess();
const actor = { id: 'cli' };
const pkce = newPkce();
const asked = { response_type: 'code', scope: 'profile', state: 'S', ...pkce.challenge };
const own = { code_verifier: pkce.verifier };

const push = (client: TestClient, more: Record<string, string> = {}, at = server) =>
  post(at, '/oauth/par', { ...asked, ...more }, basic(client));
async function uriOf(client: TestClient, more = {}, at = server): Promise<string> {
  const { status, body } = await push(client, more, at);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return String(body.request_uri);
}
/** The code with which a browser was sent to its client. */
const codeAt = (page: Page) => (page.at.startsWith('https:') ? answerOf(page).code : undefined);
const pathOf = (client: { id: string }, request_uri: string, more: Record<string, string> = {}) =>
  authorizePath({ client_id: client.id, request_uri, ...more });
const strict = (client: TestClient) =>
  updateClient(client.id, { requirePushedAuthorizationRequests: true }, { actor, now: new Date() });

describe('the PAR endpoint (RFC 9126 section 2)', () => {
  test('answers with a request_uri that expires in 60 seconds, with Cache-Control: no-store (section 2.2)', async () => {
    const { status, body, headers } = await push(await newClient());
    expect(status).toBe(201);
    expect(body).toEqual({
      request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w.-]+$/),
      expires_in: 60,
    });
    expect(headers.get('cache-control')).toContain('no-store');
  });

  test('needs client authentication by secret or key, and for a public client its client_id', async () => {
    const key = await newSigningKey();
    const strong = await newClient({ jwks: keySet(key) });
    const proof = byAssertion(await assertionOf(strong, server, key));
    expect((await post(server, '/oauth/par', { ...asked, ...proof })).status).toBe(201);
    const open = await newClient({ type: 'public' });
    expect((await post(server, '/oauth/par', { ...asked, client_id: open.id })).status).toBe(201);
    const client = await newClient();
    const named = { client_id: client.id };
    const wrong: Record<string, string>[] = [{}, named, { ...named, client_secret: 'x' }];
    for (const sent of wrong)
      expect(await post(server, '/oauth/par', { ...asked, ...sent })).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      });
  });

  test('of an old issuer needs an assertion for that issuer', async () => {
    const key = await newSigningKey();
    const client = await newClient({ jwks: keySet(key), oldIssuer: '/realms/acme' });
    const issuer = `${server.issuer}/realms/acme`;
    const document = await fetch(`${server.base}/realms/acme/.well-known/openid-configuration`);
    const { pushed_authorization_request_endpoint: known } = await document.json();
    expect(known).toBe(`${issuer}/protocol/openid-connect/ext/par/request`);
    const path = new URL(known).pathname;
    const by = async (aud: string) => {
      const proof = byAssertion(await assertionOf(client, { issuer: aud }, key));
      return post(server, path, { ...asked, ...proof });
    };
    expect((await by(server.issuer)).body.error).toBe('invalid_client');
    expect((await by(`${server.issuer}/realms/other`)).body.error).toBe('invalid_client');
    const { status, body } = await by(issuer);
    expect(status).toBe(201);
    const person = await newPerson(server);
    const at = pathOf(client, String(body.request_uri)).split('?')[1];
    const page = await person.open(`/realms/acme/protocol/openid-connect/auth?${at}`);
    const { code = '', iss } = answerOf(await person.goThrough(page));
    expect(iss).toBe(issuer);
    const proof = byAssertion(await assertionOf(client, { issuer }, key));
    const redeemed = await post(server, '/realms/acme/protocol/openid-connect/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: client.redirectUri,
      ...own,
      ...proof,
    });
    expect(redeemed.status).toBe(200);
    expect((await post(server, path, asked, basic(await newClient()))).status).toBe(401);
  });

  test('stores a limited number of used assertions of a client that no user has allowed (429)', async () => {
    await set('CLIENT_REGISTRATION', 'open');
    const key = await newSigningKey();
    const byKey = { token_endpoint_auth_method: 'private_key_jwt', jwks: JSON.parse(keySet(key)) };
    const client = await newRegistered(server, byKey);
    const from = newAddress();
    const rows = async () => (await prisma()).spentValue.count();
    const before = await rows();
    const statuses: number[] = [];
    for (let count = 0; count < 63; count += 1) {
      const proof = byAssertion(await assertionOf(client, server, key));
      const { status, headers } = await post(server, '/oauth/par', { ...asked, ...proof }, from);
      statuses.push(status);
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([...Array(60).fill(201), 429, 429, 429]);
    expect(await rows()).toBe(before + 60);
  });

  test('ignores an empty resource beside another (RFC 8707 section 2)', async () => {
    const api = await newApi();
    const client = await newClient();
    const resources = [
      ['resource', ''],
      ['resource', api.identifier],
    ];
    const sent = [...Object.entries(asked), ...resources] as [string, string][];
    const { body } = await post(server, '/oauth/par', sent, basic(client));
    const person = await newPerson(server);
    const page = await person.goThrough(
      await person.open(pathOf(client, String(body.request_uri))),
    );
    const tokens = await redeem(server, client, answerOf(page).code ?? '', own);
    const token = String(tokens.body.access_token);
    const found = await post(server, '/oauth/introspect', { token }, basic(client));
    expect(found.body).toMatchObject({ active: true, aud: api.identifier });
  });

  test('accepts the first request of a client that has just registered', async () => {
    await set('CLIENT_REGISTRATION', 'open');
    const client = await newRegistered(server, {}, newAddress());
    const person = await newPerson(server);
    const page = await person.goThrough(await person.open(pathOf(client, await uriOf(client))));
    expect((await redeem(server, client, answerOf(page).code ?? '', own)).status).toBe(200);
  });

  test.each([
    [
      'an address that is not registered',
      { redirect_uri: 'https://evil.example/' },
      'invalid_request',
    ],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['a scope that is not allowed', { scope: 'phone' }, 'invalid_scope'],
    ['a challenge of another kind', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a prompt beside none', { prompt: 'none login' }, 'invalid_request'],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['a request_uri', { request_uri: 'https://evil.example/r' }, 'invalid_request'],
    [
      'more than an address holds',
      { state: 'x'.repeat(4000), nonce: 'y'.repeat(4000) },
      'invalid_request',
    ],
  ])('refuses %s, before the browser is sent anywhere (section 2.3)', async (_, more, error) => {
    const client = await newClient({ scopes: ['profile'] });
    const { status, body, headers } = await push(client, more);
    expect([status, body.error, headers.get('location')]).toEqual([400, error, null]);
  });

  test('refuses parameters in the query, and repeated ones', async () => {
    const client = await newClient();
    const bad = { status: 400, body: { error: 'invalid_request' } };
    expect(await post(server, '/oauth/par?scope=profile', asked, basic(client))).toMatchObject(bad);
    const twice = [...Object.entries(asked), ['scope', 'email']] as [string, string][];
    expect(await post(server, '/oauth/par', twice, basic(client))).toMatchObject(bad);
  });
});

describe('an authorization request with request_uri (RFC 9126 section 4)', () => {
  test('uses the pushed parameters only, in another process, too', async () => {
    const client = await newClient();
    const uri = await uriOf(client, { scope: 'profile email' }, other);
    const person = await newPerson(server);
    const more = { scope: 'openid', state: 'forged', redirect_uri: 'https://evil.example/' };
    const page = await person.goThrough(await person.open(pathOf(client, uri, more)));
    const { code = '', state } = answerOf(page);
    expect([page.at.startsWith(client.redirectUri), state]).toEqual([true, 'S']);
    const redeemed = await redeem(server, client, code, own);
    expect(redeemed.body.scope).toBe('profile email');
  });

  test('gives one code, and no second in any browser or tab', async () => {
    const client = await newClient();
    const path = pathOf(client, await uriOf(client));
    const person = await newPerson(server);
    const code = async (who: Person) => codeAt(await who.goThrough(await who.open(path)));
    const first = await code(person);
    expect(first).toBeTruthy();
    expect(await code(person)).toBeUndefined();
    expect(await code(await newPerson(server))).toBeUndefined();
    expect((await redeem(server, client, first ?? '', own)).status).toBe(200);
  });

  test('gives one code when two users open it at the same time', async () => {
    const client = await newClient();
    const path = pathOf(client, await uriOf(client));
    const people = await Promise.all([newPerson(server), newPerson(server)]);
    const pages = await Promise.all(
      people.map(async (person) => person.goThrough(await person.open(path))),
    );
    expect(pages.filter(codeAt)).toHaveLength(1);
  });

  test('can be reloaded before the decision', async () => {
    const client = await newClient();
    const path = pathOf(client, await uriOf(client));
    const person = await newPerson(server);
    await person.open(path);
    const page = await person.goThrough(await person.open(path));
    expect(answerOf(page).code).toBeTruthy();
  });

  test('can be sent by POST', async () => {
    const client = await newClient();
    const person = await newPerson(server);
    const body = pathOf(client, await uriOf(client)).split('?')[1] ?? '';
    const posted = await person.request('/oauth/authorize', { method: 'POST', body });
    const page = await person.goThrough(await person.open(posted.headers.get('location') ?? ''));
    expect(answerOf(page).code).toBeTruthy();
  });

  test.each([
    ['of another client', async () => pathOf(await newClient(), await uriOf(await newClient()))],
    [
      'without its client',
      async () => authorizePath({ request_uri: await uriOf(await newClient()) }),
    ],
    [
      'that is made up',
      async () => pathOf(await newClient(), 'urn:ietf:params:oauth:request_uri:x'),
    ],
    [
      'that holds what a browser goes on with',
      async () => {
        const client = await newClient();
        const { at } = await new Person(server).open(pathOf(client, await uriOf(client)));
        const flow = new URL(at, server.base).searchParams.get('flow');
        return pathOf(client, `urn:ietf:params:oauth:request_uri:${flow}`);
      },
    ],
    [
      'that is changed',
      async () => {
        const client = await newClient();
        return pathOf(client, `${(await uriOf(client)).slice(0, -4)}AAAA`);
      },
    ],
  ])('%s shows an error page without a redirect', async (_, path) => {
    const page = await new Person(server).open(await path());
    expect([page.status, page.at.startsWith('/')]).toEqual([400, true]);
  });

  test('sent twice is invalid_request', async () => {
    const client = await newClient();
    const other = new URLSearchParams({ request_uri: await uriOf(client) });
    const path = `${pathOf(client, await uriOf(client))}&${other}`;
    expect(answerOf(await new Person(server).open(path)).error).toBe('invalid_request');
  });

  test('with a URL as request_uri is refused, and nothing is fetched (RFC 9101 section 5.2.1)', async () => {
    const client = await newClient();
    const path = authorizePath({
      client_id: client.id,
      ...asked,
      request_uri: 'https://evil.example/r',
    });
    expect(answerOf(await new Person(server).open(path)).error).toBe('request_uri_not_supported');
  });

  test('cannot be restarted for a second code', async () => {
    const client = await newClient();
    const person = await newPerson(server);
    const { at } = await person.open(pathOf(client, await uriOf(client)));
    const again = `/oauth/continue?flow=${new URL(at, server.base).searchParams.get('flow')}&again=1`;
    expect(codeAt(await person.goThrough(await person.open(again)))).toBeTruthy();
    expect(codeAt(await person.goThrough(await person.open(again)))).toBeUndefined();
  });

  test.each(['/login', '/consent', '/oauth/continue', '/oauth/continue?again=1'])(
    'expires an hour after it was pushed, however late the browser came: %s',
    async (path) => {
      const client = await newClient();
      await strict(client);
      const person = await newPerson(server);
      await person.open(pathOf(client, await uriOf(client)));
      const browser = [...person.cookies].find(([name]) => name.endsWith('browser'))?.[1] ?? '';
      const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
      const params = new Map(
        Object.entries({ ...asked, client_id: client.id }).map(([name, value]) => [name, [value]]),
      );
      const flowOf = (pushed: number, arrived: number) => {
        const request = { id: newId(ago(pushed)), at: ago(pushed) };
        const { redirectUri } = client;
        const flow = newPendingRequest(
          { params, redirectUri, browser, pushed: request },
          ago(arrived),
        );
        return sealPendingRequest(flow);
      };
      const to = async (flow: string) => {
        const mark = path.includes('?') ? '&' : '?';
        return person.open(`${path}${mark}flow=${flow}`);
      };
      const over = await to(await flowOf(3601, 3545));
      expect([over.status, over.html]).toEqual([
        400,
        expect.stringContaining('This request is over'),
      ]);
      const inTime = await to(await flowOf(3580, 3525));
      expect(inTime.html).not.toContain('This request is over');
    },
  );

  test('is refused a minute after it was pushed, and the trace has its age', async () => {
    const client = await newClient();
    const now = Date.now();
    const params = new Map(
      Object.entries({ ...asked, client_id: client.id }).map(([name, value]) => [name, [value]]),
    );
    const uri = await requestUriOf(params, `late-${now}`, new Date(now - 61_000));
    const page = await new Person(server).open(pathOf(client, uri ?? ''));
    expect([page.status, page.html]).toEqual([
      400,
      expect.stringContaining('This request is over'),
    ]);
    const step = await vi.waitFor(
      async () => {
        const found = await (await prisma()).traceStep.findFirst({
          where: { rule: 'request-uri.invalid', trace: { clientId: client.id } },
        });
        if (!found) throw new Error('no attempt yet');
        return found;
      },
      { timeout: 20_000, interval: 100 },
    );
    expect(step.received).toMatch(/pushed 6\d s ago/);
  });
});

describe('required pushed authorization requests (RFC 9126 sections 5 and 6)', () => {
  test('for one client: a plain request is invalid_request, a pushed one goes on', async () => {
    const client = await newClient();
    await strict(client);
    const plain = authorizePath({ client_id: client.id, ...asked });
    const person = await newPerson(server);
    expect(answerOf(await person.open(plain))).toMatchObject({
      error: 'invalid_request',
      state: 'S',
    });
    const posted = await person.request('/oauth/authorize', {
      method: 'POST',
      body: plain.split('?')[1] ?? '',
    });
    expect(posted.headers.get('location')).toContain('error=invalid_request');
    const page = await person.goThrough(await person.open(pathOf(client, await uriOf(client))));
    expect(answerOf(page).code).toBeTruthy();
  });

  test('for every client: a plain request is invalid_request, the metadata has it, and a client can be exempted', async () => {
    const known = async () =>
      (await (await fetch(`${server.base}/.well-known/openid-configuration`)).json()) as Record<
        string,
        unknown
      >;
    expect(await known()).toMatchObject({
      pushed_authorization_request_endpoint: `${server.issuer}/oauth/par`,
      require_pushed_authorization_requests: false,
    });
    await set('REQUIRE_PUSHED_AUTHORIZATION_REQUESTS', 'on');
    try {
      expect((await known()).require_pushed_authorization_requests).toBe(true);
      const client = await newClient();
      const plain = authorizePath({ client_id: client.id, ...asked });
      expect(answerOf(await new Person(server).open(plain)).error).toBe('invalid_request');
      const free = await newClient({ requirePushedAuthorizationRequests: false });
      const page = await new Person(server).open(authorizePath({ client_id: free.id, ...asked }));
      expect(page.at).toMatch(/^\/login/);
    } finally {
      await set('REQUIRE_PUSHED_AUTHORIZATION_REQUESTS', 'off');
    }
  });
});
