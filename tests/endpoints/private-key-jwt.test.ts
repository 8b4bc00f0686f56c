import { createHmac, createPublicKey, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { disableClient, updateClient } from '#lib/management/client/clients.ts';
import { rotateSecret } from '#lib/management/secret/secrets.ts';
import { clientSigningAlgs } from '#lib/oauth/key-set.ts';
import { basic, post } from '../support/app.ts';
import {
  assertionOf,
  byAssertion,
  keySet,
  newSigningKey,
  part,
  type SigningKey,
} from '../support/assertions.ts';
import { attemptOf } from '../support/attempts.ts';
import { openDocumentSite } from '../support/document-site.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson } from '../support/person.ts';
import { newAddress, newRegistered, register } from '../support/registering.ts';
import { newClient, newPkce, type TestClient } from '../support/seed.ts';
import { set } from '../support/settings.ts';

const site = await openDocumentSite();
const server = await openServer(site.env);
/** Another process, with its own memory. */
const other = await server.secondProcess();
const actor = { id: 'cli' };
const key = await newSigningKey();
const grants = ['authorization_code', 'refresh_token', 'client_credentials'];
const newStrong = (...keys: SigningKey[]) =>
  newClient({ jwks: keySet(...(keys.length > 0 ? keys : [key])), grants, scopes: ['profile'] });

const tokenOf = (assertion: string, more: Record<string, string> = {}, at = server) =>
  post(at, '/oauth/token', {
    grant_type: 'client_credentials',
    ...byAssertion(assertion),
    ...more,
  });
const refused = { status: 401, body: { error: 'invalid_client' } };

/** The fields that redeem a new code of a new person. */
async function codeOf(client: TestClient) {
  const pkce = newPkce();
  const request = { client_id: client.id, response_type: 'code', scope: 'profile' };
  const code = await (await newPerson(server)).code({ ...request, ...pkce.challenge });
  const grant_type = 'authorization_code';
  return { grant_type, code, redirect_uri: client.redirectUri, code_verifier: pkce.verifier };
}

async function refreshTokenOf(client: TestClient): Promise<string> {
  const { body } = await tokenOf(await assertionOf(client, server, key), await codeOf(client));
  return String(body.refresh_token);
}

describe('private_key_jwt (RFC 7523 sections 2.2 and 3)', () => {
  test.each(clientSigningAlgs)('authenticates a client with %s', async (alg) => {
    const own = await newSigningKey(alg);
    const client = await newStrong(own);
    expect(await tokenOf(await assertionOf(client, server, own))).toMatchObject({ status: 200 });
  });

  test('works at the token (code and refresh), introspection and revocation endpoints', async () => {
    const client = await newStrong();
    const proof = async () => byAssertion(await assertionOf(client, server, key));
    const redeemed = await tokenOf(await assertionOf(client, server, key), await codeOf(client));
    expect(redeemed.status).toBe(200);
    const refresh = {
      grant_type: 'refresh_token',
      refresh_token: String(redeemed.body.refresh_token),
    };
    expect(await post(server, '/oauth/token', { ...refresh, client_id: client.id })).toMatchObject(
      refused,
    );
    expect(await post(server, '/oauth/token', refresh)).toMatchObject(refused);
    const refreshed = await post(server, '/oauth/token', { ...(await proof()), ...refresh });
    expect(refreshed.status).toBe(200);
    const token = String(refreshed.body.access_token);
    const introspected = await post(server, '/oauth/introspect', { ...(await proof()), token });
    expect(introspected.body).toMatchObject({ active: true, client_id: client.id });
    expect(await post(server, '/oauth/revoke', { ...(await proof()), token })).toMatchObject({
      status: 200,
    });
    expect((await post(server, '/oauth/introspect', { ...(await proof()), token })).body).toEqual({
      active: false,
    });
  });

  test('is in the metadata, with its algorithms', async () => {
    const known = await (await fetch(`${server.base}/.well-known/openid-configuration`)).json();
    expect(known).toMatchObject({
      token_endpoint_auth_methods_supported: expect.arrayContaining(['private_key_jwt', 'none']),
      token_endpoint_auth_signing_alg_values_supported: clientSigningAlgs,
      introspection_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
      ],
    });
  });
});

