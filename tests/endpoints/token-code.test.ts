import { describe, expect, test } from 'vitest';
import { newApi } from '../support/apis.ts';
import { type Answer, basic, credentials, me, post, redeem, refresh } from '../support/app.ts';
import { alikeOn, allAlikeOn } from '../support/on-each-database.ts';
import { databaseOf, openServer } from '../support/open-server.ts';
import { newPerson } from '../support/person.ts';
import { newClient, newPkce, type TestClient } from '../support/seed.ts';

const server = await openServer();
const alike = alikeOn(databaseOf(server.databaseUrl));
const allAlike = allAlikeOn(databaseOf(server.databaseUrl));
const person = await newPerson(server);
const client = await newClient();
const other = await newClient();

const newCode = (params: Record<string, string> = {}, of: TestClient = client) =>
  person.code({ client_id: of.id, response_type: 'code', ...params });

describe('the answer to the code grant (interface section 2)', () => {
  test('has exactly five fields, as JSON with Cache-Control: no-store', async () => {
    const { status, headers, body } = await redeem(server, client, await newCode());
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w.~+/-]{40,}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'profile email',
      refresh_token: expect.stringMatching(/^[\w.~+/-]{40,}$/),
    });
    expect(Number.isInteger(body.expires_in)).toBe(true);
  });

  alike('lists the granted scopes, each once and in the requested order', async () => {
    const { body } = await redeem(server, client, await newCode({ scope: 'email profile email' }));
    expect(body.scope).toBe('email profile');
  });

  test('has the client’s own access token lifetime', async () => {
    const own = await newClient({ accessTokenTtl: 77 });
    expect((await redeem(server, own, await newCode({}, own))).body.expires_in).toBe(77);
  });
});

describe('client authentication in the code grant (section 4)', () => {
  alike.each<
    [
      string,
      (id: string, secret: string) => Record<string, string>,
      (c: TestClient) => Record<string, string>,
    ]
  >([
    ['in the body', (client_id, client_secret) => ({ client_id, client_secret }), () => ({})],
    ['by Basic', () => ({}), (c) => basic(c)],
    [
      'by Basic with the same client_id in the body',
      (client_id) => ({ client_id }),
      (c) => basic(c),
    ],
  ])('%s', async (_, fields, headers) => {
    const params = {
      grant_type: 'authorization_code',
      code: await newCode(),
      ...fields(client.id, client.secret),
    };
    expect((await post(server, '/oauth/token', params, headers(client))).status).toBe(200);
  });

  alike('Basic credentials are form-decoded', async () => {
    const encoded = {
      Authorization: `Basic ${Buffer.from(`${client.id.replace('-', '%2D')}:${client.secret}`).toString('base64')}`,
    };
    const params = { grant_type: 'authorization_code', code: await newCode() };
    expect((await post(server, '/oauth/token', params, encoded)).status).toBe(200);
  });

  const wrong: [string, Record<string, string>, Record<string, string>, number, string][] = [
    ['no credentials', {}, {}, 401, 'invalid_client'],
    ['no secret', { client_id: client.id }, {}, 401, 'invalid_client'],
    ['an empty secret', { client_id: client.id, client_secret: '' }, {}, 401, 'invalid_client'],
    ['a wrong secret', { client_id: client.id, client_secret: 'wrong' }, {}, 401, 'invalid_client'],
    [
      'an unknown client',
      { client_id: 'nobody', client_secret: client.secret },
      {},
      401,
      'invalid_client',
    ],
    [
      "another client's secret",
      { client_id: client.id, client_secret: other.secret },
      {},
      401,
      'invalid_client',
    ],
    ['a wrong secret by Basic', {}, basic(client, client.id, 'wrong'), 401, 'invalid_client'],
    ['Basic that is not base64', {}, { Authorization: 'Basic !' }, 401, 'invalid_client'],
    [
      'Basic without a colon',
      {},
      { Authorization: `Basic ${Buffer.from('abc').toString('base64')}` },
      401,
      'invalid_client',
    ],
    ['Basic with NUL', {}, basic(client, 'a\0b', 'c'), 401, 'invalid_client'],
    [
      'Basic with invalid UTF-8',
      {},
      { Authorization: `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}` },
      401,
      'invalid_client',
    ],
    ['two secrets', { client_secret: client.secret }, basic(client), 400, 'invalid_request'],
    ['two different ids', { client_id: other.id }, basic(client), 400, 'invalid_request'],
  ];

  alike.each(wrong)(
    '%s is refused, and the code is not consumed',
    async (_, fields, headers, status, error) => {
      const code = await newCode();
      const refused = await post(
        server,
        '/oauth/token',
        { grant_type: 'authorization_code', code, ...fields },
        headers,
      );
      expect([refused.status, refused.body.error]).toEqual([status, error]);
      const challenged = refused.headers.get('www-authenticate');
      if (status === 401 && 'Authorization' in headers) expect(challenged).toMatch(/^Basic realm=/);
      else expect(challenged).toBeNull();
      expect((await redeem(server, client, code)).status).toBe(200);
    },
  );

  alike('an unknown client and a wrong secret get the same answer', async () => {
    const asked = { grant_type: 'authorization_code', code: 'x', client_secret: 'wrong' };
    const unknown = await post(server, '/oauth/token', { ...asked, client_id: 'nobody' });
    const known = await post(server, '/oauth/token', { ...asked, client_id: client.id });
    // Each answer links to its own request.
    const said = ({ body }: Answer) => ({
      ...body,
      error_uri: String(body.error_uri).replace(/request=.*/, ''),
    });
    expect(said(unknown)).toEqual(said(known));
  });

  alike('a public client sends its id alone; with a secret it is invalid_client', async () => {
    const open = await newClient({ type: 'public' });
    const { verifier, challenge } = newPkce();
    const code = await newCode(challenge, open);
    const params = {
      grant_type: 'authorization_code',
      code,
      client_id: open.id,
      code_verifier: verifier,
    };
    expect((await post(server, '/oauth/token', { ...params, client_secret: 'x' })).body.error).toBe(
      'invalid_client',
    );
    expect((await post(server, '/oauth/token', params)).status).toBe(200);
  });

  test('a disabled client is invalid_client', async () => {
    const disabled = await newClient({ disabled: true });
    expect(await redeem(server, disabled, 'x')).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });
});

