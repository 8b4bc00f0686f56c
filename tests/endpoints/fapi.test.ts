import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#lib/management/client/clients.ts';
import { strongAlgs } from '#lib/oauth/strong-client.ts';
import { newApi } from '../support/apis.ts';
import { basic, post, readAnswer } from '../support/app.ts';
import { assertionOf, byAssertion, keySet, newSigningKey } from '../support/assertions.ts';
import { attemptOf } from '../support/attempts.ts';
import { newDpopKey, proofOf } from '../support/dpop.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, Person } from '../support/person.ts';
import { newAddress, register } from '../support/registering.ts';
import {
  type ClientOptions,
  newClient,
  newPkce,
  newUser,
  password,
  type TestClient,
} from '../support/seed.ts';
import { set } from '../support/settings.ts';

// The FAPI 2.0 Security Profile (final), clause by clause: on a server with this profile, and for
// strong clients on a server with any other.
const server = await openServer({ SECURITY_PROFILE: 'fapi' });
/** Another server with the same issuer, which browsers there have to use too. */
const loose = {
  ...(await server.another({ ISSUER: server.issuer, SECURITY_PROFILE: 'interface' })),
  issuer: server.issuer,
};
const servers = [
  ['a server of this profile', server, null],
  ['a strong client of a compatible server', loose, true],
] as const;
type Server = typeof server;

const own = await newSigningKey('PS256');
const dpop = await newDpopKey();
const grants = ['authorization_code', 'refresh_token', 'client_credentials'];
const newStrong = (strong: boolean | null, more: ClientOptions = {}) =>
  newClient({ grants, jwks: keySet(own), strong, firstParty: true, ...more });
const pkce = newPkce();
const asked = { response_type: 'code', scope: 'openid', ...pkce.challenge };
const proof = async (client: TestClient) => byAssertion(await assertionOf(client, server, own));
const dpopFor = (path: string) => proofOf(dpop, { url: server.issuer + path });

const push = async (client: TestClient, at: Server, more: Record<string, string> = {}) =>
  post(at, '/oauth/par', {
    ...asked,
    redirect_uri: client.redirectUri,
    ...(await proof(client)),
    ...more,
  });
async function codeOf(client: TestClient, at: Server) {
  const person = await newPerson(at);
  const { body } = await push(client, at);
  const path = authorizePath({ client_id: client.id, request_uri: String(body.request_uri) });
  return answerOf(await person.goThrough(await person.open(path)));
}
async function redeem(
  client: TestClient,
  at: Server,
  code: string,
  more: Record<string, string> = {},
) {
  const sent = {
    grant_type: 'authorization_code',
    code,
    code_verifier: pkce.verifier,
    redirect_uri: client.redirectUri,
    ...(await proof(client)),
    ...more,
  };
  return post(at, '/oauth/token', sent, { DPoP: await dpopFor('/oauth/token') });
}
async function refresh(client: TestClient, at: Server, token: unknown) {
  const sent = {
    grant_type: 'refresh_token',
    refresh_token: String(token),
    ...(await proof(client)),
  };
  return post(at, '/oauth/token', sent, { DPoP: await dpopFor('/oauth/token') });
}
/** The tokens of a sign-in for an API that takes JWTs. */
async function tokensForApi(client: TestClient, at: Server) {
  const api = await newApi({ tokenFormat: 'jwt' });
  const person = await newPerson(at);
  const { body } = await push(client, at, { resource: api.identifier });
  const path = authorizePath({ client_id: client.id, request_uri: String(body.request_uri) });
  const { code = '' } = answerOf(await person.goThrough(await person.open(path)));
  return (await redeem(client, at, code)).body;
}