test.each(['token', 'par', 'revoke', 'introspect', 'device_authorization'])(
  'a client assertion whose sub is no valid text is invalid_client (/oauth/%s)',
  async (endpoint) => {
    for (const sub of ['a\0b', '\ud800', '\ufffd']) {
      const assertion = `${part({ alg: 'ES256' })}.${part({ sub })}.AA`;
      const asked = { grant_type: 'client_credentials', ...byAssertion(assertion) };
      const answer = await post(server, `/oauth/${endpoint}`, asked);
      expect([sub, answer.status, answer.body.error]).toEqual([sub, 401, 'invalid_client']);
    }
  },
);

type Attack = {
  what: string;
  rule: string;
  send: (client: TestClient) => Promise<string> | string;
  received?: unknown;
};
const now = () => Math.floor(Date.now() / 1000);
const claiming = (claims: Record<string, unknown>) => (client: TestClient) =>
  assertionOf(client, server, key, { claims });
const heading = (header: Record<string, unknown>) => (client: TestClient) =>
  assertionOf(client, server, key, { header });
const bodyOf = ({ id }: TestClient) =>
  part({ iss: id, sub: id, aud: server.issuer, exp: now() + 60, jti: randomUUID() });
const stranger = await newSigningKey('ES256', key.kid);
const attacks: Attack[] = [
  {
    what: 'no algorithm',
    rule: 'alg',
    send: (c) => `${part({ alg: 'none' })}.${bodyOf(c)}.AA`,
    received: 'none',
  },
  {
    what: 'the public key as a shared secret',
    rule: 'alg',
    send: (c) => {
      const said = `${part({ alg: 'HS256', kid: key.kid })}.${bodyOf(c)}`;
      const pem = createPublicKey({ key: key.jwk as never, format: 'jwk' }).export({
        type: 'spki',
        format: 'pem',
      });
      return `${said}.${createHmac('sha256', pem).update(said).digest('base64url')}`;
    },
    received: 'HS256',
  },
  {
    what: 'a key of its own in the header',
    rule: 'signature',
    send: (c) => assertionOf(c, server, stranger, { header: { jwk: stranger.jwk } }),
  },
  {
    what: 'the address of a key in the header',
    rule: 'signature',
    send: (c) => assertionOf(c, server, stranger, { header: { jku: 'https://evil.example/jwks' } }),
  },
  {
    what: 'a kid that is a path',
    rule: 'key',
    send: heading({ kid: '../../../../dev/null' }),
    received: 'ES256, kid ../../../../dev/null',
  },
  { what: 'a kid that is no text', rule: 'malformed', send: heading({ kid: { $gt: '' } }) },
  {
    what: 'another algorithm than that of the key',
    rule: 'key',
    send: (c) => `${part({ alg: 'RS256', kid: key.kid })}.${bodyOf(c)}.AAAA`,
    received: `RS256, kid ${key.kid}`,
  },
  {
    what: 'a header that has to be understood',
    rule: 'malformed',
    send: (c) => `${part({ alg: 'ES256', crit: ['exp'], exp: 1 })}.${bodyOf(c)}.AAAA`,
  },
  { what: 'an access token', rule: 'typ', send: heading({ typ: 'at+jwt' }), received: 'at+jwt' },
  { what: 'a DPoP proof', rule: 'typ', send: heading({ typ: 'dpop+jwt' }) },
  { what: 'no JWT', rule: 'malformed', send: () => 'a.b' },
  { what: 'JSON that is none', rule: 'malformed', send: (c) => `${part('x')}.${bodyOf(c)}.AA` },
  { what: 'another issuer', rule: 'issuer', send: claiming({ iss: 'somebody' }) },
  { what: 'another subject', rule: 'issuer', send: claiming({ sub: 'somebody' }) },
  { what: 'no subject', rule: 'issuer', send: claiming({ sub: undefined }) },
  {
    what: 'the token endpoint as audience',
    rule: 'audience',
    send: claiming({ aud: `${server.issuer}/oauth/token` }),
    received: `${server.issuer}/oauth/token`,
  },
  {
    what: 'a list of audiences',
    rule: 'audience',
    send: claiming({ aud: [server.issuer, 'https://evil.example'] }),
  },
  {
    what: 'a list of the issuer alone',
    rule: 'audience',
    send: claiming({ aud: [server.issuer] }),
  },
  {
    what: 'an audience that begins alike',
    rule: 'audience',
    send: claiming({ aud: `${server.issuer}.evil.example` }),
  },
  {
    what: 'no audience',
    rule: 'audience',
    send: claiming({ aud: undefined }),
    received: 'nothing',
  },
  {
    what: 'an end five minutes ago',
    rule: 'expiry',
    send: claiming({ exp: now() - 300 }),
  },
  { what: 'no end', rule: 'expiry', send: claiming({ exp: undefined }) },
  { what: 'an end that is text', rule: 'expiry', send: claiming({ exp: '9999999999' }) },
  { what: 'a life of a day', rule: 'expiry', send: claiming({ exp: now() + 86_400 }) },
  { what: 'a life without end', rule: 'expiry', send: claiming({ exp: 1e300 }) },
  { what: 'a start in an hour', rule: 'not-yet', send: claiming({ nbf: now() + 3600 }) },
  { what: 'made in an hour', rule: 'not-yet', send: claiming({ iat: now() + 3600 }) },
  { what: 'no jti', rule: 'jti', send: claiming({ jti: undefined }) },
  { what: 'a jti without end', rule: 'jti', send: claiming({ jti: 'j'.repeat(300) }) },
  {
    what: 'a signature with a changed end',
    rule: 'signature',
    send: async (c) => `${(await assertionOf(c, server, key)).slice(0, -6)}AAAAAA`,
  },
];
describe('a client assertion that is refused, with the reason only in the trace', () => {
  test.concurrent.each(attacks)('$what: $rule', async ({ rule, send, received }) => {
    const client = await newStrong();
    const answer = await tokenOf(await send(client), { client_id: client.id });
    expect(answer).toMatchObject(refused);
    expect(answer.body.error_description).toBe('Client authentication failed.');
    const step = await attemptOf(client);
    expect(step.rule).toBe(`client-assertion.${rule}`);
    if (received !== undefined) expect(step.received).toBe(received);
    expect(step.expected).not.toBe('[]');
  });

  test('for a client with a secret and a public one', async () => {
    for (const options of [{}, { type: 'public' as const }]) {
      const client = await newClient(options);
      expect(await tokenOf(await assertionOf(client, server, key))).toMatchObject(refused);
      expect((await attemptOf(client)).rule).toBe('client-auth.other-method');
    }
  });

  test('for a client with keys every other authentication is refused: its old secret, its client_id alone', async () => {
    const client = await newClient({ grants });
    await updateClient(client.id, { jwks: keySet(key) }, { actor, now: new Date() });
    const asked = { grant_type: 'client_credentials', client_id: client.id };
    expect(
      await post(server, '/oauth/token', { ...asked, client_secret: client.secret }),
    ).toMatchObject(refused);
    expect(await post(server, '/oauth/token', asked)).toMatchObject(refused);
    await expect(rotateSecret(client.id, {}, actor, new Date())).rejects.toThrow(
      /proves itself with its key/,
    );
    const { secret } = await updateClient(client.id, { jwks: null }, { actor, now: new Date() });
    expect(
      await post(server, '/oauth/token', { ...asked, client_secret: secret ?? '' }),
    ).toMatchObject({ status: 200 });
    expect(await tokenOf(await assertionOf(client, server, key))).toMatchObject(refused);
  });

  test('for a disabled client, at every endpoint', async () => {
    const client = await newStrong();
    expect(await tokenOf(await assertionOf(client, server, key))).toMatchObject({ status: 200 });
    await disableClient(client.id, actor, new Date());
    for (const path of ['/oauth/token', '/oauth/introspect', '/oauth/revoke', '/oauth/par']) {
      const proof = byAssertion(await assertionOf(client, server, key));
      const sent = {
        grant_type: 'client_credentials',
        token: 'x',
        response_type: 'code',
        ...proof,
      };
      expect(await post(server, path, sent)).toMatchObject(refused);
    }
  });

  test('beside a secret, without its type or with another type: invalid_request', async () => {
    const client = await newStrong();
    const assertion = await assertionOf(client, server, key);
    const bad = { status: 400, body: { error: 'invalid_request' } };
    expect(await tokenOf(assertion, { client_secret: 'x' })).toMatchObject(bad);
    const asked = { grant_type: 'client_credentials', ...byAssertion(assertion) };
    expect(await post(server, '/oauth/token', asked, basic(client))).toMatchObject(bad);
    expect(
      await tokenOf(assertion, {
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer',
      }),
    ).toMatchObject(bad);
    expect(
      await post(server, '/oauth/token', {
        grant_type: 'client_credentials',
        client_assertion: assertion,
      }),
    ).toMatchObject(bad);
    expect(await tokenOf(assertion, { client_id: 'somebody-else' })).toMatchObject(refused);
    expect(await tokenOf(assertion)).toMatchObject({ status: 200 });
  });
});