describe('the parameter code in the code grant', () => {
  alike('missing: invalid_request', async () => {
    for (const code of ['', undefined]) {
      const params = {
        grant_type: 'authorization_code',
        ...credentials(client),
        ...(code === undefined ? {} : { code }),
      };
      expect((await post(server, '/oauth/token', params)).body.error).toBe('invalid_request');
    }
  });

  alike('unknown: invalid_grant', async () => {
    expect(await redeem(server, client, 'gh_code_none')).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  test('of another client: invalid_grant, and the code is not consumed', async () => {
    const code = await newCode();
    expect((await redeem(server, other, code)).body.error).toBe('invalid_grant');
    expect((await redeem(server, client, code)).status).toBe(200);
  });

  test('a second redemption by another client does not end the tokens', async () => {
    const code = await newCode();
    const { body } = await redeem(server, client, code);
    expect((await redeem(server, other, code)).body.error).toBe('invalid_grant');
    expect((await me(server, String(body.access_token))).status).toBe(200);
  });

  test('works once: a second redemption ends every token that came from it, refreshed ones included', async () => {
    const code = await newCode();
    const first = (await redeem(server, client, code)).body;
    const second = (await refresh(server, String(first.refresh_token))).body;
    expect((await redeem(server, client, code)).body.error).toBe('invalid_grant');
    expect((await me(server, String(first.access_token))).status).toBe(401);
    expect((await me(server, String(second.access_token))).status).toBe(401);
    expect((await refresh(server, String(second.refresh_token))).body.error).toBe('invalid_grant');
  });

  test('a second redemption with a wrong redirect_uri ends the tokens as well', async () => {
    const code = await newCode();
    const { body } = await redeem(server, client, code);
    await redeem(server, client, code, { redirect_uri: 'https://wrong.example/' });
    expect((await me(server, String(body.access_token))).status).toBe(401);
  });
});

allAlike('redirect_uri in the code grant (section 4)', () => {
  test('may be left out even when it was in the authorization request', async () => {
    expect(
      (await redeem(server, client, await newCode({ redirect_uri: client.redirectUri }))).status,
    ).toBe(200);
  });

  test('may be sent even when it was not in the authorization request', async () => {
    expect(
      (await redeem(server, client, await newCode(), { redirect_uri: client.redirectUri })).status,
    ).toBe(200);
  });

  test.each([
    'https://wrong.example/cb',
    `${client.redirectUri}/`,
    client.redirectUri.toUpperCase(),
  ])('that is another one burns the code: %s', async (redirect_uri) => {
    const code = await newCode();
    expect((await redeem(server, client, code, { redirect_uri })).body.error).toBe('invalid_grant');
    expect((await redeem(server, client, code)).body.error).toBe('invalid_grant');
  });

  test('is required of a client that has none registered; its absence consumes nothing', async () => {
    const none = await newClient({ redirectUris: [] });
    const redirect_uri = 'https://new.example/cb';
    const code = await newCode({ redirect_uri }, none);
    expect((await redeem(server, none, code)).body.error).toBe('invalid_request');
    expect((await redeem(server, none, code, { redirect_uri })).status).toBe(200);
  });

  test('must be that of the authorization request, so a code stolen by redirect cannot be injected into the app', async () => {
    const none = await newClient({ redirectUris: [] });
    const code = await newCode({ redirect_uri: 'https://attacker.example/cb' }, none);
    const injected = await redeem(server, none, code, { redirect_uri: 'https://app.example/cb' });
    expect(injected.body.error).toBe('invalid_grant');
    expect(
      (await redeem(server, none, code, { redirect_uri: 'https://attacker.example/cb' })).body
        .error,
    ).toBe('invalid_grant');
  });

  test('may be left out by a client with several, and a wrong one is refused', async () => {
    const several = await newClient({
      redirectUris: ['https://one.example/cb', 'https://two.example/cb'],
    });
    const code = await newCode({ redirect_uri: 'https://two.example/cb' }, several);
    expect((await redeem(server, several, code)).status).toBe(200);
    const again = await newCode({ redirect_uri: 'https://two.example/cb' }, several);
    expect(
      (await redeem(server, several, again, { redirect_uri: 'https://one.example/cb' })).body.error,
    ).toBe('invalid_grant');
  });
});

allAlike('state in the code grant (interface section 2)', () => {
  test('when sent must equal that of the authorization request, else the code is burned', async () => {
    expect(
      (await redeem(server, client, await newCode({ state: 'a b' }), { state: 'a b' })).status,
    ).toBe(200);
    const code = await newCode({ state: 'a b' });
    expect((await redeem(server, client, code, { state: 'a' })).body.error).toBe('invalid_grant');
    expect((await redeem(server, client, code, { state: 'a b' })).body.error).toBe('invalid_grant');
  });

  test('sent here and not in the authorization request: invalid_grant', async () => {
    expect((await redeem(server, client, await newCode(), { state: 'a' })).body.error).toBe(
      'invalid_grant',
    );
  });

  test('sent in the authorization request and not here: accepted', async () => {
    expect((await redeem(server, client, await newCode({ state: 'a' }))).status).toBe(200);
  });
});

allAlike('PKCE in the code grant (RFC 7636)', () => {
  const { verifier, challenge } = newPkce();

  test('the right code_verifier redeems the code', async () => {
    expect(
      (await redeem(server, client, await newCode(challenge), { code_verifier: verifier })).status,
    ).toBe(200);
  });

  test.each([
    ['missing', undefined],
    ['wrong', newPkce().verifier],
    ['too short', verifier.slice(1)],
    ['too long', verifier.repeat(3)],
    ['with a forbidden character', `${verifier}!`],
    ['the challenge itself', challenge.code_challenge],
  ])(
    'a code_verifier that is %s: invalid_grant, and the code is burned',
    async (_, code_verifier) => {
      const code = await newCode(challenge);
      expect(
        (await redeem(server, client, code, code_verifier === undefined ? {} : { code_verifier }))
          .body.error,
      ).toBe('invalid_grant');
      expect((await redeem(server, client, code, { code_verifier: verifier })).body.error).toBe(
        'invalid_grant',
      );
    },
  );

  test('a code_verifier for a code without code_challenge is refused', async () => {
    expect(
      (await redeem(server, client, await newCode(), { code_verifier: verifier })).body.error,
    ).toBe('invalid_grant');
  });
});

test('a client without the grant refresh_token gets no refresh token', async () => {
  for (const scope of ['profile', 'openid offline_access']) {
    const once = await newClient({ grants: ['authorization_code'] });
    const { status, body } = await redeem(server, once, await newCode({ scope }, once));
    expect([status, Object.keys(body).includes('refresh_token')]).toEqual([200, false]);
    expect((await me(server, String(body.access_token))).status).toBe(200);
  }
});

// These are not redeemed in a single statement: the code is read and judged first.
test('without the grant refresh_token there is no refresh token with sign-in rules, resource, or PKCE and state either', async () => {
  const api = await newApi();
  const { verifier: code_verifier, challenge } = newPkce();
  const cases: [
    options: Parameters<typeof newClient>[0],
    asked: Record<string, string>,
    sent: Record<string, string>,
  ][] = [
    [{ signInLife: 300 }, {}, {}],
    [{ requireSecondFactor: false, maxSignInAge: 86_400 }, {}, {}],
    [{}, { resource: api.identifier }, { resource: api.identifier }],
    [{}, { ...challenge, state: 'x'.repeat(40) }, { code_verifier, state: 'x'.repeat(40) }],
  ];
  for (const [options, asked, sent] of cases) {
    const once = await newClient({ grants: ['authorization_code'], ...options });
    const code = await newCode({ scope: 'openid', ...asked }, once);
    const { status, body } = await redeem(server, once, code, sent);
    expect([status, Object.keys(body).includes('refresh_token')]).toEqual([200, false]);
    expect((await me(server, String(body.access_token))).status).toBe(200);
  }
});
