import { afterEach, describe, expect, test } from 'vitest';
import { settingKeys, settingTable } from '#lib/settings/table.ts';
import {
  type Answer,
  basic,
  credentials,
  me,
  post,
  readAnswer,
  redeem,
  refresh,
  tokensOf,
} from '../support/app.ts';
import { openServer, type TestServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, Person } from '../support/person.ts';
import { newClient, newPkce, type TestClient } from '../support/seed.ts';
import { set } from '../support/settings.ts';
import { authorizationOf, changeAuthorization, readToken, remade } from '../support/tokens.ts';

const server = await openServer({});
const person = await newPerson(server);
const client = await newClient();
const request = { client_id: client.id, response_type: 'code' };
await person.authorize(request);

// Further servers on the same database, with other settings from their operator.
const [still, strict, looser] = await Promise.all([
  server.another({ ALWAYS_ISSUE_NEW_REFRESH_TOKEN: 'off' }),
  server.another({ SECURITY_PROFILE: 'strict' }),
  server.another({
    SECURITY_PROFILE: 'strict',
    REQUIRE_PKCE: 'off',
    ACCEPT_ACCESS_TOKEN_IN_QUERY: 'on',
  }),
]);
const at = (where: TestServer) =>
  Object.assign(new Person(where, person.username), { cookies: person.cookies });

afterEach(async () => {
  for (const key of settingKeys)
    if (!settingTable[key].operatorOnly) await set(settingTable[key].name, null);
});

const errorOf = ({ body }: Answer) => body.error;
const ask = async (params: Record<string, string>, who = person) => who.open(authorizePath(params));

describe('ENFORCE_REDIRECT_URI on', () => {
  test('redirect_uri is required on the authorization request', async () => {
    await set('ENFORCE_REDIRECT_URI', 'on');
    expect((await ask(request)).status).toBe(400);
    expect(
      answerOf(await ask({ ...request, redirect_uri: client.redirectUri })).code,
    ).toBeDefined();
  });

  test('redirect_uri is required on the token request, and its absence consumes nothing', async () => {
    await set('ENFORCE_REDIRECT_URI', 'on');
    const code = await person.code({ ...request, redirect_uri: client.redirectUri });
    expect(errorOf(await redeem(server, client, code))).toBe('invalid_request');
    expect((await redeem(server, client, code, { redirect_uri: client.redirectUri })).status).toBe(
      200,
    );
  });
});

describe('ENFORCE_STATE on', () => {
  test('state is required on the token request, and its absence consumes nothing', async () => {
    await set('ENFORCE_STATE', 'on');
    const code = await person.code({ ...request, state: 'S' });
    expect(errorOf(await redeem(server, client, code))).toBe('invalid_request');
    expect((await redeem(server, client, code, { state: 'S' })).status).toBe(200);
    expect(
      errorOf(
        await redeem(server, client, await person.code({ ...request, state: 'S' }), { state: 'T' }),
      ),
    ).toBe('invalid_grant');
  });

  test('a request without state is accepted, but its code cannot be redeemed', async () => {
    await set('ENFORCE_STATE', 'on');
    const code = await person.code(request);
    expect(errorOf(await redeem(server, client, code))).toBe('invalid_request');
    expect(errorOf(await redeem(server, client, code, { state: 'S' }))).toBe('invalid_grant');
  });

  test('the refresh grant needs no state', async () => {
    const { refresh_token } = await tokensOf(server, person, client);
    await set('ENFORCE_STATE', 'on');
    expect((await refresh(server, refresh_token)).status).toBe(200);
  });
});

describe('REQUIRE_PKCE on', () => {
  test('every client must send a code_challenge', async () => {
    await set('REQUIRE_PKCE', 'on');
    expect(answerOf(await ask(request)).error).toBe('invalid_request');
    expect(answerOf(await ask({ ...request, ...newPkce().challenge })).code).toBeDefined();
  });

  test('a confidential client can be exempted, a public one cannot', async () => {
    const excepted = await newClient({ requirePkce: false });
    const open = await newClient({ type: 'public', requirePkce: false });
    await set('REQUIRE_PKCE', 'on');
    expect((await ask({ ...request, client_id: excepted.id })).at).toMatch('/consent');
    expect(answerOf(await ask({ ...request, client_id: open.id })).error).toBe('invalid_request');
  });
});

