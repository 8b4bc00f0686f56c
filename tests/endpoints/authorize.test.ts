import { describe, expect, test } from 'vitest';
import { en } from '#lib/messages/compiled/en.ts';
import { post, redeem } from '../support/app.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import {
  answerOf,
  authorizePath,
  newPerson,
  type Page,
  type Params,
  Person,
} from '../support/person.ts';
import { newClient, newPkce } from '../support/seed.ts';

const server = await openServer();
const [client, several, none, publicClient] = await Promise.all([
  newClient(),
  newClient({ redirectUris: ['https://one.example/cb', 'https://two.example/cb'] }),
  newClient({ redirectUris: [] }),
  newClient({ type: 'public' }),
]);
const person = await newPerson(server);
const request = { client_id: client.id, response_type: 'code', state: 'S' };

const ask = (params: Params, who = new Person(server)): Promise<Page> =>
  who.open(authorizePath(params));
const change = (changes: Record<string, string | undefined>): Params =>
  Object.entries({ ...request, ...changes }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );

/**
 * Section 3: until the client and the redirect URI are trusted, a failure is shown on a page and
 * does not redirect.
 */
function expectErrorPage(page: Page, problem?: RegExp): void {
  expect(page.status).toBe(400);
  expect(page.headers.get('location')).toBeNull();
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  if (problem) expect(textOf(page.html)).toMatch(problem);
}

describe('client_id (section 3.1)', () => {
  test.each([
    ['missing', change({ client_id: undefined }), /client_id is missing/],
    ['empty', change({ client_id: '' }), /client_id is missing/],
    ['unknown', change({ client_id: 'nobody' }), /There is no client/],
    [
      'sent twice',
      [...(change({}) as [string, string][]), ['client_id', client.id]] as [string, string][],
      /more than once/,
    ],
  ])('%s: an error page', async (_, params, problem) => {
    expectErrorPage(await ask(params), problem);
  });

  test('disabled: an error page', async () => {
    const { id } = await newClient({ disabled: true });
    expectErrorPage(await ask(change({ client_id: id })), /disabled/);
  });
});

describe('redirect_uri (section 3.2)', () => {
  test('may be left out when exactly one is registered', async () => {
    expect((await person.authorize(request)).at).toMatch(`${client.redirectUri}?code=`);
  });

  test('may name the registered one', async () => {
    expect((await person.authorize({ ...request, redirect_uri: client.redirectUri })).at).toMatch(
      `${client.redirectUri}?code=`,
    );
  });

  test('may be any of several registered ones, and the answer goes there', async () => {
    const page = await person.authorize({
      ...request,
      client_id: several.id,
      redirect_uri: 'https://two.example/cb',
    });
    expect(page.at).toMatch('https://two.example/cb?code=');
  });

  test.each([
    ['several are registered', several],
    ['none is registered', none],
  ])('left out where %s: an error page', async (_, { id }) => {
    expectErrorPage(await ask(change({ client_id: id })), /redirect_uri is missing/);
  });

  test('unregistered or repeated: an error page', async () => {
    expectErrorPage(
      await ask(change({ redirect_uri: 'https://elsewhere.example/' })),
      /not registered for this client/,
    );
    const twice: Params = [
      ...(change({ redirect_uri: client.redirectUri }) as [string, string][]),
      ['redirect_uri', client.redirectUri],
    ];
    expectErrorPage(await ask(twice), /more than once/);
  });

  test.each([
    ['127.0.0.1', 'public'],
    ['[::1]', 'public'],
    ['localhost', 'public'],
    ['127.0.0.1', 'confidential'],
    ['[::1]', 'confidential'],
  ] as const)(
    'a registered http://%s matches any port, for a %s client (RFC 8252 section 7.3)',
    async (host, type) => {
      const { id } = await newClient({ type, redirectUris: [`http://${host}/cb?a=1`] });
      for (const port of ['', ':1', ':49152', ':65535']) {
        const redirect_uri = `http://${host}${port}/cb?a=1`;
        const page = await ask(
          change({ client_id: id, redirect_uri, response_type: 'token', ...newPkce().challenge }),
        );
        expect(page.at).toMatch(`${redirect_uri}&error=unsupported_response_type`);
      }
    },
  );

  test.each<[string, 'public' | 'confidential', string, string]>([
    ['localhost, confidential', 'confidential', 'http://localhost/cb', 'http://localhost:4000/cb'],
    ['another path', 'public', 'http://localhost/cb', 'http://localhost:4000/other'],
    ['another query', 'public', 'http://localhost/cb', 'http://localhost:4000/cb?x=1'],
    ['another loopback host', 'public', 'http://localhost/cb', 'http://127.0.0.1:4000/cb'],
    ['a host below it', 'public', 'http://localhost/cb', 'http://app.localhost:4000/cb'],
    ['a longer host', 'public', 'http://localhost/cb', 'http://localhost.example:4000/cb'],
    ['https', 'public', 'https://localhost/cb', 'https://localhost:4000/cb'],
    ['port 99999', 'public', 'http://localhost/cb', 'http://localhost:99999/cb'],
  ])(
    'a loopback address matches with no other difference than the port: %s',
    async (_, type, registered, redirect_uri) => {
      const { id } = await newClient({ type, redirectUris: [registered] });
      expectErrorPage(await ask(change({ client_id: id, redirect_uri })));
    },
  );

  test('a public client on localhost gets its code at the requested port, and needs consent each time', async () => {
    const app = await newClient({
      type: 'public',
      redirectUris: ['http://localhost/cb'],
      firstParty: true,
    });
    const redirect_uri = 'http://localhost:50123/cb';
    const { verifier, challenge } = newPkce();
    const asked = { ...request, client_id: app.id, redirect_uri, ...challenge };
    const code = await person.code(asked);
    const { status } = await post(server, '/oauth/token', {
      grant_type: 'authorization_code',
      client_id: app.id,
      code,
      redirect_uri,
      code_verifier: verifier,
    });
    expect(status).toBe(200);
    expect((await person.open(authorizePath(asked))).at).toMatch('/consent');
    const silent = answerOf(await person.open(authorizePath({ ...asked, prompt: 'none' })));
    expect(silent.error).toBe('consent_required');
  });

  test('a registered query is kept in the answer', async () => {
    const { id } = await newClient({ redirectUris: ['https://q.example/cb?tenant=7&x'] });
    expect((await person.authorize({ ...request, client_id: id })).at).toMatch(
      'https://q.example/cb?tenant=7&x&code=',
    );
  });
});

