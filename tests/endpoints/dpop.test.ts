import { createHmac, randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { updateClient } from '#lib/management/client/clients.ts';
import { dpopAlgs } from '#lib/oauth/dpop.ts';
import { nonceAt } from '#lib/oauth/dpop-nonce.ts';
import { derivedKeys } from '#lib/sealed/seal.ts';
import { newApi } from '../support/apis.ts';
import { basic, post, readAnswer } from '../support/app.ts';
import { assertionOf, byAssertion, keySet, newSigningKey, part } from '../support/assertions.ts';
import { attemptOf } from '../support/attempts.ts';
import { type DpopKey, newDpopKey, proofOf, type ToldProof } from '../support/dpop.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, type Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newAddress, newRegistered, register } from '../support/registering.ts';
import { newClient, newPkce, type TestClient } from '../support/seed.ts';
import { set } from '../support/settings.ts';

const server = await openServer({});
/** Another process, with its own memory. */
const other = await server.secondProcess();
const actor = { id: 'cli' };
const key = await newDpopKey();
const stranger = await newDpopKey();
const grants = ['authorization_code', 'refresh_token', 'client_credentials'];
const tokenUrl = `${server.issuer}/oauth/token`;
const meUrl = `${server.issuer}/oauth/me`;
const pkce = newPkce();
const now = () => Math.floor(Date.now() / 1000);

const newService = (more = {}) => newClient({ grants, scopes: ['profile'], ...more });
const newOpen = (more = {}) => newClient({ type: 'public', ...more });

/** A token for the client itself, requested with this proof. */
const serviceToken = (client: TestClient, proof: string, at = server) =>
  post(at, '/oauth/token', { grant_type: 'client_credentials' }, { ...basic(client), DPoP: proof });
const proofForToken = (by: DpopKey = key, told: ToldProof = {}) =>
  proofOf(by, { url: tokenUrl }, told);

async function codeOf(client: TestClient, person: Person, more: Record<string, string> = {}) {
  const asked = { client_id: client.id, response_type: 'code', scope: 'profile', ...more };
  const page = await person.open(authorizePath({ ...asked, ...pkce.challenge }));
  return answerOf(await person.goThrough(page)).code ?? '';
}
type Redeeming = { by?: DpopKey | null; more?: Record<string, string>; confidential?: boolean };
async function redeem(
  client: TestClient,
  code: string,
  { by = key, more = {}, confidential = false }: Redeeming = {},
) {
  const sent = {
    grant_type: 'authorization_code',
    code,
    client_id: client.id,
    redirect_uri: client.redirectUri,
    code_verifier: pkce.verifier,
    ...more,
  };
  return post(server, '/oauth/token', sent, {
    ...(confidential && basic(client)),
    ...(by && { DPoP: await proofForToken(by) }),
  });
}
async function refresh(
  client: TestClient,
  token: unknown,
  by: DpopKey | null,
  headers: Record<string, string> = {},
) {
  const sent = { grant_type: 'refresh_token', refresh_token: String(token), client_id: client.id };
  return post(server, '/oauth/token', sent, {
    ...headers,
    ...(by && { DPoP: await proofForToken(by) }),
  });
}
/** Requests user information with a token and a proof. */
async function me(
  token: string,
  { by = key as DpopKey | null, scheme = 'DPoP', told = {} as ToldProof, at = server } = {},
) {
  const proof = by && (await proofOf(by, { method: 'GET', url: meUrl, token }, told));
  const headers = { Authorization: `${scheme} ${token}`, ...(proof && { DPoP: proof }) };
  return readAnswer(await fetch(`${at.base}/oauth/me`, { headers }));
}
async function boundTokens(client: TestClient, person: Person, by = key) {
  const { status, body } = await redeem(client, await codeOf(client, person), { by });
  expect([status, body.token_type]).toEqual([200, 'DPoP']);
  return { access: String(body.access_token), refresh: String(body.refresh_token) };
}
const bad = (error: string) => ({ status: 400, body: { error } });

describe('tokens bound to a DPoP key (RFC 9449 sections 5 and 6)', () => {
  test.each(dpopAlgs)('are issued for a proof with %s', async (alg) => {
    const { status, body } = await serviceToken(
      await newService(),
      await proofForToken(await newDpopKey(alg)),
    );
    expect([status, body.token_type]).toEqual([200, 'DPoP']);
  });

  test('are not issued without a proof: the token is a bearer token', async () => {
    const client = await newService();
    const sent = { grant_type: 'client_credentials' };
    expect((await post(server, '/oauth/token', sent, basic(client))).body.token_type).toBe(
      'Bearer',
    );
  });

  test('are introspected with the key’s thumbprint in cnf.jkt (section 6.2)', async () => {
    const client = await newService();
    const { body } = await serviceToken(client, await proofForToken());
    const token = String(body.access_token);
    const told = await post(server, '/oauth/introspect', { token }, basic(client));
    expect(told.body).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: key.jkt } });
  });

  test('as JWTs have the key’s thumbprint in cnf.jkt (section 6.1), for a user and for a client', async () => {
    const api = await newApi({ tokenFormat: 'jwt' });
    const client = await newClient({ grants });
    const person = await newPerson(server);
    const resource = api.identifier;
    const code = await codeOf(client, person, { resource, scope: 'openid profile' });
    const more = { resource, client_secret: client.secret };
    const redeemed = await redeem(client, code, { more });
    expect([redeemed.status, redeemed.body.token_type]).toEqual([200, 'DPoP']);
    const jwt = String(redeemed.body.access_token);
    expect(decodeJwt(jwt)).toMatchObject({ cnf: { jkt: key.jkt }, aud: resource });
    expect(decodeProtectedHeader(jwt).typ).toBe('at+jwt');
    expect((await me(jwt)).status).toBe(200);
    expect((await me(jwt, { scheme: 'Bearer', by: null })).status).toBe(401);
    const own = await post(
      server,
      '/oauth/token',
      { grant_type: 'client_credentials', resource },
      { ...basic(client), DPoP: await proofForToken() },
    );
    expect(decodeJwt(String(own.body.access_token))).toMatchObject({ cnf: { jkt: key.jkt } });
  });

  test('the metadata lists the algorithms of proofs (section 5.1)', async () => {
    const known = await (
      await fetch(`${server.base}/.well-known/oauth-authorization-server`)
    ).json();
    expect(known.dpop_signing_alg_values_supported).toEqual(dpopAlgs);
    expect(known.dpop_signing_alg_values_supported.join()).not.toMatch(/none|HS/);
  });

  test('CORS allows scripts to send DPoP and to read DPoP-Nonce', async () => {
    const asked = await fetch(`${server.base}/oauth/token`, { method: 'OPTIONS' });
    expect(asked.headers.get('access-control-allow-headers')).toContain('DPoP');
    const { headers } = await post(server, '/oauth/token', {});
    expect(headers.get('access-control-expose-headers')).toContain('DPoP-Nonce');
  });
});

