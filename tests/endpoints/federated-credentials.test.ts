import { createHmac, createPublicKey, randomBytes, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { updateClient } from '#lib/management/client/clients.ts';
import { rotateSecret } from '#lib/management/secret/secrets.ts';
import type { FederatedCredential } from '#lib/oauth/client.ts';
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
import { newClient, type TestClient } from '../support/seed.ts';

// A client without a secret authenticates with a JWT from another issuer, by rules about its
// claims.
const site = await openDocumentSite();
const server = await openServer(site.env);
/** Another process, with its own memory. */
const other = await server.secondProcess();
const actor = { id: 'cli' };
const now = () => Math.floor(Date.now() / 1000);

/** A forge that issues JWTs to its jobs. */
function newForge(path = '') {
  const host = `f${randomBytes(6).toString('hex')}.client.test`;
  const issuer = site.id(host, path);
  const keys = site.id(host, '/keys');
  const at = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const serve = (...own: SigningKey[]) =>
    site.serve(keys, (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(keySet(...own)),
    );
  site.serve(at, { issuer, jwks_uri: keys });
  return { issuer, keys, at, serve };
}
const key = await newSigningKey('RS256');
const forge = newForge();
forge.serve(key);

const sub = 'repo:acme/site:ref:refs/heads/main';
type Told = { claims?: Record<string, unknown>; header?: Record<string, unknown>; by?: SigningKey };
/** The JWT that the forge gives a job. */
function jwt({ claims = {}, header = {}, by = key }: Told = {}): Promise<string> {
  const usual = { iss: forge.issuer, sub, repository: 'acme/site', aud: server.issuer };
  const times = { iat: now(), nbf: now() - 5, exp: now() + 300, jti: randomUUID() };
  return new SignJWT({ ...usual, ...times, ...claims })
    .setProtectedHeader({ alg: by.alg, kid: by.kid, typ: 'JWT', ...header } as { alg: string })
    .sign(by.privateKey);
}
const rule = (more: Partial<FederatedCredential> = {}): FederatedCredential => ({
  issuer: forge.issuer,
  claims: { sub },
  keys: null,
  reusable: false,
  ...more,
});
const newFederated = (...rules: Partial<FederatedCredential>[]) =>
  newClient({
    federatedCredentials: (rules.length > 0 ? rules : [{}]).map(rule),
    grants: ['client_credentials'],
    scopes: ['profile'],
  });
const tokenOf = (client: TestClient, assertion: string, at = server, path = '/oauth/token') =>
  post(at, path, {
    grant_type: 'client_credentials',
    client_id: client.id,
    ...byAssertion(assertion),
  });
const refused = { status: 401, body: { error: 'invalid_client' } };

describe('a JWT of another issuer as client assertion (RFC 7521 section 4.2)', () => {
  test('authenticates its client at the token, introspection and revocation endpoints', async () => {
    const client = await newFederated();
    const { status, body } = await tokenOf(client, await jwt());
    expect(status).toBe(200);
    const token = String(body.access_token);
    for (const path of ['/oauth/introspect', '/oauth/revoke']) {
      const sent = { client_id: client.id, token, ...byAssertion(await jwt()) };
      expect((await post(server, path, sent)).status).toBe(200);
    }
  });

  test.each([
    ['a list of this issuer alone, as clusters say it', { aud: [server.issuer] }],
    ['no jti', { jti: undefined }],
    ['a day', { exp: now() + 86_000 }],
  ])('is accepted with %s', async (_, claims) => {
    expect(await tokenOf(await newFederated(), await jwt({ claims }))).toMatchObject({
      status: 200,
    });
  });

  test('may be an access token of another Gatehouse (typ at+jwt)', async () => {
    const header = { typ: 'at+jwt' };
    expect(await tokenOf(await newFederated(), await jwt({ header }))).toMatchObject({
      status: 200,
    });
  });

  test('must match all claims of one of the client’s rules', async () => {
    const client = await newFederated(
      { claims: { repository: 'acme/site', environment: 'production' } },
      { claims: { sub: 'repo:acme/*', environment: 'staging' } },
    );
    const by = async (claims: Record<string, unknown>) =>
      (await tokenOf(client, await jwt({ claims }))).status;
    expect(await by({ environment: 'production' })).toBe(200);
    expect(await by({ environment: 'staging', repository: 'acme/other' })).toBe(200);
    // Half of one rule and half of the other.
    expect(await by({ environment: 'production', repository: 'acme/other' })).toBe(401);
    expect(await by({})).toBe(401);
  });

  test('works several times only where its rule says reusable', async () => {
    const once = await newFederated();
    const often = await newFederated({ reusable: true });
    for (const claims of [{}, { jti: undefined }]) {
      const said = await jwt({ claims });
      const statuses = async (client: TestClient) =>
        Promise.all([1, 2, 3].map(async () => (await tokenOf(client, said)).status));
      expect((await statuses(once)).toSorted()).toEqual([200, 401, 401]);
      expect(await statuses(often)).toEqual([200, 200, 200]);
    }
  });

  test('works once across two processes', async () => {
    const client = await newFederated();
    const said = await jwt();
    const answers = await Promise.all(
      [server, other, server, other].map((at) => tokenOf(client, said, at)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    expect((await attemptOf(client)).rule).toBe('client-assertion.used');
  });
});

type Attack = {
  what: string;
  rule: string;
  send: () => Promise<string> | string;
  received?: unknown;
  expected?: unknown;
};
const claiming = (claims: Record<string, unknown>) => () => jwt({ claims });
const body = () => part({ iss: forge.issuer, sub, aud: server.issuer, exp: now() + 60 });
const stranger = await newSigningKey('RS256', key.kid);
const contains = (text: string) => expect.stringContaining(text);
const attacks: Attack[] = [
  {
    what: 'of another repository',
    rule: 'claims',
    send: claiming({ sub: 'repo:evil/site:ref:refs/heads/main', repository: 'acme/site' }),
    received: 'sub repo:evil/site:ref:refs/heads/main',
    expected: contains(`sub ${sub}`),
  },
  {
    what: 'of a repository whose name begins alike',
    rule: 'claims',
    send: claiming({ sub: `${sub}2` }),
  },
  { what: 'of another branch', rule: 'claims', send: claiming({ sub: `${sub}/x` }) },
  {
    what: 'without the claim',
    rule: 'claims',
    send: claiming({ sub: undefined }),
    received: 'no sub',
  },
  { what: 'with the claim in a list', rule: 'claims', send: claiming({ sub: [sub] }) },
  {
    what: 'that says it of a prototype',
    rule: 'claims',
    send: claiming({ sub: { toString: sub } }),
  },
  {
    what: 'for another server',
    rule: 'audience',
    send: claiming({ aud: 'https://elsewhere.example' }),
    received: 'https://elsewhere.example',
  },
  {
    what: 'for this one and another',
    rule: 'audience',
    send: claiming({ aud: [server.issuer, 'https://elsewhere.example'] }),
  },
  { what: 'for nobody', rule: 'audience', send: claiming({ aud: undefined }) },
  {
    what: 'for this server with a slash',
    rule: 'audience',
    send: claiming({ aud: `${server.issuer}/` }),
  },
  {
    what: 'of an issuer with a slash',
    rule: 'issuer',
    send: () => jwt({ claims: { iss: `${forge.issuer}/` } }),
    received: `${forge.issuer}/`,
    expected: contains(forge.issuer),
  },
  {
    what: 'of another issuer',
    rule: 'issuer',
    send: claiming({ iss: 'https://evil.example' }),
  },
  { what: 'of nobody', rule: 'issuer', send: claiming({ iss: undefined }) },
  { what: 'that is over', rule: 'expiry', send: claiming({ exp: now() - 60 }) },
  { what: 'that never ends', rule: 'expiry', send: claiming({ exp: undefined }) },
  { what: 'for a year', rule: 'expiry', send: claiming({ exp: now() + 365 * 86_400 }) },
  { what: 'that is not good yet', rule: 'not-yet', send: claiming({ nbf: now() + 600 }) },
  { what: 'with a jti that is no text', rule: 'jti', send: claiming({ jti: { a: 1 } }) },
  { what: 'that is bound to a key', rule: 'claims', send: claiming({ cnf: { jkt: 'x' } }) },
  { what: 'that is unsigned', rule: 'alg', send: () => `${part({ alg: 'none' })}.${body()}.e30` },
  {
    what: 'signed with the public key as if it were a secret',
    rule: 'alg',
    send: () => {
      const pem = createPublicKey({ key: key.jwk as never, format: 'jwk' }).export({
        type: 'spki',
        format: 'pem',
      });
      const said = `${part({ alg: 'HS256', kid: key.kid })}.${body()}`;
      return `${said}.${createHmac('sha256', pem).update(said).digest('base64url')}`;
    },
  },
  { what: 'by a key of somebody else', rule: 'signature', send: () => jwt({ by: stranger }) },
  {
    what: 'with a kid that leads elsewhere',
    rule: 'key',
    send: () => jwt({ header: { kid: '../../keys' } }),
  },
  {
    what: 'that brings its key along',
    rule: 'signature',
    send: () => jwt({ by: stranger, header: { jwk: stranger.jwk } }),
  },
  {
    what: 'that says where its key is',
    rule: 'signature',
    send: () => jwt({ by: stranger, header: { jku: 'https://evil.example/keys' } }),
  },
  {
    what: 'for something else',
    rule: 'typ',
    send: () => jwt({ header: { typ: 'logout+jwt' } }),
  },
  {
    what: 'that wants something of its reader',
    rule: 'malformed',
    send: () => `${part({ alg: 'RS256', crit: ['x'], x: 1 })}.${body()}.e30`,
  },
];

describe('a JWT of another issuer is refused as client assertion', () => {
  test.concurrent.each(attacks)('$what', async ({ rule: part, send, received, expected }) => {
    const client = await newFederated();
    expect(await tokenOf(client, await send())).toMatchObject(refused);
    const step = await attemptOf(client);
    expect(step.rule).toBe(`client-assertion.${part}`);
    if (received !== undefined) expect(step.received).toBe(received);
    if (expected !== undefined) expect(step.expected).toEqual(expected);
  });

  test('for a client that is not named, or has no rule for the issuer', async () => {
    const client = await newFederated();
    const own = await newSigningKey();
    const keyed = await newClient({ jwks: keySet(own), grants: ['client_credentials'] });
    expect(await tokenOf({ ...client, id: '' }, await jwt())).toMatchObject(refused);
    expect(await tokenOf(keyed, await jwt())).toMatchObject(refused);
    // A client without registered keys cannot use an assertion that it signed itself either.
    const said = await assertionOf(client, server, own);
    expect(await tokenOf(client, said)).toMatchObject(refused);
  });

  test('a client with rules has no secret, and one that is sent is refused', async () => {
    const client = await newFederated();
    const sent = { grant_type: 'client_credentials' };
    expect(await post(server, '/oauth/token', sent, basic(client))).toMatchObject(refused);
    await expect(rotateSecret(client.id, {}, actor, new Date())).rejects.toThrow(/no secret/);
  });

  test('once its rule has been removed', async () => {
    const client = await newFederated();
    expect((await tokenOf(client, await jwt())).status).toBe(200);
    const { secret } = await updateClient(
      client.id,
      { federatedCredentials: [] },
      { actor, now: new Date() },
    );
    expect(secret).toMatch(/^gh_cs_/);
    expect(await tokenOf(client, await jwt())).toMatchObject(refused);
  });
});

describe('the keys of another issuer', () => {
  const ofForge = async (
    at: ReturnType<typeof newForge>,
    more: Partial<FederatedCredential> = {},
  ) => newFederated({ issuer: at.issuer, ...more });
  const said = (at: ReturnType<typeof newForge>, by: SigningKey = key) =>
    jwt({ claims: { iss: at.issuer }, by });

  test('are requested once, and for unknown key ids only within limits', async () => {
    const at = newForge();
    at.serve(key);
    const client = await ofForge(at);
    for (const _ of [1, 2, 3]) expect((await tokenOf(client, await said(at))).status).toBe(200);
    const next = await newSigningKey('ES256');
    at.serve(key, next);
    const guesses = Array.from({ length: 10 }, async () =>
      tokenOf(client, await said(at, await newSigningKey())),
    );
    for (const answer of await Promise.all(guesses)) expect(answer).toMatchObject(refused);
    expect([site.asked(at.at), site.asked(at.keys)]).toEqual([1, 1]);
    expect((await tokenOf(client, await said(at, next), other)).status).toBe(200);
  });

  test('are read from the URL that an admin set, without the issuer’s metadata', async () => {
    const at = newForge();
    at.serve(key);
    const client = await ofForge(at, { keys: at.keys });
    expect((await tokenOf(client, await said(at))).status).toBe(200);
    expect(site.asked(at.at)).toBe(0);
  });

  test('are found for an issuer whose URL has a path and a trailing slash', async () => {
    const at = newForge('/realms/acme/');
    at.serve(key);
    expect((await tokenOf(await ofForge(at), await said(at))).status).toBe(200);
  });

  test('are not requested for a JWT whose claims do not match', async () => {
    const at = newForge();
    at.serve(key);
    const client = await ofForge(at);
    const claims = { iss: at.issuer, sub: 'repo:evil/site' };
    expect(await tokenOf(client, await jwt({ claims }))).toMatchObject(refused);
    expect(site.asked(at.at)).toBe(0);
  });

  type Forge = ReturnType<typeof newForge>;
  const big = 'x'.repeat(40_000);
  test.each<[string, (at: Forge) => void, RegExp]>([
    [
      'names another issuer',
      (at) => site.serve(at.at, { issuer: 'https://evil.example', jwks_uri: at.keys }),
      /names the issuer/,
    ],
    [
      'names the issuer with a slash',
      (at) => site.serve(at.at, { issuer: `${at.issuer}/`, jwks_uri: at.keys }),
      /names the issuer/,
    ],
    ['names no keys', (at) => site.serve(at.at, { issuer: at.issuer }), /no jwks_uri/],
    [
      'names keys without TLS',
      (at) => site.serve(at.at, { issuer: at.issuer, jwks_uri: at.keys.replace('https', 'http') }),
      /no jwks_uri/,
    ],
    ['is too long', (at) => site.serve(at.at, { issuer: at.issuer, jwks_uri: at.keys, big }), /./],
    [
      'leads elsewhere',
      (at) => site.serve(at.at, (_, r) => r.writeHead(302, { Location: forge.at }).end()),
      /status 302/,
    ],
    ['is not there', (at) => site.serve(at.at, (_, r) => r.writeHead(404).end()), /status 404/],
  ])('whose metadata %s: the attempt has the reason', async (_, serve, says) => {
    const at = newForge();
    at.serve(key);
    serve(at);
    const client = await ofForge(at);
    expect(await tokenOf(client, await said(at))).toMatchObject(refused);
    const step = await attemptOf(client);
    expect(step.rule).toBe('client-assertion.keys-unreadable');
    expect(step.received).toMatch(says);
  });

  test('are not mixed up with another client’s jwks_uri at the same URL', async () => {
    const at = newForge('/realm');
    at.serve(key);
    const evil = await newSigningKey();
    site.serve(at.issuer, (_, r) =>
      r.writeHead(200, { 'Content-Type': 'application/json' }).end(keySet(evil)),
    );
    const poisoner = await newClient({ jwksUri: at.issuer, grants: ['client_credentials'] });
    const own = byAssertion(await assertionOf(poisoner, server, evil));
    expect(
      (await post(server, '/oauth/token', { grant_type: 'client_credentials', ...own })).status,
    ).toBe(200);
    const client = await ofForge(at);
    expect(await tokenOf(client, await said(at, evil))).toMatchObject(refused);
    expect((await tokenOf(client, await said(at))).status).toBe(200);
  });
});
