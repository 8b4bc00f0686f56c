import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { listKeys, revokeKey } from '#lib/management/key/keys.ts';
import { forwardTo } from '../clients/https.ts';
import { newApi } from '../support/apis.ts';
import { post } from '../support/app.ts';
import { byAssertion } from '../support/assertions.ts';
import { attemptOf } from '../support/attempts.ts';
import { openDocumentSite } from '../support/document-site.ts';
import { newDpopKey, proofOf } from '../support/dpop.ts';
import { openServer } from '../support/open-server.ts';
import { openOtherServer } from '../support/other-server.ts';
import { newClient, newUser, type TestClient } from '../support/seed.ts';
import { outcome } from '../support/target.ts';

// A client authenticates with a token from another Gatehouse: two servers, each with its own
// database.
const site = await openDocumentSite();
const server = await openServer(site.env);
const host = `g${randomBytes(6).toString('hex')}.client.test`;
/** The other server, behind TLS. */
const other = await openOtherServer(server, () => site.id(host, ''), {
  TRUSTED_PROXIES: '127.0.0.1',
});
for (const path of ['/.well-known/openid-configuration', '/oauth/jwks'])
  site.serve(site.id(host, path), forwardTo(other.port));

/** A service at the other server, where this server is registered as an API. */
const [service, stranger] = await other.inside(async () => {
  await newUser();
  const grants = ['client_credentials'];
  await newApi({ identifier: server.issuer, tokenFormat: 'jwt', scopes: ['deploy'] });
  await newApi({ identifier: 'https://another.example', tokenFormat: 'jwt', scopes: ['deploy'] });
  return [await newClient({ grants }), await newClient({ grants })] as const;
});

/** The token that the other server gives one of its clients for this server. */
async function given(
  client: TestClient,
  resource: string = server.issuer,
  headers: Record<string, string> = {},
): Promise<string> {
  const grant = { grant_type: 'client_credentials', client_id: client.id, resource };
  const secret = { client_secret: client.secret };
  const { status, body } = await post(other, '/oauth/token', { ...grant, ...secret }, headers);
  expect(status, JSON.stringify(body)).toBe(200);
  return String(body.access_token);
}

const newFederated = () =>
  newClient({
    grants: ['client_credentials'],
    scopes: ['profile'],
    federatedCredentials: [
      { issuer: other.issuer, claims: { sub: service.id }, keys: null, reusable: false },
    ],
  });

const tokenOf = ({ id }: TestClient, assertion: string, at = server) =>
  post(at, '/oauth/token', {
    grant_type: 'client_credentials',
    client_id: id,
    ...byAssertion(assertion),
  });
const ruleOf = async (client: TestClient) => (await attemptOf(client)).rule;

test('an access token of another Gatehouse for this one authenticates its client, once', async () => {
  const client = await newFederated();
  const jwt = await given(service);
  expect((await tokenOf(client, jwt)).body).toMatchObject({ token_type: 'Bearer' });
  expect(outcome(await tokenOf(client, jwt))).toEqual([401, 'invalid_client']);
  expect(await ruleOf(client)).toBe('client-assertion.used');
  expect((await tokenOf(client, await given(service))).status).toBe(200);
});

test.each<[string, string, () => Promise<string>]>([
  ['of another client there', 'claims', () => given(stranger)],
  ['for another server', 'audience', () => given(service, 'https://another.example')],
  [
    'bound to a key',
    'claims',
    async () => {
      const url = `${other.issuer}/oauth/token`;
      const DPoP = await proofOf(await newDpopKey(), { url });
      return given(service, server.issuer, { DPoP });
    },
  ],
])(
  'an access token of another Gatehouse %s is refused as client assertion',
  async (_, part, send) => {
    const client = await newFederated();
    expect(outcome(await tokenOf(client, await send()))).toEqual([401, 'invalid_client']);
    expect(await ruleOf(client)).toBe(`client-assertion.${part}`);
  },
);

test('an access token of another Gatehouse is inactive at this one’s introspection', async () => {
  const client = await newFederated();
  const jwt = await given(service);
  const answer = await post(server, '/oauth/introspect', {
    token: jwt,
    ...byAssertion(jwt),
    client_id: client.id,
  });
  expect(answer.body).toEqual({ active: false });
});

test('a revoked key of another Gatehouse is not used by a server that reads its keys afterwards', async () => {
  const client = await newFederated();
  const old = await given(service);
  await other.inside(async () => {
    const [key] = (await listKeys()).filter(({ alg }) => alg === 'RS256');
    await revokeKey(key?.kid ?? '', { id: 'cli' }, new Date());
  });
  // This server has not looked at the keys yet. One that has may believe what it saw for up to an
  // hour.
  const late = await server.another({ ...site.env, ISSUER: server.issuer });
  expect((await tokenOf(client, await given(service), late)).status).toBe(200);
  expect(outcome(await tokenOf(client, old, late))).toEqual([401, 'invalid_client']);
  expect(await ruleOf(client)).toBe('client-assertion.key');
});