describe('refresh tokens with DPoP (RFC 9449 section 5)', () => {
  test('of a public client are bound: another key or none is invalid_grant, and ends nothing', async () => {
    const client = await newOpen();
    const person = await newPerson(server);
    const first = await boundTokens(client, person);
    expect(await refresh(client, first.refresh, null)).toMatchObject(bad('invalid_grant'));
    expect(await refresh(client, first.refresh, stranger)).toMatchObject(bad('invalid_grant'));
    expect((await attemptOf(client)).rule).toBe('dpop.other-key');
    const next = await refresh(client, first.refresh, key);
    expect([next.status, next.body.token_type]).toEqual([200, 'DPoP']);
    // A stolen refresh token that was already used does not end the authorization.
    expect(await refresh(client, first.refresh, stranger)).toMatchObject(bad('invalid_grant'));
    expect((await refresh(client, next.body.refresh_token, key)).status).toBe(200);
  });

  test('a repeated refresh gets the same answer only with the same key and a fresh proof', async () => {
    const client = await newOpen();
    const person = await newPerson(server);
    const first = await boundTokens(client, person);
    const once = await refresh(client, first.refresh, key);
    const again = await refresh(client, first.refresh, key);
    expect(again.body.refresh_token).toBe(once.body.refresh_token);
    expect(again.body.access_token).toBe(once.body.access_token);
    expect(await refresh(client, first.refresh, stranger)).toMatchObject(bad('invalid_grant'));
    // The repeat also needs a fresh proof.
    const sent = {
      grant_type: 'refresh_token',
      refresh_token: first.refresh,
      client_id: client.id,
    };
    const DPoP = await proofForToken();
    expect((await post(server, '/oauth/token', sent, { DPoP })).status).toBe(200);
    expect(await post(other, '/oauth/token', sent, { DPoP })).toMatchObject(
      bad('invalid_dpop_proof'),
    );
  });

  test('of a client that must authenticate are not bound: it may change its key', async () => {
    const client = await newClient({ grants, requireClientAuthOnRefresh: true });
    const person = await newPerson(server);
    const redeemed = await redeem(client, await codeOf(client, person), { confidential: true });
    expect(redeemed.body.token_type).toBe('DPoP');
    const next = await refresh(client, redeemed.body.refresh_token, stranger, basic(client));
    expect(next.status).toBe(200);
    const told = { token: String(next.body.access_token) };
    expect((await post(server, '/oauth/introspect', told, basic(client))).body.cnf).toEqual({
      jkt: stranger.jkt,
    });
    expect((await refresh(client, next.body.refresh_token, stranger)).status).toBe(401);
  });

  test('of a client that may refresh without its secret are bound, unless it sends the secret', async () => {
    const client = await newClient({ grants });
    const person = await newPerson(server);
    const redeemed = await redeem(client, await codeOf(client, person), { confidential: true });
    const token = redeemed.body.refresh_token;
    const told = await post(server, '/oauth/introspect', { token: String(token) }, basic(client));
    expect(told.body).toMatchObject({ active: true, cnf: { jkt: key.jkt } });
    expect(await refresh(client, token, null)).toMatchObject(bad('invalid_grant'));
    expect(await refresh(client, token, stranger)).toMatchObject(bad('invalid_grant'));
    const next = await refresh(client, token, key);
    expect(next.status).toBe(200);
    expect((await refresh(client, next.body.refresh_token, stranger, basic(client))).status).toBe(
      200,
    );
  });
});