describe('REQUIRE_CLIENT_AUTH_ON_REFRESH on', () => {
  test('a confidential client must authenticate; a refusal consumes nothing', async () => {
    const { refresh_token } = await tokensOf(server, person, client);
    await set('REQUIRE_CLIENT_AUTH_ON_REFRESH', 'on');
    expect(await refresh(server, refresh_token)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect(errorOf(await refresh(server, refresh_token, { client_id: client.id }))).toBe(
      'invalid_client',
    );
    expect((await refresh(server, refresh_token, credentials(client))).status).toBe(200);
  });

  test('a repeat needs the credentials as well', async () => {
    const { refresh_token } = await tokensOf(server, person, client);
    await set('REQUIRE_CLIENT_AUTH_ON_REFRESH', 'on');
    const fields = { grant_type: 'refresh_token', refresh_token };
    expect((await post(server, '/oauth/token', fields, basic(client))).status).toBe(200);
    expect(errorOf(await refresh(server, refresh_token))).toBe('invalid_client');
  });

  test('a client can be exempted, and public ones are', async () => {
    const excepted = await newClient({ requireClientAuthOnRefresh: false });
    const { refresh_token } = await tokensOf(server, person, excepted);
    const open = await newClient({ type: 'public' });
    const { verifier, challenge } = newPkce();
    const code = await person.code({ ...request, client_id: open.id, ...challenge });
    const fields = {
      grant_type: 'authorization_code',
      client_id: open.id,
      code,
      code_verifier: verifier,
    };
    const { body } = await post(server, '/oauth/token', fields);
    await set('REQUIRE_CLIENT_AUTH_ON_REFRESH', 'on');
    expect((await refresh(server, refresh_token)).status).toBe(200);
    expect((await refresh(server, String(body.refresh_token))).status).toBe(200);
  });
});

test('ACCEPT_REFRESH_PARAMS_IN_QUERY off: a refresh with parameters in the query is refused, nothing consumed', async () => {
  const { refresh_token } = await tokensOf(server, person, client);
  await set('ACCEPT_REFRESH_PARAMS_IN_QUERY', 'off');
  const path = `/oauth/token?grant_type=refresh_token&refresh_token=${refresh_token}`;
  expect(await post(server, path, {})).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  });
  expect(
    errorOf(await post(server, '/oauth/token?grant_type=refresh_token', { refresh_token })),
  ).toBe('invalid_request');
  expect((await refresh(server, refresh_token)).status).toBe(200);
});

