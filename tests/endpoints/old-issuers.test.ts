import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import { describe, expect, test, vi } from 'vitest';
import { updateClient } from '#lib/management/client/clients.ts';
import { deviceGrant } from '#lib/oauth/grant-types.ts';
import { newApi } from '../support/apis.ts';
import { type Answer, basic, credentials, post, readAnswer } from '../support/app.ts';
import { newDpopKey, proofOf } from '../support/dpop.ts';
import { Receiver } from '../support/logout-receiver.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, newPerson, type Page, type Person } from '../support/person.ts';
import { send } from '../support/raw.ts';
import { type ClientOptions, newClient, newPkce, type TestClient } from '../support/seed.ts';

/*
 * An app that was imported with a realm knows this server by the realm's issuer until it is
 * switched over. Everything that contains an issuer uses that one. The app's addresses are the
 * realm's, where apps of other realms are unknown.
 */

const gatehouse = await openServer({
  BACKCHANNEL_TO_PRIVATE_ADDRESSES: 'on',
  FAILED_REQUESTS_PER_ADDRESS: '0',
});
const pkce = newPkce();
const own = { code_verifier: pkce.verifier };
const everyGrant = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  deviceGrant,
] as const;

type OldPath = 'auth' | 'token' | 'userinfo' | 'token/introspect' | 'revoke' | 'ext/par/request';
const at = (realm: string, path: OldPath | 'auth/device' | 'logout') =>
  `/realms/${realm}/protocol/openid-connect/${path}`;
const issuerOf = (realm: string) => `${gatehouse.issuer}/realms/${realm}`;
const newRealmApp = (realm: string, more: ClientOptions = {}) =>
  newClient({ oldIssuer: `/realms/${realm}`, grants: [...everyGrant], ...more });
const switchOver = (client: TestClient) =>
  updateClient(client.id, { oldIssuer: null }, { actor: { id: 'cli' }, now: new Date() });
const jwtApi = (servedBy: TestClient[] = []) =>
  newApi({ tokenFormat: 'jwt', scopes: ['read'], servedBy: servedBy.map(({ id }) => id) });

const asked = (client: TestClient, more: Record<string, string> = {}) => ({
  client_id: client.id,
  response_type: 'code',
  scope: 'openid profile',
  state: 'S',
  ...pkce.challenge,
  ...more,
});
const authorizeAt = async (person: Person, path: string, params: Record<string, string>) =>
  person.goThrough(await person.open(`${path}?${new URLSearchParams(params)}`));
const codeIn = (page: Page) => answerOf(page).code ?? '';
const redeemAt = (path: string, client: TestClient, code: string, more = {}) =>
  post(gatehouse, path, {
    ...credentials(client),
    grant_type: 'authorization_code',
    code,
    ...own,
    ...more,
  });
const refreshAt = (path: string, client: TestClient, token: unknown) =>
  post(gatehouse, path, {
    ...credentials(client),
    grant_type: 'refresh_token',
    refresh_token: String(token),
  });
const introspectAt = async (path: string, client: TestClient, token: unknown) =>
  (await post(gatehouse, path, { ...credentials(client), token: String(token) })).body;
const userinfoAt = async (path: string, token: unknown, headers = {}): Promise<Answer> =>
  readAnswer(
    await fetch(gatehouse.base + path, {
      headers: { Authorization: `Bearer ${token}`, ...headers },
    }),
  );
const issuerIn = (token: unknown) => decodeJwt(String(token)).iss;