describe('an authorization code bound to a DPoP key (RFC 9449 section 10)', () => {
  test('by dpop_jkt is burned if it is sent with another key, or without a proof', async () => {
    const client = await newOpen();
    const person = await newPerson(server);
    for (const by of [stranger, null]) {
      const code = await codeOf(client, person, { dpop_jkt: key.jkt });
      expect(await redeem(client, code, { by })).toMatchObject(bad('invalid_grant'));
      expect(await redeem(client, code)).toMatchObject(bad('invalid_grant'));
    }
    const code = await codeOf(client, person, { dpop_jkt: key.jkt });
    expect(await redeem(client, code)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
  });

  test('a dpop_jkt that is no thumbprint is refused before sign-in', async () => {
    const client = await newOpen();
    const person = await newPerson(server);
    const asked = { client_id: client.id, response_type: 'code', scope: 'profile' };
    for (const dpop_jkt of ['x', `${key.jkt}A`, '='.repeat(43)]) {
      const page = await person.open(authorizePath({ ...asked, ...pkce.challenge, dpop_jkt }));
      expect(answerOf(page).error).toBe('invalid_request');
    }
  });

  test('is bound by a proof or dpop_jkt at the PAR endpoint, which must not differ (section 10.1)', async () => {
    const client = await newClient();
    const person = await newPerson(server);
    const asked = { response_type: 'code', scope: 'profile', ...pkce.challenge };
    const push = async (more: Record<string, string>, by: DpopKey | null) =>
      post(
        server,
        '/oauth/par',
        { ...asked, ...more },
        {
          ...basic(client),
          ...(by && { DPoP: await proofOf(by, { url: `${server.issuer}/oauth/par` }) }),
        },
      );
    const codeBy = async (request_uri: unknown) => {
      const path = authorizePath({ client_id: client.id, request_uri: String(request_uri) });
      return answerOf(await person.goThrough(await person.open(path))).code ?? '';
    };
    const more = { client_secret: client.secret };
    for (const { body } of [await push({}, key), await push({ dpop_jkt: key.jkt }, null)]) {
      const code = await codeBy(body.request_uri);
      expect(await redeem(client, code, { by: stranger, more })).toMatchObject(
        bad('invalid_grant'),
      );
    }
    const { body } = await push({ dpop_jkt: key.jkt }, key);
    expect((await redeem(client, await codeBy(body.request_uri), { more })).status).toBe(200);
    expect(await push({ dpop_jkt: stranger.jkt }, key)).toMatchObject(bad('invalid_dpop_proof'));
  });

  test('a proof at the PAR endpoint must name its address, and works once', async () => {
    const client = await newClient();
    const asked = { response_type: 'code', scope: 'profile', ...pkce.challenge };
    const push = (proof: string) =>
      post(server, '/oauth/par', asked, { ...basic(client), DPoP: proof });
    expect(await push(await proofForToken())).toMatchObject(bad('invalid_dpop_proof'));
    const proof = await proofOf(key, { url: `${server.issuer}/oauth/par` });
    expect((await push(proof)).status).toBe(201);
    expect(await push(proof)).toMatchObject(bad('invalid_dpop_proof'));
  });
});

type Attack = {
  what: string;
  rule: string;
  told?: ToldProof;
  send?: () => Promise<string> | string;
};
const privateJwk = { ...key.jwk, d: 'AAAA' };
const attacks: Attack[] = [
  { what: 'another typ', rule: 'typ', told: { header: { typ: 'JWT' } } },
  { what: 'no typ', rule: 'typ', told: { header: { typ: undefined } } },
  {
    what: 'no algorithm',
    rule: 'alg',
    send: () =>
      `${part({ typ: 'dpop+jwt', alg: 'none', jwk: key.jwk })}.${part({ htm: 'POST' })}.AA`,
  },
  {
    what: 'a shared secret',
    rule: 'alg',
    send: () => {
      const jwk = { kty: 'oct', k: 'AAAA' };
      const said = `${part({ typ: 'dpop+jwt', alg: 'HS256', jwk })}.${part({ htm: 'POST', htu: tokenUrl, iat: now(), jti: 'x' })}`;
      return `${said}.${createHmac('sha256', Buffer.from('AAAA', 'base64url')).update(said).digest('base64url')}`;
    },
  },
  { what: 'no key', rule: 'key', told: { header: { jwk: undefined } } },
  { what: 'a private key', rule: 'key', told: { header: { jwk: privateJwk } } },
  {
    what: 'a key of another kind',
    rule: 'key',
    told: { header: { jwk: { kty: 'oct', k: 'AA' } } },
  },
  {
    what: 'a point that is not on the curve',
    rule: 'key',
    told: { header: { jwk: { ...key.jwk, x: key.jwk.y } } },
  },
  {
    what: 'the key of somebody else',
    rule: 'signature',
    told: { header: { jwk: stranger.jwk } },
  },
  {
    what: 'a header to be understood',
    rule: 'malformed',
    send: () => `${part({ typ: 'dpop+jwt', alg: 'ES256', crit: ['x'], x: 1 })}.${part({})}.AA`,
  },
  { what: 'no JWT', rule: 'malformed', send: () => 'abc' },
  { what: 'a long text', rule: 'malformed', send: () => 'a'.repeat(9000) },
  {
    what: 'two headers',
    rule: 'malformed',
    send: async () => `${await proofForToken()}, ${await proofForToken()}`,
  },
  { what: 'another method', rule: 'method', told: { claims: { htm: 'GET' } } },
  { what: 'a method in small letters', rule: 'method', told: { claims: { htm: 'post' } } },
  { what: 'no method', rule: 'method', told: { claims: { htm: undefined } } },
  { what: 'no address', rule: 'address', told: { claims: { htu: undefined } } },
  { what: 'the address of user information', rule: 'address', told: { claims: { htu: meUrl } } },
  {
    what: 'another host',
    rule: 'address',
    told: { claims: { htu: 'https://evil.example/oauth/token' } },
  },
  {
    what: 'a host before ours',
    rule: 'address',
    told: { claims: { htu: tokenUrl.replace('//', '//evil@') } },
  },
  { what: 'a path below', rule: 'address', told: { claims: { htu: `${tokenUrl}/x` } } },
  { what: 'an iat of an hour ago', rule: 'time', told: { claims: { iat: now() - 3600 } } },
  { what: 'an iat in an hour', rule: 'time', told: { claims: { iat: now() + 3600 } } },
  { what: 'no iat', rule: 'time', told: { claims: { iat: undefined } } },
  { what: 'an iat that is text', rule: 'time', told: { claims: { iat: '1' } } },
  { what: 'no jti', rule: 'jti', told: { claims: { jti: undefined } } },
  { what: 'a jti without end', rule: 'jti', told: { claims: { jti: 'j'.repeat(300) } } },
  { what: 'a jti that is none', rule: 'jti', told: { claims: { jti: { a: 1 } } } },
  {
    what: 'a changed signature',
    rule: 'signature',
    send: async () => `${(await proofForToken()).slice(0, -6)}AAAAAA`,
  },
];
describe('a DPoP proof that is refused at the token endpoint (RFC 9449 section 4.3)', () => {
  test.concurrent.each(attacks)('$what: $rule', async ({ rule, told, send }) => {
    const client = await newService();
    const answer = await serviceToken(client, send ? await send() : await proofForToken(key, told));
    expect(answer).toMatchObject(bad('invalid_dpop_proof'));
    const step = await attemptOf(client);
    expect(step.rule).toBe(`dpop.${rule}`);
    expect(JSON.stringify(step)).not.toContain('"d\\"');
  });

  test.each([
    ['a query', `${tokenUrl}?a=b`],
    ['a fragment', `${tokenUrl}#a`],
    ['capitals in scheme and host', tokenUrl.replace(/^[^/]*\/\/[^/]*/, (at) => at.toUpperCase())],
    ['an encoded letter', tokenUrl.replace('token', '%74oken')],
    ['a step up', tokenUrl.replace('/oauth/', '/x/../oauth/')],
  ])('except that an equivalent htu is accepted: %s', async (_, htu) => {
    const proof = await proofForToken(key, { claims: { htu } });
    expect((await serviceToken(await newService(), proof)).status).toBe(200);
  });

  test.each(['/oauth?=token', '/oauth?oauth=token', '/?oauth=token', '/oauth/token'])(
    'a proof for POST %s names its address without the query, at the issuer or at localhost',
    async (path) => {
      const sent = { grant_type: 'client_credentials' };
      const [bare = ''] = path.split('?');
      for (const origin of [server.issuer, server.base]) {
        const DPoP = await proofOf(key, { url: origin + bare });
        const answer = await post(server, path, sent, { ...basic(await newService()), DPoP });
        expect([answer.status, answer.body.token_type]).toEqual([200, 'DPoP']);
      }
      const DPoP = await proofOf(key, { url: `${server.issuer}/oauth/introspect` });
      const elsewhere = { ...basic(await newService()), DPoP };
      expect(await post(server, path, sent, elsewhere)).toMatchObject(bad('invalid_dpop_proof'));
    },
  );

  test('a proof for user information at its second address must name that address', async () => {
    const { access } = await boundTokens(await newOpen(), await newPerson(server));
    const url = `${server.issuer}/`;
    const asked = async (at: string) => {
      const DPoP = await proofOf(key, { method: 'GET', url, token: access });
      const headers = { Authorization: `DPoP ${access}`, DPoP };
      return (await fetch(server.base + at, { headers })).status;
    };
    expect(await asked('/?oauth=me')).toBe(200);
    expect(await asked('/oauth/me')).toBe(401);
  });

  test('with a code leaves the code usable', async () => {
    const client = await newOpen();
    const person = await newPerson(server);
    const code = await codeOf(client, person);
    const sent = {
      grant_type: 'authorization_code',
      code,
      client_id: client.id,
      redirect_uri: client.redirectUri,
      code_verifier: pkce.verifier,
    };
    const wrong = await proofForToken(key, { claims: { htm: 'GET' } });
    expect(await post(server, '/oauth/token', sent, { DPoP: wrong })).toMatchObject(
      bad('invalid_dpop_proof'),
    );
    expect((await redeem(client, code)).status).toBe(200);
  });
});

describe('a DPoP proof works once (RFC 9449 section 11.1)', () => {
  test('a repetition is refused, by another process as well', async () => {
    const client = await newService();
    const proof = await proofForToken();
    expect((await serviceToken(client, proof)).status).toBe(200);
    for (const at of [server, other])
      expect(await serviceToken(client, proof, at)).toMatchObject(bad('invalid_dpop_proof'));
    expect((await attemptOf(client)).rule).toBe('dpop.used');
  });

  test('of twenty repetitions at the same time in two processes one gets a token', async () => {
    const client = await newService();
    const proof = await proofForToken();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        serviceToken(client, proof, index % 2 ? server : other),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a code sent with a used proof stays usable', async () => {
    const client = await newOpen();
    const person = await newPerson(server);
    const proof = await proofForToken();
    expect((await serviceToken(await newService(), proof)).status).toBe(200);
    const code = await codeOf(client, person);
    const sent = {
      grant_type: 'authorization_code',
      code,
      client_id: client.id,
      redirect_uri: client.redirectUri,
      code_verifier: pkce.verifier,
    };
    expect(await post(server, '/oauth/token', sent, { DPoP: proof })).toMatchObject(
      bad('invalid_dpop_proof'),
    );
    expect((await redeem(client, code)).status).toBe(200);
  });

  test('of eight refreshes with one proof at the same time in two processes one succeeds; the others can retry', async () => {
    const client = await newOpen();
    const given = await Promise.all(
      Array.from({ length: 8 }, async () => boundTokens(client, await newPerson(server))),
    );
    const sending = (index: number, DPoP: string) => {
      const sent = { grant_type: 'refresh_token', refresh_token: given[index]?.refresh ?? '' };
      const at = index % 2 ? server : other;
      return post(at, '/oauth/token', { ...sent, client_id: client.id }, { DPoP });
    };
    const proof = await proofForToken();
    const answers = await Promise.all(given.map((_, index) => sending(index, proof)));
    const losers = answers.flatMap(({ status }, index) => (status === 200 ? [] : [index]));
    expect(losers).toHaveLength(given.length - 1);
    for (const index of losers) {
      expect(answers[index]).toMatchObject(bad('invalid_dpop_proof'));
      // No rotation has happened yet, so a successor is made now instead of repeating an answer.
      const { status, body } = await sending(index, await proofForToken());
      expect([status, body.refresh_token]).toEqual([200, expect.not.stringMatching(/^$/)]);
      expect(await sending(index, proof)).toMatchObject(bad('invalid_dpop_proof'));
    }
  });

  test('the same jti of two keys is accepted', async () => {
    const claims = { jti: randomUUID() };
    const client = await newService();
    for (const by of [key, stranger])
      expect((await serviceToken(client, await proofForToken(by, { claims }))).status).toBe(200);
  });

  test('proofs of unauthenticated or failed requests are not stored', async () => {
    const rows = async () => (await prisma()).spentValue.count();
    const before = await rows();
    const open = await newOpen();
    const requests: Record<string, string>[] = [
      { grant_type: 'authorization_code', code: 'gh_code_x', client_id: open.id },
      { grant_type: 'refresh_token', refresh_token: 'gh_rt_x', client_id: open.id },
      { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'x' },
    ];
    for (const sent of requests)
      expect(
        (await post(server, '/oauth/token', sent, { DPoP: await proofForToken() })).status,
      ).not.toBe(200);
    const asked = { response_type: 'code', scope: 'profile', client_id: open.id };
    const proof = await proofOf(key, { url: `${server.issuer}/oauth/par` });
    const pushed = await post(
      server,
      '/oauth/par',
      { ...asked, ...pkce.challenge },
      { DPoP: proof },
    );
    expect(pushed.status).toBe(201);
    expect((await me('gh_at_x')).status).toBe(401);
    expect(await rows()).toBe(before);
  });
});

describe('DPoP at the user information endpoint (RFC 9449 section 7)', () => {
  test('a bound token with a proof of its key is accepted', async () => {
    const { access } = await boundTokens(await newOpen(), await newPerson(server));
    expect((await me(access)).status).toBe(200);
    expect((await me(access, { at: other })).status).toBe(200);
  });

  test('a POST needs a proof for POST', async () => {
    const { access: token } = await boundTokens(await newOpen(), await newPerson(server));
    const by = async (method: string) => {
      const DPoP = await proofOf(key, { method, url: meUrl, token });
      const headers = { Authorization: `DPoP ${token}`, DPoP };
      return (await fetch(`${server.base}/oauth/me`, { method: 'POST', headers })).status;
    };
    expect([await by('POST'), await by('GET')]).toEqual([200, 401]);
  });

  test('a bound token sent as a Bearer token, in the header or the body, is refused (section 7.2)', async () => {
    const client = await newOpen();
    const { access } = await boundTokens(client, await newPerson(server));
    for (const by of [null, key]) {
      const answer = await me(access, { scheme: 'Bearer', by });
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
      expect(answer.headers.get('www-authenticate')).toMatch(
        /^DPoP realm="Gatehouse", error="invalid_token", .*algs="ES256 /,
      );
    }
    expect((await attemptOf(client)).rule).toBe('dpop.scheme');
    const inBody = await post(server, '/oauth/me', { access_token: access });
    expect(inBody.status).toBe(401);
    const DPoP = await proofOf(key, { url: meUrl, token: access });
    const both = await post(
      server,
      '/oauth/me',
      { access_token: access },
      {
        Authorization: `DPoP ${access}`,
        DPoP,
      },
    );
    expect(both).toMatchObject(bad('invalid_request'));
  });

  test('a bearer token with a proof is refused', async () => {
    const client = await newOpen();
    const person = await newPerson(server);
    const { body } = await redeem(client, await codeOf(client, person), { by: null });
    const token = String(body.access_token);
    expect(await me(token)).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    expect((await me(token, { scheme: 'Bearer', by: null })).status).toBe(200);
  });

  test.each([
    ['without a proof', {}, null, 'invalid_dpop_proof'],
    ['by another key', {}, stranger, 'invalid_token'],
    ['for another token', { claims: { ath: 'x' } }, key, 'invalid_dpop_proof'],
    ['for no token', { claims: { ath: undefined } }, key, 'invalid_dpop_proof'],
    ['for another address', { claims: { htu: tokenUrl } }, key, 'invalid_dpop_proof'],
    ['made an hour ago', { claims: { iat: 1 } }, key, 'invalid_dpop_proof'],
  ])('a proof %s: 401 with a challenge (section 7.1)', async (_, told, by, error) => {
    const { access } = await boundTokens(await newOpen(), await newPerson(server));
    const answer = await me(access, { by, told });
    expect(answer).toMatchObject({ status: 401, body: { error } });
    expect(answer.headers.get('www-authenticate')).toContain(
      `DPoP realm="Gatehouse", error="${error}"`,
    );
  });

  test('a proof works once, across two processes', async () => {
    const { access: token } = await boundTokens(await newOpen(), await newPerson(server));
    const DPoP = await proofOf(key, { method: 'GET', url: meUrl, token });
    const headers = { Authorization: `DPoP ${token}`, DPoP };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        fetch(`${(index % 2 ? server : other).base}/oauth/me`, { headers }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('the scheme DPoP is accepted in any case, and its challenge has invalid_token for an unknown token', async () => {
    const { access } = await boundTokens(await newOpen(), await newPerson(server));
    expect((await me(access, { scheme: 'dpop' })).status).toBe(200);
    const { headers } = await me('gh_at_x');
    expect(headers.get('www-authenticate')).toContain(
      'DPoP realm="Gatehouse", error="invalid_token"',
    );
  });
});

describe('nonces for DPoP proofs (RFC 9449 sections 8 and 9)', () => {
  const demanding = () => newService({ requireDpopNonce: true });
  const ours = (moment: Date, [secret] = derivedKeys('dpop-nonce')) =>
    nonceAt(moment, secret ?? new Uint8Array());

  test('a client can be required to send one; the answer has it, and another process accepts it', async () => {
    const client = await demanding();
    const first = await serviceToken(client, await proofForToken());
    expect(first).toMatchObject(bad('use_dpop_nonce'));
    const nonce = first.headers.get('dpop-nonce') ?? '';
    expect(nonce).toMatch(/^[\w-]{27}$/);
    const by = await proofForToken(key, { claims: { nonce } });
    const second = await serviceToken(client, by, other);
    expect(second.status).toBe(200);
    expect(second.headers.get('dpop-nonce')).toMatch(/^[\w-]{27}$/);
    // A nonce may be used again, but not a proof.
    expect(await serviceToken(client, by)).toMatchObject(bad('invalid_dpop_proof'));
    expect(
      (await serviceToken(client, await proofForToken(key, { claims: { nonce } }))).status,
    ).toBe(200);
  });

  test('are required at user information as well, with a challenge', async () => {
    const client = await newOpen({ requireDpopNonce: true });
    const person = await newPerson(server);
    const nonce = ours(new Date());
    const DPoP = await proofForToken(key, { claims: { nonce } });
    const sent = {
      grant_type: 'authorization_code',
      code: await codeOf(client, person),
      client_id: client.id,
      redirect_uri: client.redirectUri,
      code_verifier: pkce.verifier,
    };
    const { body } = await post(server, '/oauth/token', sent, { DPoP });
    const token = String(body.access_token);
    const refused = await me(token);
    expect(refused).toMatchObject({ status: 401, body: { error: 'use_dpop_nonce' } });
    expect(refused.headers.get('www-authenticate')).toContain('error="use_dpop_nonce"');
    const given = refused.headers.get('dpop-nonce');
    expect((await me(token, { told: { claims: { nonce: given } } })).status).toBe(200);
  });

  test.each([
    ['of ten minutes ago', () => ours(new Date(Date.now() - 600_000))],
    ['of the future', () => ours(new Date(Date.now() + 600_000))],
    ['of another server', () => ours(new Date(), [new Uint8Array(32)])],
    [
      'with another minute',
      () => ours(new Date(Date.now() - 240_000)).slice(0, 5) + ours(new Date()).slice(5),
    ],
    ['that is none', () => 'x'],
    ['that is no text', () => 5],
  ])('a nonce %s is refused, required or not', async (_, nonce) => {
    for (const client of [await demanding(), await newService()]) {
      const proof = await proofForToken(key, { claims: { nonce: nonce() } });
      const answer = await serviceToken(client, proof);
      expect(answer).toMatchObject(bad('use_dpop_nonce'));
      expect(answer.headers.get('dpop-nonce')).not.toBeNull();
    }
  });

  test('a nonce is valid for at least 230 seconds', async () => {
    const nonce = ours(new Date(Date.now() - 230_000));
    const proof = await proofForToken(key, { claims: { nonce } });
    expect((await serviceToken(await demanding(), proof)).status).toBe(200);
  });

  test('REQUIRE_DPOP_NONCE requires them of all clients, except of one with requireDpopNonce off', async () => {
    await set('REQUIRE_DPOP_NONCE', 'on');
    try {
      const by = () => proofForToken();
      expect(await serviceToken(await newService(), await by())).toMatchObject(
        bad('use_dpop_nonce'),
      );
      const spared = await newService({ requireDpopNonce: false });
      expect((await serviceToken(spared, await by())).status).toBe(200);
    } finally {
      await set('REQUIRE_DPOP_NONCE', 'off');
    }
  });
});

describe('a client with dpop_bound_access_tokens (RFC 9449 section 5.2)', () => {
  test('gets no token without a proof, by any grant, and its code stays usable', async () => {
    const client = await newClient({ grants, dpopBoundAccessTokens: true });
    const own = { grant_type: 'client_credentials' };
    expect(await post(server, '/oauth/token', own, basic(client))).toMatchObject(
      bad('invalid_dpop_proof'),
    );
    expect((await attemptOf(client)).rule).toBe('dpop.missing');
    const code = await codeOf(client, await newPerson(server));
    const told = { confidential: true };
    expect(await redeem(client, code, { ...told, by: null })).toMatchObject(
      bad('invalid_dpop_proof'),
    );
    const { status, body } = await redeem(client, code, told);
    expect(status).toBe(200);
    expect(await refresh(client, body.refresh_token, null, basic(client))).toMatchObject(
      bad('invalid_dpop_proof'),
    );
    expect((await refresh(client, body.refresh_token, key, basic(client))).status).toBe(200);
  });

  test('needs a proof to use refresh tokens from before the setting, which binds them', async () => {
    const client = await newOpen();
    const person = await newPerson(server);
    const { body } = await redeem(client, await codeOf(client, person), { by: null });
    await updateClient(client.id, { dpopBoundAccessTokens: true }, { actor, now: new Date() });
    expect(await refresh(client, body.refresh_token, null)).toMatchObject(
      bad('invalid_dpop_proof'),
    );
    const next = await refresh(client, body.refresh_token, key);
    expect([next.status, next.body.token_type]).toEqual([200, 'DPoP']);
    expect(await refresh(client, next.body.refresh_token, stranger)).toMatchObject(
      bad('invalid_grant'),
    );
  });

  test('can be registered, and gets no token without a proof', async () => {
    await set('CLIENT_REGISTRATION', 'open');
    const said = { dpop_bound_access_tokens: true, token_endpoint_auth_method: 'none' };
    const uris = { redirect_uris: ['https://app.example/callback'] };
    const { status, body } = await register(server, { ...uris, ...said }, newAddress());
    expect([status, body.dpop_bound_access_tokens]).toEqual([201, true]);
    const client = await newRegistered(server, said, newAddress());
    const code = await codeOf(client, await newPerson(server));
    expect(await redeem(client, code, { by: null })).toMatchObject(bad('invalid_dpop_proof'));
    expect((await redeem(client, code)).status).toBe(200);
  });

  test('authenticates by private_key_jwt beside the proof', async () => {
    const own = await newSigningKey();
    const client = await newService({ jwks: keySet(own), dpopBoundAccessTokens: true });
    const sent = {
      grant_type: 'client_credentials',
      ...byAssertion(await assertionOf(client, server, own)),
    };
    const { status, body } = await post(server, '/oauth/token', sent, {
      DPoP: await proofForToken(),
    });
    expect([status, body.token_type]).toEqual([200, 'DPoP']);
  });
});

test('an app of an old issuer sends DPoP proofs for the old issuer’s addresses', async () => {
  const client = await newService({ oldIssuer: '/realms/acme' });
  const path = '/realms/acme/protocol/openid-connect/token';
  const DPoP = await proofOf(key, { url: server.issuer + path });
  const sent = { grant_type: 'client_credentials' };
  const { status, body } = await post(server, path, sent, { ...basic(client), DPoP });
  expect([status, body.token_type]).toEqual([200, 'DPoP']);
  const here = { ...basic(client), DPoP: await proofForToken() };
  expect(await post(server, path, sent, here)).toMatchObject(bad('invalid_dpop_proof'));
});