test('ACCEPT_ACCESS_TOKEN_IN_QUERY off: an access token in the query is 400 with a hint to use the header', async () => {
  const { access_token } = await tokensOf(server, person, client);
  await set('ACCEPT_ACCESS_TOKEN_IN_QUERY', 'off');
  const { status, headers, body } = await readAnswer(
    await fetch(`${server.base}/oauth/me?access_token=${access_token}`),
  );
  expect([status, body.error]).toEqual([400, 'invalid_request']);
  expect(String(body.error_description)).toMatch(/header/i);
  expect(headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_request"/);
  expect((await me(server, access_token)).status).toBe(200);
  expect((await post(server, '/oauth/me', { access_token })).status).toBe(200);
});

test('ALLOW_UNREGISTERED_REDIRECT_URI off: a client without a registered redirect URI is refused', async () => {
  const none = await newClient({ redirectUris: [] });
  const params = { ...request, client_id: none.id, redirect_uri: 'https://new.example/cb' };
  expect((await ask(params)).at).toMatch('/consent');
  await set('ALLOW_UNREGISTERED_REDIRECT_URI', 'off');
  const page = await ask(params);
  expect([page.status, page.headers.get('location')]).toEqual([400, null]);
});

describe('settings of lifetimes', () => {
  const seconds = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 1000;

  test('CODE_TTL is the lifetime of a code', async () => {
    await set('CODE_TTL', '7');
    const code = await person.code(request);
    const { createdAt } = await authorizationOf(code);
    expect(seconds(createdAt, (await readToken(code)).expiresAt)).toBe(7);
  });

  test('an expired code is invalid_grant', async () => {
    const code = await person.code(request);
    const old = await remade(code, { expiresAt: new Date(Date.now() - 1) });
    expect(errorOf(await redeem(server, client, old))).toBe('invalid_grant');
    expect((await redeem(server, client, code)).status).toBe(200);
  });

  test('by default a code lives 30 seconds', async () => {
    const code = await person.code(request);
    const { createdAt } = await authorizationOf(code);
    expect(seconds(createdAt, (await readToken(code)).expiresAt)).toBe(30);
  });

  test('ACCESS_TOKEN_TTL, REFRESH_TOKEN_TTL and REFRESH_TOKEN_MAX_TTL are the lifetimes of tokens', async () => {
    await set('ACCESS_TOKEN_TTL', '11');
    await set('REFRESH_TOKEN_TTL', '22');
    await set('REFRESH_TOKEN_MAX_TTL', '33');
    const { expires_in, access_token, refresh_token } = await tokensOf(server, person, client);
    expect(expires_in).toBe(11);
    const { redeemedAt, idleUntil, endsAt } = await authorizationOf(refresh_token);
    const from = redeemedAt ?? new Date(0);
    expect(seconds(from, (await readToken(access_token)).expiresAt)).toBe(11);
    expect(seconds(from, idleUntil ?? from)).toBe(22);
    expect(seconds(from, endsAt ?? from)).toBe(33);
  });

  test('a client’s own lifetime overrides the setting', async () => {
    await set('ACCESS_TOKEN_TTL', '11');
    const own = await newClient({ accessTokenTtl: 44 });
    expect((await tokensOf(server, person, own)).expires_in).toBe(44);
  });
});

describe('a changed setting applies to every request that begins after the change', () => {
  test('in every process, in both directions', async () => {
    const { access_token } = await tokensOf(server, person, client);
    for (const value of ['off', 'on', 'off', 'on']) {
      await set('ACCEPT_ACCESS_TOKEN_IN_QUERY', value);
      for (const { base } of [server, still]) {
        const { status } = await fetch(`${base}/oauth/me?access_token=${access_token}`);
        expect(status).toBe(value === 'on' ? 200 : 400);
      }
    }
  });
});

describe('ALWAYS_ISSUE_NEW_REFRESH_TOKEN off', () => {
  const here = at(still);

  test('a refresh still gives an ID token', async () => {
    const { refresh_token } = await tokensOf(still, here, client, { scope: 'openid' });
    const { body } = await refresh(still, refresh_token);
    expect(body).toHaveProperty('id_token');
    expect(body).not.toHaveProperty('refresh_token');
  });

  test('a refresh gives no refresh_token, and the old one stays valid', async () => {
    const { refresh_token } = await tokensOf(still, here, client);
    for (let times = 0; times < 3; times += 1) {
      const { status, body } = await refresh(still, refresh_token);
      expect(status).toBe(200);
      expect(Object.keys(body).sort()).toEqual([
        'access_token',
        'expires_in',
        'scope',
        'token_type',
      ]);
      expect((await me(still, String(body.access_token))).status).toBe(200);
    }
  });

  test('each use restarts the idle time, within the absolute end', async () => {
    const { refresh_token } = await tokensOf(
      still,
      here,
      await newClient({ refreshTokenTtl: 1000, refreshTokenMaxTtl: 5000 }),
    );
    const left = async () =>
      ((await authorizationOf(refresh_token)).idleUntil?.getTime() ?? 0) - Date.now();
    await changeAuthorization(refresh_token, { idleUntil: new Date(Date.now() + 5000) });
    await refresh(still, refresh_token);
    expect(await left()).toBeGreaterThan(900_000);
    await changeAuthorization(refresh_token, { endsAt: new Date(Date.now() + 5000) });
    await refresh(still, refresh_token);
    expect(await left()).toBeLessThanOrEqual(5000);
  });

  test('refresh tokens of public clients still rotate', async () => {
    const open = await newClient({ type: 'public' });
    const { verifier, challenge } = newPkce();
    const code = await here.code({ ...request, client_id: open.id, ...challenge });
    const tokens = await redeem(still, { ...open, secret: '' }, code, { code_verifier: verifier });
    const next = await refresh(still, String(tokens.body.refresh_token));
    expect(next.body.refresh_token).toEqual(expect.any(String));
    await refresh(still, String(next.body.refresh_token));
    expect(errorOf(await refresh(still, String(tokens.body.refresh_token)))).toBe('invalid_grant');
  });
});

describe('SECURITY_PROFILE strict', () => {
  const pkce = newPkce();
  const full = { ...request, redirect_uri: client.redirectUri, ...pkce.challenge };
  const strictTokens = async (of: TestClient = client) => {
    const code = await at(strict).code({ ...full, client_id: of.id, redirect_uri: of.redirectUri });
    const { body } = await redeem(strict, of, code, { code_verifier: pkce.verifier });
    return body as { access_token: string; refresh_token: string };
  };

  test('requires redirect_uri and PKCE', async () => {
    const { redirect_uri: _, ...without } = full;
    expect((await at(strict).open(authorizePath(without))).status).toBe(400);
    expect(
      answerOf(
        await at(strict).open(authorizePath({ ...request, redirect_uri: client.redirectUri })),
      ).error,
    ).toBe('invalid_request');
  });

  test('with PKCE needs no redirect_uri at the token endpoint', async () => {
    expect(await strictTokens()).toMatchObject({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
    });
    const code = await at(strict).code(full);
    const wrong = { code_verifier: pkce.verifier, redirect_uri: 'https://wrong.example/' };
    expect(errorOf(await redeem(strict, client, code, wrong))).toBe('invalid_grant');
  });

  test('with PKCE off a code without its redirect_uri is invalid_grant, and is burned', async () => {
    const redirect_uri = client.redirectUri;
    const code = await at(looser).code({ ...request, redirect_uri });
    expect(errorOf(await redeem(looser, client, code))).toBe('invalid_grant');
    expect(errorOf(await redeem(looser, client, code, { redirect_uri }))).toBe('invalid_grant');
  });

  test('refuses refresh without authentication, tokens in the query and an unregistered redirect URI', async () => {
    const { access_token, refresh_token } = await strictTokens();
    expect(errorOf(await refresh(strict, refresh_token))).toBe('invalid_client');
    const query = `?grant_type=refresh_token&refresh_token=${refresh_token}`;
    expect(errorOf(await post(strict, `/oauth/token${query}`, credentials(client)))).toBe(
      'invalid_request',
    );
    expect((await fetch(`${strict.base}/oauth/me?access_token=${access_token}`)).status).toBe(400);
    const none = await newClient({ redirectUris: [] });
    expect((await at(strict).open(authorizePath({ ...full, client_id: none.id }))).status).toBe(
      400,
    );
    expect((await refresh(strict, refresh_token, credentials(client))).status).toBe(200);
  });

  test('a single setting overrides its profile', async () => {
    const { access_token } = await strictTokens();
    expect((await fetch(`${looser.base}/oauth/me?access_token=${access_token}`)).status).toBe(200);
  });

  test('a setting fixed by the environment overrides the database', async () => {
    await set('ACCEPT_ACCESS_TOKEN_IN_QUERY', 'off');
    const { access_token } = await strictTokens();
    expect((await fetch(`${looser.base}/oauth/me?access_token=${access_token}`)).status).toBe(200);
  });
});