describe('the issuer of an app that was imported with a realm', () => {
  /** Every issuer that an app receives, by requests to these addresses. */
  async function heardAt(
    paths: { authorize: string; token: string; introspect: string },
    client: TestClient,
    api: { identifier: string },
    receiver: Receiver,
  ): Promise<Record<string, unknown>> {
    const person = await newPerson(gatehouse);
    const reach = { scope: 'openid read', resource: api.identifier };
    const answer = answerOf(await authorizeAt(person, paths.authorize, asked(client, reach)));
    const failed = await authorizeAt(person, paths.authorize, asked(client, { scope: 'no-such' }));
    const form = await authorizeAt(
      person,
      paths.authorize,
      asked(client, { response_mode: 'form_post' }),
    );
    const { body } = await redeemAt(paths.token, client, answer.code ?? '');
    const refreshed = (await refreshAt(paths.token, client, body.refresh_token)).body;
    const machine = await post(gatehouse, paths.token, {
      ...credentials(client),
      grant_type: 'client_credentials',
      scope: 'read',
      resource: api.identifier,
    });
    const told = (token: unknown) => introspectAt(paths.introspect, client, token);
    await person.open(`/oauth/logout?id_token_hint=${refreshed.id_token}`);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 20_000);
    const [heard] = receiver.received.splice(0);
    return {
      response: answer.iss,
      error: answerOf(failed).iss,
      form: form.forms[0]?.fields.iss,
      idToken: issuerIn(body.id_token),
      refreshedIdToken: issuerIn(refreshed.id_token),
      accessToken: issuerIn(body.access_token),
      refreshedAccessToken: issuerIn(refreshed.access_token),
      machineToken: issuerIn(machine.body.access_token),
      introspectedMachine: (await told(machine.body.access_token)).iss,
      logoutToken: issuerIn(heard?.form.get('logout_token')),
    };
  }

  test('is the realm’s in every response and token until the app is switched, then this server’s', async () => {
    const receiver = await new Receiver().listen();
    const client = await newRealmApp('all', { backchannelLogoutUri: receiver.uri });
    const api = await jwtApi();
    const old = {
      authorize: at('all', 'auth'),
      token: at('all', 'token'),
      introspect: at('all', 'token/introspect'),
    };
    const usual = {
      authorize: '/oauth/authorize',
      token: '/oauth/token',
      introspect: '/oauth/introspect',
    };
    const before = await heardAt(old, client, api, receiver);
    expect(Object.entries(before).filter(([, iss]) => iss !== issuerOf('all'))).toEqual([]);
    // The addresses do not matter; what an admin set for the app does.
    const elsewhere = await heardAt(usual, client, api, receiver);
    expect(elsewhere).toEqual(before);
    await switchOver(client);
    const after = await heardAt(usual, client, api, receiver);
    expect(Object.entries(after).filter(([, iss]) => iss !== gatehouse.issuer)).toEqual([]);
    expect(Object.keys(after)).toHaveLength(10);
  }, 60_000);

  test('is what an API checks: a JWT is valid for the app’s present issuer, and for no other', async () => {
    const client = await newRealmApp('checked');
    const api = await jwtApi();
    const insecure = { [oauth.allowInsecureRequests]: true } as const;
    const as = async (issuer: string) => {
      const url = new URL(issuer);
      const found = await oauth.discoveryRequest(url, { algorithm: 'oidc', ...insecure });
      return oauth.processDiscoveryResponse(url, found);
    };
    const realm = await as(issuerOf('checked'));
    const server = await as(gatehouse.issuer);
    const judge = (by: oauth.AuthorizationServer, token: unknown) => {
      const headers = { authorization: `Bearer ${token}` };
      const request = new Request(`${api.identifier}/things`, { headers });
      return oauth.validateJwtAccessToken(by, request, api.identifier, insecure).then(
        ({ iss }) => iss,
        () => 'refused',
      );
    };
    const newToken = async () => {
      const params = { grant_type: 'client_credentials', scope: 'read', resource: api.identifier };
      return (await post(gatehouse, '/oauth/token', { ...credentials(client), ...params })).body
        .access_token;
    };
    const before = await newToken();
    expect([await judge(realm, before), await judge(server, before)]).toEqual([
      issuerOf('checked'),
      'refused',
    ]);
    await switchOver(client);
    const after = await newToken();
    expect([await judge(realm, after), await judge(server, after)]).toEqual([
      'refused',
      gatehouse.issuer,
    ]);
    // What was issued before is unchanged, and is still active here.
    expect(await judge(realm, before)).toBe(issuerOf('checked'));
    expect(await introspectAt('/oauth/introspect', client, before)).toMatchObject({
      active: true,
      iss: gatehouse.issuer,
    });
  });
});