describe('errors of the authorization request that are redirected to the client (section 3.3)', () => {
  test('carry error, error_description, error_uri, state and iss', async () => {
    const page = await ask(change({ response_type: 'token' }));
    expect(page.at.startsWith(`${client.redirectUri}?`)).toBe(true);
    expect([302, 303]).toContain(page.status);
    expect(answerOf(page)).toEqual({
      error: 'unsupported_response_type',
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
      error_uri: `${server.issuer}/docs/errors/unsupported_response_type?request=${page.headers.get('x-request-id')}`,
      state: 'S',
      iss: server.issuer,
    });
  });

  test.each<[string, Record<string, string | undefined>, string]>([
    ['response_type missing', { response_type: undefined }, 'invalid_request'],
    ['response_type empty', { response_type: '' }, 'invalid_request'],
    ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['response_type of two', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['response_type in capitals', { response_type: 'CODE' }, 'unsupported_response_type'],
    ['none but unknown scopes', { scope: 'nonsense more' }, 'invalid_scope'],
    ['a scope with a quote', { scope: 'profile "email' }, 'invalid_scope'],
    ['a scope with a quotation mark', { scope: 'profile"' }, 'invalid_scope'],
    ['a scope in capitals', { scope: 'PROFILE' }, 'invalid_scope'],
    [
      'code_challenge_method plain',
      { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' },
      'invalid_request',
    ],
    ['code_challenge_method omitted', { code_challenge: 'a'.repeat(43) }, 'invalid_request'],
    [
      'code_challenge of 42 characters',
      { code_challenge: 'a'.repeat(42), code_challenge_method: 'S256' },
      'invalid_request',
    ],
    [
      'code_challenge of 44 characters',
      { code_challenge: 'a'.repeat(44), code_challenge_method: 'S256' },
      'invalid_request',
    ],
    [
      'code_challenge with +',
      { code_challenge: `${'a'.repeat(42)}+`, code_challenge_method: 'S256' },
      'invalid_request',
    ],
    ['code_challenge_method alone', { code_challenge_method: 'S256' }, 'invalid_request'],
    ['max_age that is no number', { max_age: 'soon' }, 'invalid_request'],
    ['prompt none with another', { prompt: 'none login' }, 'invalid_request'],
    ['an unknown response_mode', { response_mode: 'web_message' }, 'invalid_request'],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['request_uri', { request_uri: 'https://client.example/r' }, 'request_uri_not_supported'],
    ['registration', { registration: '{}' }, 'registration_not_supported'],
    ['prompt none, signed out', { prompt: 'none' }, 'login_required'],
  ])('%s', async (_, changes, error) => {
    expect(answerOf(await ask(change(changes)))).toMatchObject({ error, state: 'S' });
  });

  test('a wrong response_type is answered before a wrong scope, and that before wrong PKCE', async () => {
    expect(answerOf(await ask(change({ response_type: 'x', scope: '"' }))).error).toBe(
      'unsupported_response_type',
    );
    expect(answerOf(await ask(change({ scope: '"', code_challenge_method: 'x' }))).error).toBe(
      'invalid_scope',
    );
  });

  test.each([
    'response_type',
    'scope',
    'state',
    'code_challenge',
    'prompt',
    'max_age',
    'nonce',
    'response_mode',
  ])('a known parameter sent twice is invalid_request: %s', async (name) => {
    const pairs: [string, string][] = [
      ...(change({}) as [string, string][]),
      [name, 'x'],
      [name, 'x'],
    ];
    const answer = answerOf(await ask(pairs));
    expect(answer.error).toBe('invalid_request');
    expect(answer.state).toBe(name === 'state' ? undefined : 'S');
  });

  test('unknown parameters are ignored, repeated or not', async () => {
    const page = await ask(
      [...(change({}) as [string, string][]), ['foo', '1'], ['foo', '2'], ['', 'x']],
      person,
    );
    expect(answerOf(page).code).toBeDefined();
  });

  test('a client that may not use the code grant: unauthorized_client', async () => {
    const { id } = await newClient({ grants: ['client_credentials'] });
    expect(answerOf(await ask(change({ client_id: id }))).error).toBe('unauthorized_client');
  });
});

describe('scope (section 3.5)', () => {
  test('a scope outside the client’s own list is invalid_scope', async () => {
    const { id } = await newClient({ scopes: ['profile'] });
    expect(answerOf(await ask(change({ client_id: id, scope: 'email' }))).error).toBe(
      'invalid_scope',
    );
    expect((await ask(change({ client_id: id, scope: 'profile' }))).at).toMatch('/login');
  });

  test('an unknown scope is left out, and the token response names the granted scopes', async () => {
    const scope = 'teams profile roles email teams';
    const consent = await person.open(authorizePath({ ...request, scope, prompt: 'consent' }));
    expect(textOf(consent.html)).not.toMatch(/teams|roles/);
    const code = answerOf(await person.decide(consent, 'allow')).code ?? '';
    expect((await redeem(server, client, code)).body.scope).toBe('profile email');
  });

  test('offline_access is left out where the client may not request it', async () => {
    const listed = await newClient({ scopes: ['openid', 'email'] });
    const asked = { ...request, client_id: listed.id, scope: 'openid offline_access email' };
    const { body } = await redeem(server, listed, await person.code(asked));
    expect(body).toMatchObject({ scope: 'openid email', refresh_token: expect.any(String) });
  });

  test('groups is left out where the client may not request it', async () => {
    const listed = await newClient({ scopes: ['openid', 'email'] });
    const asked = { ...request, client_id: listed.id, scope: 'openid groups email' };
    const { body } = await redeem(server, listed, await person.code(asked));
    expect(body.scope).toBe('openid email');
  });

  test.each(['offline_access', 'offline_access nonsense', 'groups', 'nonsense'])(
    'a request of which no scope is left is invalid_scope: %s',
    async (scope) => {
      const { id } = await newClient({ scopes: ['profile'] });
      const answer = answerOf(await ask(change({ client_id: id, scope })));
      expect(answer.error).toBe('invalid_scope');
    },
  );

  test('a known scope that the client may not request is invalid_scope, beside unknown ones too', async () => {
    const { id } = await newClient({ scopes: ['profile'] });
    const answer = answerOf(await ask(change({ client_id: id, scope: 'nonsense profile email' })));
    expect(answer).toMatchObject({
      error: 'invalid_scope',
      error_description: 'This client is not allowed to request the scope email.',
    });
  });

  test('omitted, with none of the default scopes allowed: invalid_scope', async () => {
    const { id } = await newClient({ scopes: ['address'] });
    expect(answerOf(await ask(change({ client_id: id }))).error).toBe('invalid_scope');
  });

  test('the consent page describes every built-in scope in words', async () => {
    const scope = 'openid profile email address phone offline_access';
    const said = textOf(
      (await person.open(authorizePath({ ...request, scope, prompt: 'consent' }))).html,
    );
    for (const name of scope.split(' '))
      expect(said).toContain(en[`scope.${name}` as keyof typeof en]);
  });
});

describe('state (section 3.6)', () => {
  test.each([
    ['4,096 bytes', 'x'.repeat(4096)],
    ['characters that mean something in a URL', 'a+b c%20&=?#/\\"\'<>;,'],
    ['line ends and tabs', 'a\r\nb\tc'],
    ['Unicode of every length, not normalised', 'é e\u0301 ß 漢字 😀 \u202e'],
  ])('comes back byte for byte: %s', async (_, state) => {
    expect(answerOf(await person.authorize({ ...request, state })).state).toBe(state);
  });

  test('survives sign-in and consent', async () => {
    const state = 'a+b %2520 é😀"';
    const other = await newClient();
    expect(
      answerOf(
        await person.authorize({ ...request, client_id: other.id, state, prompt: 'consent' }),
      ).state,
    ).toBe(state);
  });

  test.each([
    ['4,097 bytes', 'x'.repeat(4097)],
    ['4,098 bytes in 2,049 characters', 'é'.repeat(2049)],
    ['5,000 bytes', 'x'.repeat(5000)],
  ])('of %s is refused and not sent back', async (_, state) => {
    const answer = answerOf(await ask(change({ state })));
    expect(answer.error).toBe('invalid_request');
    expect(answer).not.toHaveProperty('state');
  });

  test('is absent from the answer when it was not sent, or empty', async () => {
    for (const state of [undefined, ''])
      expect(answerOf(await ask(change({ state }), person))).not.toHaveProperty('state');
  });
});

describe('PKCE (section 3.7)', () => {
  test('a public client has to use it', async () => {
    expect(answerOf(await ask(change({ client_id: publicClient.id })))).toMatchObject({
      error: 'invalid_request',
    });
    expect(
      (
        await ask([
          ...(change({ client_id: publicClient.id }) as [string, string][]),
          ...Object.entries(newPkce().challenge),
        ])
      ).at,
    ).toMatch('/login');
  });

  test('a confidential client can be required to use it', async () => {
    const { id } = await newClient({ requirePkce: true });
    expect(answerOf(await ask(change({ client_id: id }))).error).toBe('invalid_request');
  });
});

describe('a successful authorization response (section 3, RFC 9207)', () => {
  test('carries code, state and iss, and nothing else', async () => {
    expect(Object.keys(answerOf(await person.authorize(request))).sort()).toEqual([
      'code',
      'iss',
      'state',
    ]);
  });

  test('iss can be switched off per client, in success and in errors', async () => {
    const { id } = await newClient({ sendIss: false });
    expect(answerOf(await person.authorize({ ...request, client_id: id }))).not.toHaveProperty(
      'iss',
    );
    expect(answerOf(await ask(change({ client_id: id, scope: '"' })))).not.toHaveProperty('iss');
  });

  test('is sent with Cache-Control: no-store and Referrer-Policy: no-referrer', async () => {
    const page = await person.open(authorizePath(request));
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  });
});

describe('a client without a registered redirect URI (sections 2 and 3)', () => {
  const free = { ...request, client_id: none.id, redirect_uri: 'https://new.example/cb' };

  test('may name one, and the consent page warns of it', async () => {
    const page = await person.open(authorizePath(free));
    expect(page.at).toMatch('/consent');
    expect(textOf(page.html)).toMatch(/isn’t registered/);
    expect(textOf(page.html)).toMatch('new.example');
    expect((await person.decide(page, 'allow')).at).toMatch('https://new.example/cb?code=');
  });

  test('needs consent each time', async () => {
    await person.authorize(free);
    expect((await person.open(authorizePath(free))).at).toMatch('/consent');
  });

  test.each<[string, Record<string, string>]>([
    ['a wrong response_type', { response_type: 'token' }],
    ['a wrong scope', { scope: 'nonsense' }],
    ['prompt none', { prompt: 'none' }],
    ['a state that is too long', { state: 'x'.repeat(5000) }],
  ])('gets no redirect before the user has decided: %s', async (_, changes) => {
    expectErrorPage(await ask({ ...free, ...changes }));
    expectErrorPage(await ask({ ...free, ...changes }, person));
  });

  test('gets no redirect from "cancel" at sign-in either', async () => {
    const outsider = new Person(server);
    const login = await ask(free, outsider);
    const page = await outsider.open(login.at.replace('/login', '/oauth/cancel'));
    expectErrorPage(page, /You canceled Nothing was shared/);
    expect(textOf(page.html)).not.toMatch(/Something’s wrong|Error code/);
    expect(page.html).toMatch(/<a class="gh-button[^>]+href="\/">/);
  });

  test('gets access_denied when the user denies', async () => {
    const page = await person.decide(await person.open(authorizePath(free)), 'deny');
    expect(page.at).toMatch('https://new.example/cb?error=access_denied');
  });

  test('cannot be a public client: an error page', async () => {
    const { id } = await newClient({ type: 'public', redirectUris: [] });
    expectErrorPage(
      await ask({ ...free, ...newPkce().challenge, client_id: id }),
      /no registered redirect URI/,
    );
  });
});

describe('POST to the authorization endpoint (OpenID Connect Core section 3.1.2.1)', () => {
  const postAuthorize = (body: Params, who: Person, headers: Record<string, string> = {}) =>
    who.request('/oauth/authorize', {
      method: 'POST',
      body: new URLSearchParams(body).toString(),
      headers,
    });

  test('redirects with 303, sets no cookie, and ends in a code as GET does', async () => {
    const fresh = new Person(server, person.username);
    const response = await postAuthorize(request, fresh, { Origin: 'https://client.example' });
    expect(response.status).toBe(303);
    expect(response.headers.getSetCookie()).toEqual([]);
    const location = response.headers.get('location') ?? '';
    expect(location).toMatch(/^\/oauth\/continue\?flow=/);
    const login = await fresh.open(location);
    expect(login.at).toMatch('/login?flow=');
    expect(answerOf(await fresh.signInAt(login)).code).toBeDefined();
  });

  test('its flow is bound to the browser that first opens it', async () => {
    const response = await postAuthorize(request, new Person(server));
    const login = await new Person(server).open(response.headers.get('location') ?? '');
    expectErrorPage(
      await new Person(server).open(login.at),
      /another browser|different browser|this browser/i,
    );
  });

  test('errors are those of GET', async () => {
    const refused = await postAuthorize(change({ response_type: 'token' }), new Person(server));
    expect(refused.headers.get('location')).toMatch(
      `${client.redirectUri}?error=unsupported_response_type`,
    );
    expect((await postAuthorize(change({ client_id: 'nobody' }), new Person(server))).status).toBe(
      400,
    );
  });

  test.each(['state', 'scope', 'nonce', 'response_mode', 'code_challenge'])(
    'a known parameter in query and body is invalid_request: %s',
    async (name) => {
      const sent = { ...request, response_mode: 'form_post', [name]: 'x' };
      const page = await new Person(server).open(`/oauth/authorize?${name}=x`, {
        method: 'POST',
        body: new URLSearchParams(sent).toString(),
      });
      const answer = page.forms[0]?.fields ?? answerOf(page);
      expect(answer.error).toBe('invalid_request');
      expect(answer.state).toBe(name === 'state' ? undefined : 'S');
    },
  );

  test.each([
    ['client_id', /client_id was sent more than once/],
    ['redirect_uri', /redirect_uri was sent more than once/],
  ])('client_id or redirect_uri in query and body is an error page: %s', async (name, problem) => {
    const sent = { ...request, redirect_uri: client.redirectUri };
    const value = sent[name as keyof typeof sent];
    const page = await new Person(server).open(
      `/oauth/authorize?${new URLSearchParams({ [name]: value })}`,
      { method: 'POST', body: new URLSearchParams(sent).toString() },
    );
    expectErrorPage(page, problem);
  });

  test('a parameter in the query counts like one in the body', async () => {
    const response = await new Person(server).request(
      '/oauth/authorize?code_challenge_method=S256',
      {
        method: 'POST',
        body: new URLSearchParams(request).toString(),
      },
    );
    expect(response.headers.get('location')).toMatch(`${client.redirectUri}?error=invalid_request`);
  });

  test('a JSON body is refused (400)', async () => {
    const json = {
      method: 'POST',
      body: JSON.stringify(request),
      headers: { 'Content-Type': 'application/json' },
    };
    expect((await new Person(server).request('/oauth/authorize', json)).status).toBe(400);
  });
});