const orderOfP256 = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The same JWT with the signature (r, n − s) instead of (r, s). */
function twinOf(jwt: string): string {
  const at = jwt.lastIndexOf('.') + 1;
  const signature = Buffer.from(jwt.slice(at), 'base64url');
  const s = BigInt(`0x${signature.subarray(32).toString('hex')}`);
  const other = Buffer.from((orderOfP256 - s).toString(16).padStart(64, '0'), 'hex');
  return jwt.slice(0, at) + Buffer.concat([signature.subarray(0, 32), other]).toString('base64url');
}

const bad = (error: string) => ({ status: 400, body: { error } });

describe.each(servers)('FAPI 2.0 Security Profile: %s', (_, at, strong) => {
  test('signs users in with a pushed request, private_key_jwt and DPoP-bound tokens (5.3.2.1, 5.3.2.2)', async () => {
    const client = await newStrong(strong);
    const answer = await codeOf(client, at);
    expect(answer.iss).toBe(server.issuer);
    const { status, body } = await redeem(client, at, answer.code ?? '');
    expect([status, body.token_type]).toEqual([200, 'DPoP']);
    const token = String(body.access_token);
    const url = `${server.issuer}/oauth/me`;
    const DPoP = await proofOf(dpop, { method: 'GET', url, token });
    const me = await readAnswer(
      await fetch(`${at.base}/oauth/me`, { headers: { Authorization: `DPoP ${token}`, DPoP } }),
    );
    expect([me.status, me.body.sub]).toEqual([200, decodeJwt(String(body.id_token)).sub]);
  });

  test('refuses a client with a secret and a public one at each endpoint (5.3.2.1)', async () => {
    const withSecret = await newClient({ grants, strong });
    const open = await newClient({ type: 'public', strong });
    const sent = { ...asked, redirect_uri: withSecret.redirectUri };
    expect(await post(at, '/oauth/par', sent, basic(withSecret))).toMatchObject(
      bad('unauthorized_client'),
    );
    expect((await attemptOf(withSecret)).rule).toBe('client.no-key');
    const openSent = { ...asked, client_id: open.id, redirect_uri: open.redirectUri };
    expect(await post(at, '/oauth/par', openSent)).toMatchObject(bad('unauthorized_client'));
    const person = await newPerson(at);
    for (const { id, redirectUri: redirect_uri } of [withSecret, open]) {
      const page = await person.open(authorizePath({ ...asked, client_id: id, redirect_uri }));
      expect(answerOf(page).error).toBe('unauthorized_client');
    }
    const DPoP = await dpopFor('/oauth/token');
    const own = { grant_type: 'client_credentials' };
    expect(await post(at, '/oauth/token', own, { ...basic(withSecret), DPoP })).toMatchObject(
      bad('unauthorized_client'),
    );
  });

  test('only sender-constrained tokens are issued (5.3.2.1)', async () => {
    const client = await newStrong(strong);
    const own = { grant_type: 'client_credentials' };
    expect(await post(at, '/oauth/token', { ...own, ...(await proof(client)) })).toMatchObject(
      bad('invalid_dpop_proof'),
    );
    const DPoP = await dpopFor('/oauth/token');
    const { body } = await post(at, '/oauth/token', { ...own, ...(await proof(client)) }, { DPoP });
    expect(body.token_type).toBe('DPoP');
  });

  test('an assertion for another audience than the issuer is refused (5.3.2.1)', async () => {
    const client = await newStrong(strong);
    for (const aud of [
      `${server.issuer}/oauth/token`,
      `${server.issuer}/oauth/par`,
      [server.issuer],
    ])
      expect(
        await push(
          client,
          at,
          byAssertion(await assertionOf(client, server, own, { claims: { aud } })),
        ),
      ).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  test('accepts iat and nbf ten seconds in the future, not 70 (5.3.2.1)', async () => {
    const client = await newStrong(strong);
    const now = Math.floor(Date.now() / 1000);
    const by = async (ahead: number) => {
      const claims = { iat: now + ahead, nbf: now + ahead };
      return (
        await push(client, at, byAssertion(await assertionOf(client, server, own, { claims })))
      ).status;
    };
    expect([await by(10), await by(70)]).toEqual([201, 401]);
    const sent = { grant_type: 'client_credentials' };
    const dpopBy = async (ahead: number) => {
      const claims = { iat: now + ahead };
      const DPoP = await proofOf(dpop, { url: `${server.issuer}/oauth/token` }, { claims });
      return (await post(at, '/oauth/token', { ...sent, ...(await proof(client)) }, { DPoP }))
        .status;
    };
    expect([await dpopBy(10), await dpopBy(70)]).toEqual([200, 400]);
  });

  test('refresh tokens are not rotated (5.3.2.1)', async () => {
    const client = await newStrong(strong);
    const { body } = await redeem(client, at, (await codeOf(client, at)).code ?? '');
    for (const _ of [1, 2, 3]) {
      const again = await refresh(client, at, body.refresh_token);
      expect([again.status, again.body.refresh_token]).toEqual([200, undefined]);
    }
    // Without the client's key, no one can refresh.
    const DPoP = await dpopFor('/oauth/token');
    const sent = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
    expect((await post(at, '/oauth/token', sent, { DPoP })).status).toBe(401);
  });

  test('codes live for a minute at most (5.3.2.1)', async () => {
    await set('CODE_TTL', '600');
    const client = await newStrong(strong);
    const { code = '' } = await codeOf(client, at);
    await set('CODE_TTL', null);
    const opened = Buffer.from(code.slice('gh_code_'.length), 'base64url');
    const ends = opened.readUIntBE(23, 6);
    expect(ends - Date.now()).toBeLessThanOrEqual(60_000);
    expect(ends - Date.now()).toBeGreaterThan(10_000);
  });

  test('a request that was not pushed is refused (5.3.2.2)', async () => {
    const client = await newStrong(strong);
    const person = await newPerson(at);
    const sent = { ...asked, client_id: client.id, redirect_uri: client.redirectUri };
    expect(answerOf(await person.open(authorizePath(sent))).error).toBe('invalid_request');
    expect((await attemptOf(client)).rule).toBe('request-uri.required');
  });

  test('refuses a pushed request without client authentication (5.3.2.2)', async () => {
    const client = await newStrong(strong);
    const sent = { ...asked, client_id: client.id, redirect_uri: client.redirectUri };
    expect((await post(at, '/oauth/par', sent)).status).toBe(401);
  });

  test('PKCE with S256 is required (5.3.2.2)', async () => {
    const client = await newStrong(strong);
    const without = { code_challenge: '', code_challenge_method: '' };
    expect(await push(client, at, without)).toMatchObject(bad('invalid_request'));
    expect(await push(client, at, { code_challenge_method: 'plain' })).toMatchObject(
      bad('invalid_request'),
    );
  });

  test('requires redirect_uri in the pushed request, with https (5.3.2.2)', async () => {
    const client = await newStrong(strong);
    expect(await push(client, at, { redirect_uri: '' })).toMatchObject(bad('invalid_request'));
    for (const uri of ['http://localhost/cb', 'http://127.0.0.1/cb', 'com.example.app:/cb']) {
      const odd = await newStrong(strong, { redirectUris: [uri] });
      expect(await push(odd, at)).toMatchObject(bad('invalid_request'));
      expect((await attemptOf(odd)).rule).toBe('redirect-uri.forbidden');
    }
  });

  test('has iss in each authorization response, errors too (5.3.2.2, RFC 9207)', async () => {
    const client = await newStrong(strong, { sendIss: false });
    expect((await codeOf(client, at)).iss).toBe(server.issuer);
    const { body } = await push(client, at, { prompt: 'none' });
    const path = authorizePath({ client_id: client.id, request_uri: String(body.request_uri) });
    const { error, iss } = answerOf(await new Person(at).open(path));
    expect([error, iss]).toEqual(['login_required', server.issuer]);
  });

  test('a code works once (5.3.2.2)', async () => {
    const client = await newStrong(strong);
    const { code = '' } = await codeOf(client, at);
    expect((await redeem(client, at, code)).status).toBe(200);
    expect(await redeem(client, at, code)).toMatchObject(bad('invalid_grant'));
  });

  test('redirects are 303 (5.3.2.2)', async () => {
    const client = await newStrong(strong);
    const { body } = await push(client, at);
    const path = authorizePath({ client_id: client.id, request_uri: String(body.request_uri) });
    const person = new Person(at, (await newUser()).username);
    expect((await person.request(path)).status).toBe(303);
    const login = await person.open(path);
    const { body: form, headers } = person.postOf(login, '/login/submit', {
      username: person.username,
      password,
    });
    const sent = await person.request('/login/submit', { method: 'POST', body: form, headers });
    expect(sent.status).toBe(303);
  });

  test('a request_uri is valid for less than ten minutes (5.3.2.2)', async () => {
    const { body } = await push(await newStrong(strong), at);
    expect(body.expires_in).toBe(60);
  });

  test('accepts only PS256, ES256 and EdDSA from clients, and signs with ES256 (5.4.1)', async () => {
    const key = await newSigningKey('RS256');
    const rsaDpop = await newDpopKey('RS256');
    const client = await newStrong(strong, { jwks: keySet(key, own) });
    const byRsa = byAssertion(await assertionOf(client, server, key));
    expect((await push(client, at, byRsa)).status).toBe(401);
    const DPoP = await proofOf(rsaDpop, { url: `${server.issuer}/oauth/token` });
    const sent = { grant_type: 'client_credentials', ...(await proof(client)) };
    expect(await post(at, '/oauth/token', sent, { DPoP })).toMatchObject(bad('invalid_dpop_proof'));
    for (const alg of strongAlgs) {
      const other = await newSigningKey(alg);
      const strongClient = await newStrong(strong, { jwks: keySet(other) });
      const by = byAssertion(await assertionOf(strongClient, server, other));
      expect((await push(strongClient, at, by)).status).toBe(201);
    }
    const tokens = await tokensForApi(client, at);
    for (const jwt of [tokens.id_token, tokens.access_token])
      expect(decodeProtectedHeader(String(jwt)).alg).toBe('ES256');
  });

  test('a revoked JWT is inactive with its other valid ECDSA signature (r, n − s), too', async () => {
    const client = await newStrong(strong);
    const { access_token } = await tokensForApi(client, at);
    const jwt = String(access_token);
    const ask = async (path: string, token: string) =>
      post(at, path, { ...(await proof(client)), token });
    const twin = twinOf(jwt);
    expect(twin).not.toBe(jwt);
    for (const token of [jwt, twin])
      expect((await ask('/oauth/introspect', token)).body).toMatchObject({ active: true });
    expect((await ask('/oauth/revoke', jwt)).status).toBe(200);
    for (const token of [jwt, twin])
      expect((await ask('/oauth/introspect', token)).body).toEqual({ active: false });
  });
});

test('the metadata of a FAPI server has require_pushed_authorization_requests (RFC 9126 section 5)', async () => {
  const known = await (await fetch(`${server.base}/.well-known/openid-configuration`)).json();
  expect(known).toMatchObject({
    require_pushed_authorization_requests: true,
    authorization_response_iss_parameter_supported: true,
    grant_types_supported: expect.not.arrayContaining(['password', 'implicit']),
  });
});

test('the metadata of a FAPI server lists only the methods and algorithms of strong clients (5.3.2.1, 5.4.1)', async () => {
  const told = async (at: Server) => {
    const known = await (await fetch(`${at.base}/.well-known/openid-configuration`)).json();
    const said = (end: string) =>
      Object.keys(known)
        .filter((name) => name.endsWith(end))
        .map((name) => known[name]);
    return {
      methods: said('_auth_methods_supported'),
      algs: [
        ...said('_auth_signing_alg_values_supported'),
        ...said('dpop_signing_alg_values_supported'),
      ],
    };
  };
  const three = <T>(value: T) => [value, value, value];
  expect(await told(server)).toEqual({
    methods: three(['private_key_jwt']),
    algs: [...three(strongAlgs), strongAlgs],
  });
  const { methods, algs } = await told(loose);
  for (const each of methods) expect(each).toContain('client_secret_basic');
  for (const each of algs) expect(each).toContain('RS256');
});

test('one client of a FAPI server can be exempted, and a strong client does not affect others of its server', async () => {
  const spared = await newClient({
    strong: false,
    firstParty: true,
    requirePushedAuthorizationRequests: false,
  });
  const plain = await newClient({ firstParty: true });
  for (const [client, at] of [
    [spared, server],
    [plain, loose],
  ] as const) {
    const person = await newPerson(at);
    const sent = { ...asked, client_id: client.id, redirect_uri: client.redirectUri };
    const page = await person.goThrough(await person.open(authorizePath(sent)));
    expect(answerOf(page).code).toBeDefined();
  }
});

const rsa = await newSigningKey('RS256');

describe('dynamic registration at a FAPI server refuses an app that could not work', () => {
  beforeAll(() => set('CLIENT_REGISTRATION', 'open'));
  afterAll(() => set('CLIENT_REGISTRATION', null));
  const jwks = JSON.parse(keySet(own));
  const https = ['https://app.example/cb'];
  const byKey = { token_endpoint_auth_method: 'private_key_jwt', jwks };
  const onlyRs = { keys: [{ ...rsa.jwk, alg: 'RS256' }] };
  test.each([
    ['with a secret', {}, /private_key_jwt/],
    ['with a secret, said so', { token_endpoint_auth_method: 'client_secret_post' }, /_key_jwt/],
    ['public', { token_endpoint_auth_method: 'none' }, /private_key_jwt, and jwks or jwks_uri/],
    ['with weak keys', { ...byKey, jwks: onlyRs }, /none of these keys/],
    ['by RS256', { ...byKey, token_endpoint_auth_signing_alg: 'RS256' }, /signing_alg/],
    ['without TLS', { ...byKey, redirect_uris: ['http://127.0.0.1/cb'] }, /only https addresses/],
  ])('%s', async (_, metadata, says) => {
    const said = { redirect_uris: https, ...metadata };
    const { status, body } = await register(server, said, newAddress());
    expect([status, body.error_description]).toEqual([400, expect.stringMatching(says)]);
  });
  test('but registers one with keys', async () => {
    for (const more of [{}, { token_endpoint_auth_signing_alg: 'PS256' }]) {
      const said = { redirect_uris: https, ...byKey, ...more };
      expect((await register(server, said, newAddress())).status).toBe(201);
    }
  });
});

test('on a FAPI server the form of a new app has the fields strong, jwks and jwksUri', async () => {
  for (const [at, asks] of [
    [server, true],
    [loose, false],
  ] as const) {
    const admin = new Person(at, (await newUser({ isAdmin: true })).username);
    await admin.signIn();
    for (const form of ['kind=web', 'recipe=nextcloud']) {
      const { html, status } = await admin.open(`/admin/clients/new?${form}`);
      expect(status).toBe(200);
      for (const name of ['strong', 'jwks', 'jwksUri'])
        expect([form, html.includes(`name="${name}"`)]).toEqual([form, asks]);
    }
  }
});

test('an admin can create a strong client', async () => {
  const { client } = await createClient(
    {
      name: 'Strong',
      redirectUris: ['https://strong.example/cb'],
      jwks: keySet(own),
      strong: true,
    },
    { id: 'cli' },
    new Date(),
  );
  expect(client.strong).toBe(true);
});