describe('when an imported app is switched to this server’s issuer', () => {
  test('earlier codes, refresh, access and ID tokens work at the new addresses', async () => {
    const stays = await newRealmApp('moment');
    const client = await newRealmApp('moment', {
      postLogoutRedirectUris: ['https://app.example/bye'],
    });
    const person = await newPerson(gatehouse);
    const first = await authorizeAt(person, at('moment', 'auth'), asked(client));
    const { body } = await redeemAt(at('moment', 'token'), client, codeIn(first));
    const introspected = () => introspectAt('/oauth/introspect', client, body.access_token);
    // Called twice, so that the answer comes from the server's cache.
    await introspected();
    expect(await introspected()).toMatchObject({ active: true, iss: issuerOf('moment') });
    const open = codeIn(await authorizeAt(person, at('moment', 'auth'), asked(client)));
    await switchOver(client);
    expect(await introspected()).toMatchObject({ active: true, iss: gatehouse.issuer });
    // The realm's addresses still exist for other apps, but no longer know this one. Trying them
    // does not use up its code.
    expect(await redeemAt(at('moment', 'token'), client, open)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect((await refreshAt(at('moment', 'token'), client, body.refresh_token)).status).toBe(401);
    const redeemed = await redeemAt('/oauth/token', client, open);
    expect([redeemed.status, issuerIn(redeemed.body.id_token)]).toEqual([200, gatehouse.issuer]);
    const next = await refreshAt('/oauth/token', client, body.refresh_token);
    expect([next.status, issuerIn(next.body.id_token)]).toEqual([200, gatehouse.issuer]);
    for (const path of ['/oauth/me', at('moment', 'userinfo')])
      expect((await userinfoAt(path, next.body.access_token)).body.sub).toBe(person.user.id);
    const end = new URLSearchParams({
      id_token_hint: String(body.id_token),
      post_logout_redirect_uri: 'https://app.example/bye',
    });
    expect((await person.open(`/oauth/logout?${end}`)).at).toBe('https://app.example/bye');
    await switchOver(stays);
    expect((await redeemAt(at('moment', 'token'), stays, 'x')).status).toBe(404);
  });

  test('an earlier pushed request works only at the new address', async () => {
    const client = await newRealmApp('pushed');
    await newRealmApp('pushed');
    const person = await newPerson(gatehouse);
    const pushed = await post(
      gatehouse,
      at('pushed', 'ext/par/request'),
      asked(client),
      basic(client),
    );
    expect(pushed.status).toBe(201);
    await switchOver(client);
    const named = { client_id: client.id, request_uri: String(pushed.body.request_uri) };
    const page = await person.open(`${at('pushed', 'auth')}?${new URLSearchParams(named)}`);
    expect([page.status, page.at.startsWith('/realms/pushed/')]).toEqual([400, true]);
    const answer = answerOf(await person.authorize(named));
    expect(answer.iss).toBe(gatehouse.issuer);
    expect((await redeemAt('/oauth/token', client, answer.code ?? '')).status).toBe(200);
  });
});

test('DPoP at a realm’s addresses: a proof must name the address of the request (PAR, token, userinfo)', async () => {
  const key = await newDpopKey();
  const client = await newRealmApp('dpop', { dpopBoundAccessTokens: true });
  const person = await newPerson(gatehouse);
  const proof = (path: string, more: { method?: string; token?: string } = {}) =>
    proofOf(key, { url: gatehouse.issuer + path, ...more });
  const push = async (path: string, DPoP: string) =>
    post(gatehouse, path, asked(client), { ...basic(client), DPoP });
  const par = at('dpop', 'ext/par/request');
  for (const [path, htu] of [
    [par, '/oauth/par'],
    ['/oauth/par', par],
    [par, at('other', 'ext/par/request')],
    [par, at('dpop', 'token')],
  ] as const)
    expect((await push(path, await proof(htu))).body.error).toBe('invalid_dpop_proof');
  const pushed = await push(par, await proof(par));
  expect(pushed.status).toBe(201);
  const named = { client_id: client.id, request_uri: String(pushed.body.request_uri) };
  const code = codeIn(await authorizeAt(person, at('dpop', 'auth'), named));
  const redeem = async (path: string, DPoP: string) =>
    post(
      gatehouse,
      path,
      { ...credentials(client), grant_type: 'authorization_code', code, ...own },
      { DPoP },
    );
  const token = at('dpop', 'token');
  expect((await redeem(token, await proof('/oauth/token'))).body.error).toBe('invalid_dpop_proof');
  expect((await redeem('/oauth/token', await proof(token))).body.error).toBe('invalid_dpop_proof');
  const { status, body } = await redeem(token, await proof(token));
  expect([status, body.token_type]).toEqual([200, 'DPoP']);
  const access = String(body.access_token);
  const userinfo = at('dpop', 'userinfo');
  const tell = async (path: string, DPoP: string) =>
    userinfoAt(path, access, { Authorization: `DPoP ${access}`, DPoP });
  const forUser = (path: string) => proof(path, { method: 'GET', token: access });
  expect((await tell(userinfo, await forUser('/oauth/me'))).status).toBe(401);
  expect((await tell('/oauth/me', await forUser(userinfo))).status).toBe(401);
  const good = await forUser(userinfo);
  expect((await tell(userinfo, good)).body.sub).toBe(person.user.id);
  // Accepted once, at either address.
  for (const path of [userinfo, '/oauth/me']) expect((await tell(path, good)).status).toBe(401);
});

describe('apps of two realms', () => {
  const ofTwo = async () => {
    const ours = await newRealmApp('ours', { resourceServer: true });
    const theirs = await newRealmApp('theirs', { resourceServer: true });
    return { ours, theirs, person: await newPerson(gatehouse) };
  };
  const tokensOf = async (realm: string, client: TestClient, person: Person) => {
    const code = codeIn(await authorizeAt(person, at(realm, 'auth'), asked(client)));
    return (await redeemAt(at(realm, 'token'), client, code)).body;
  };

  test('an app of another realm is an unknown client at this realm’s addresses', async () => {
    const { ours, theirs, person } = await ofTwo();
    const tokens = await tokensOf('theirs', theirs, person);
    const code = codeIn(await authorizeAt(person, at('theirs', 'auth'), asked(theirs)));
    const page = await person.request(
      `${at('ours', 'auth')}?${new URLSearchParams(asked(theirs))}`,
    );
    const posted = await person.request(at('ours', 'auth'), {
      method: 'POST',
      body: new URLSearchParams(asked(theirs)).toString(),
    });
    for (const { status, headers } of [page, posted])
      expect([status, headers.get('location')]).toEqual([400, null]);
    const sent = (path: OldPath | 'auth/device', params: Record<string, string>) =>
      post(gatehouse, at('ours', path), { ...credentials(theirs), ...params });
    const answers = {
      pushed: await sent('ext/par/request', asked(theirs)),
      code: await redeemAt(at('ours', 'token'), theirs, code),
      refresh: await refreshAt(at('ours', 'token'), theirs, tokens.refresh_token),
      own: await sent('token', { grant_type: 'client_credentials' }),
      device: await sent('auth/device', {}),
      revoked: await sent('revoke', { token: String(tokens.refresh_token) }),
      told: await sent('token/introspect', { token: String(tokens.access_token) }),
    };
    const said = Object.values(answers).map(({ status, body }) => `${status} ${body.error}`);
    expect(new Set(said)).toEqual(new Set(['401 invalid_client']));
    // An unknown app gets the same answer.
    const nobody = { id: 'nobody', secret: 'x', redirectUri: '' };
    const unknown = await refreshAt(at('ours', 'token'), nobody, tokens.refresh_token);
    expect(unknown.body.error_description).toBe(answers.refresh.body.error_description);
    // A refresh token without client authentication, as the profile interface allows, is refused
    // there too.
    const alone = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) };
    const withNothing = await post(gatehouse, at('ours', 'token'), alone);
    expect([withNothing.status, withNothing.body.error]).toEqual([400, 'invalid_grant']);
    // None of these requests used anything up or ended anything.
    const redeemed = await redeemAt(at('theirs', 'token'), theirs, code);
    const next = await refreshAt(at('theirs', 'token'), theirs, tokens.refresh_token);
    expect([redeemed.status, next.status]).toEqual([200, 200]);
    expect(ours.id).not.toBe(theirs.id);
  });

  test('access tokens of another realm are inactive at this realm’s introspection and userinfo', async () => {
    const { ours, theirs, person } = await ofTwo();
    const { access_token: mine } = await tokensOf('ours', ours, person);
    const { access_token: foreign } = await tokensOf('theirs', theirs, person);
    const told = (realm: string, token: unknown) =>
      introspectAt(at(realm, 'token/introspect'), ours, token);
    expect(await told('ours', mine)).toMatchObject({ active: true });
    expect(await told('ours', foreign)).toEqual({ active: false });
    expect((await userinfoAt(at('ours', 'userinfo'), mine)).status).toBe(200);
    const refused = await userinfoAt(at('ours', 'userinfo'), foreign);
    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_token']);
    // At this server's own addresses both tokens work.
    expect(await introspectAt('/oauth/introspect', ours, foreign)).toMatchObject({ active: true });
    expect((await userinfoAt('/oauth/me', foreign)).status).toBe(200);
    await switchOver(theirs);
    expect(await told('ours', foreign)).toMatchObject({ active: true, iss: gatehouse.issuer });
  });

  test('a code or refresh token of an app of another realm is invalid_grant', async () => {
    const { ours, theirs, person } = await ofTwo();
    const code = codeIn(await authorizeAt(person, at('theirs', 'auth'), asked(theirs)));
    const { refresh_token } = await tokensOf('theirs', theirs, person);
    for (const answer of [
      await redeemAt(at('ours', 'token'), ours, code),
      await refreshAt(at('ours', 'token'), ours, refresh_token),
    ])
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
    expect((await redeemAt(at('theirs', 'token'), theirs, code)).status).toBe(200);
  });
});