describe('a client assertion works once', () => {
  test('a repetition is refused, by another process as well', async () => {
    const client = await newStrong();
    const assertion = await assertionOf(client, server, key);
    expect(await tokenOf(assertion)).toMatchObject({ status: 200 });
    expect(await tokenOf(assertion)).toMatchObject(refused);
    expect(await tokenOf(assertion, {}, other)).toMatchObject(refused);
    expect((await attemptOf(client)).rule).toBe('client-assertion.used');
  });

  test('of twenty repetitions at the same time in two processes one gets a token', async () => {
    const client = await newStrong();
    const assertion = await assertionOf(client, server, key);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => tokenOf(assertion, {}, index % 2 ? server : other)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  // A step of an authorization spends it in its own transaction, other requests on their own.
  test('of eight refreshes and two other requests with one assertion in two processes one succeeds; the others can retry', async () => {
    const client = await newStrong();
    const given: string[] = [];
    // One after the other: eight who sign in at once are a flood.
    while (given.length < 8) given.push(await refreshTokenOf(client));
    const newAssertion = () => assertionOf(client, server, key);
    const at = (index: number) => (index % 2 ? server : other);
    const refreshing = (index: number, assertion: string) =>
      tokenOf(
        assertion,
        { grant_type: 'refresh_token', refresh_token: given[index] ?? '' },
        at(index),
      );
    const assertion = await newAssertion();
    const answers = await Promise.all([
      ...given.map((_, index) => refreshing(index, assertion)),
      tokenOf(assertion),
      post(other, '/oauth/introspect', { ...byAssertion(assertion), token: 'unknown' }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === 'invalid_client')).toHaveLength(9);
    for (const [index] of given.entries()) {
      if (answers[index]?.status === 200) continue;
      const { status, body } = await refreshing(index, await newAssertion());
      expect([status, body.refresh_token]).toEqual([200, expect.not.stringMatching(/^$/)]);
      expect(await refreshing(index, assertion)).toMatchObject(refused);
    }
  });

  test('a code sent with a used assertion stays usable', async () => {
    const client = await newStrong();
    const used = await assertionOf(client, server, key);
    expect((await tokenOf(used)).status).toBe(200);
    const code = await codeOf(client);
    expect(await tokenOf(used, code, other)).toMatchObject(refused);
    expect((await tokenOf(await assertionOf(client, server, key), code)).status).toBe(200);
  });

  test('the same jti of two clients is accepted', async () => {
    const claims = { jti: randomUUID() };
    for (const client of [await newStrong(), await newStrong()])
      expect(await tokenOf(await assertionOf(client, server, key, { claims }))).toMatchObject({
        status: 200,
      });
  });
});

describe('client keys at a jwks_uri', () => {
  const newUri = () => site.id(`k${randomBytes(6).toString('hex')}.client.test`, '/jwks');
  const serve = (uri: string, ...keys: SigningKey[]) =>
    site.serve(uri, (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/jwk-set+json' }).end(keySet(...keys)),
    );
  const at = (jwksUri: string) => newClient({ jwksUri, grants, scopes: ['profile'] });

  test('are fetched once, and for unknown key ids only within limits', async () => {
    const uri = newUri();
    serve(uri, key);
    const client = await at(uri);
    for (const _ of [1, 2, 3])
      expect(await tokenOf(await assertionOf(client, server, key))).toMatchObject({ status: 200 });
    expect(site.asked(uri)).toBe(1);
    const next = await newSigningKey('PS256');
    serve(uri, key, next);
    // Invented key ids cause no further requests.
    const guesses = Array.from({ length: 10 }, async () => {
      const guess = await newSigningKey();
      return tokenOf(await assertionOf(client, server, guess));
    });
    for (const answer of await Promise.all(guesses)) expect(answer).toMatchObject(refused);
    expect(site.asked(uri)).toBe(1);
    // Another process has not read the keys yet.
    expect(await tokenOf(await assertionOf(client, server, next), {}, other)).toMatchObject({
      status: 200,
    });
    expect(site.asked(uri)).toBe(2);
  });

  test.each([
    [
      'is too long',
      (uri: string) =>
        site.serve(uri, (_, r) =>
          r
            .writeHead(200, { 'Content-Type': 'application/json' })
            .end(JSON.stringify({ keys: [key.jwk], x: 'x'.repeat(17 * 1024) })),
        ),
    ],
    ['has too many keys', (uri: string) => serve(uri, ...Array.from({ length: 21 }, () => key))],
    [
      'leads elsewhere',
      (uri: string) =>
        site.serve(uri, (_, r) =>
          r.writeHead(302, { Location: `https://elsewhere.client.test:${site.port}/jwks` }).end(),
        ),
    ],
    [
      'is a page',
      (uri: string) =>
        site.serve(uri, (_, r) =>
          r.writeHead(200, { 'Content-Type': 'text/html' }).end(keySet(key)),
        ),
    ],
    ['is not there', () => {}],
    [
      'has turned to a private key',
      (uri: string) => site.serve(uri, { keys: [{ ...key.jwk, d: 'AAAA' }] }),
    ],
    [
      'has no key that could sign',
      (uri: string) =>
        site.serve(uri, {
          keys: [
            { kty: 'oct', kid: 'x' },
            { ...key.jwk, use: 'enc' },
          ],
        }),
    ],
  ])('are refused when the set %s', async (_, prepare) => {
    const uri = newUri();
    site.resolves(new URL(uri).hostname, ['127.0.0.1']);
    prepare(uri);
    const client = await at(uri);
    expect(await tokenOf(await assertionOf(client, server, key))).toMatchObject(refused);
    expect((await attemptOf(client)).rule).toBe('client-assertion.keys-unreadable');
  });

  test('are not fetched from a private address where CLIENT_DOCUMENTS_FROM_PRIVATE_ADDRESSES is off', async () => {
    const uri = newUri();
    serve(uri, key);
    const client = await at(uri);
    const outside = await server.another({
      ...site.env,
      ISSUER: server.issuer,
      CLIENT_DOCUMENTS_FROM_PRIVATE_ADDRESSES: 'off',
    });
    expect(await tokenOf(await assertionOf(client, server, key), {}, outside)).toMatchObject(
      refused,
    );
    expect((await attemptOf(client)).received).toContain('no public address');
    expect(site.asked(uri)).toBe(0);
  });

  test('are not fetched for an assertion with a wrong claim', async () => {
    const uri = newUri();
    serve(uri, key);
    const client = await at(uri);
    const wrong = await assertionOf(client, server, key, {
      claims: { aud: 'https://evil.example' },
    });
    expect(await tokenOf(wrong)).toMatchObject(refused);
    expect(site.asked(uri)).toBe(0);
  });
});

describe('dynamic registration with keys (RFC 7591 section 2)', () => {
  const strong = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.jwk] } };

  test('a client registers its keys, and authenticates with them', async () => {
    await set('CLIENT_REGISTRATION', 'open');
    const { status, body } = await register(
      server,
      { redirect_uris: ['https://app.example/callback'], ...strong },
      newAddress(),
    );
    expect([status, body.client_secret, body.jwks]).toEqual([201, undefined, { keys: [key.jwk] }]);
    const client = await newRegistered(server, strong);
    const person = await newPerson(server);
    const pkce = newPkce();
    const request = {
      client_id: client.id,
      response_type: 'code',
      scope: 'profile',
      ...pkce.challenge,
    };
    const { code = '' } = answerOf(
      await person.goThrough(await person.open(authorizePath(request))),
    );
    const redeemed = await tokenOf(await assertionOf(client, server, key), {
      grant_type: 'authorization_code',
      code,
      code_verifier: pkce.verifier,
    });
    expect(redeemed.status).toBe(200);
  });

  test.each([
    ['no keys', { jwks: undefined }, /needs keys/],
    ['a private key', { jwks: { keys: [{ ...key.jwk, d: 'AAAA' }] } }, /private or secret key/],
    ['text', { jwks: 'x' }, /not a JWK Set/],
    ['an address without TLS', { jwks: undefined, jwks_uri: 'http://app.example/jwks' }, /https/],
    [
      'an address elsewhere',
      { jwks: undefined, jwks_uri: 'https://evil.example/jwks' },
      /more than one place/,
    ],
    ['another algorithm', { token_endpoint_auth_signing_alg: 'HS256' }, /signing_alg/],
  ])('with %s is refused', async (_, change, says) => {
    await set('CLIENT_REGISTRATION', 'open');
    const sent = { redirect_uris: ['https://app.example/callback'], ...strong, ...change };
    const { status, body } = await register(server, sent, newAddress());
    expect(status).toBe(400);
    expect(body.error_description).toMatch(says);
  });
});