describe('spellings of a realm’s addresses', () => {
  const spelled = [
    '/realms/spelled%2f',
    '/realms%2fspelled',
    '/%72ealms/spelled',
    '/realms/%73pelled',
    '/realms/spelled%2e',
    '/realms/spelled%00',
    '/realms/spelled%20',
    '/realms/spelled;v=1',
    '/Realms/spelled',
    '/realms/SPELLED',
    '/REALMS/SPELLED',
    '/realms/spelled/',
    '//realms/spelled',
    '/realms/other/../spelled',
    '/realms/./spelled',
    '/realms/spelled/.',
    '/realms/spelled/..',
    '/realms/other/%2e%2e/spelled',
    '/realms/..',
    '/realms/.',
    '/realms/',
    '/realms',
    '/realms//spelled',
    '/realms/..%2fspelled',
    '/realms/..\\spelled',
    '\\realms\\spelled',
    '/oauth/../realms/spelled',
    '/auth/realms/spelled',
    '/auth//realms/spelled',
    '/auth/auth/realms/spelled',
    '/auth/realms/..',
    '/realms/spelled\u00e9',
    '/realms/spelled%C3%A9',
    '/realms/spelled%ff',
    '/realms/__proto__',
    '/realms/constructor',
    '/realms/toString',
    '/realms/null',
    '/realms/undefined',
    '/realms/spelled?',
    '/realms/spelled#',
    `/realms/${'s'.repeat(61)}`,
    `/realms/${'s'.repeat(9000)}`,
    'http://localhost/realms/spelled',
    '/mount/realms/spelled',
    '/api/v1/../realms/spelled',
  ];
  const endpoints = [
    'token',
    '%74oken',
    'TOKEN',
    'token/',
    'token//',
    'token%2f',
    './token',
    '../openid-connect/token',
    'token;x',
    'token.json',
    'token%00',
    'constructor',
    '',
  ];

  test.each(spelled)('%s is refused: no token and no metadata', async (path) => {
    const client = await newRealmApp('spelled');
    const body = new URLSearchParams({
      ...credentials(client),
      grant_type: 'client_credentials',
    }).toString();
    const head = (method: string, target: string) =>
      `${method} ${target} HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded`;
    const token = await send(
      gatehouse.port,
      head('POST', `${path}/protocol/openid-connect/token`),
      body,
    );
    expect([400, 404, 405, 409, 414, 431]).toContain(token.status);
    expect(token.body).not.toContain('access_token');
    const document = await send(
      gatehouse.port,
      head('GET', `${path}/.well-known/openid-configuration`),
    );
    expect([301, 302, 307, 308, 400, 404, 405, 414, 431]).toContain(document.status);
    expect(document.body).not.toContain('token_endpoint');
    const leads = document.headers.get('location');
    if (leads !== null) expect(leads).toMatch(/^\/[^/\\]/);
  });

  test('the exact path is known, and each endpoint by one spelling', async () => {
    const client = await newRealmApp('spelled');
    const sent = { ...credentials(client), grant_type: 'client_credentials' };
    const statuses: Record<string, number> = {};
    for (const name of endpoints) {
      const line = `POST /realms/spelled/protocol/openid-connect/${name} HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded`;
      statuses[name] = (
        await send(gatehouse.port, line, new URLSearchParams(sent).toString())
      ).status;
    }
    const good = Object.keys(statuses).filter((name) => statuses[name] === 200);
    expect([good, statuses]).toMatchObject([['token'], {}]);
    expect(Object.values(statuses).filter((status) => status >= 500)).toEqual([]);
  });

  test('an invalid realm path cannot be set for an app', async () => {
    const client = await newClient();
    const said = (oldIssuer: string) =>
      updateClient(client.id, { oldIssuer }, { actor: { id: 'cli' }, now: new Date() });
    for (const path of [
      '/realms/..',
      '/realms/.',
      '/realms/',
      '/realms/a/b',
      '/realms/a%2fb',
      'realms/a',
      '//realms/a',
      '/realms/a?',
      '/oauth',
      '/',
      'https://evil.example',
      `/realms/${'a'.repeat(61)}`,
      '/realms/\u00e4',
    ])
      await expect(said(path), path).rejects.toThrow(/realms\/NAME/);
    await said('/realms/...');
    await said('/auth/realms/A.b-c_d');
  });
});
