import {
  auth,
  Client,
  CrossAppAccessProvider,
  DpopSession,
  discoverAndRequestJwtAuthGrant,
  PrivateKeyJwtProvider,
  StreamableHTTPClientTransport,
  withDpop,
} from '@modelcontextprotocol/client';
import { exportJWK, generateKeyPair } from 'jose';
import { expect, test } from 'vitest';
import { exchangeGrant, jwtBearerGrant } from '#lib/oauth/grant-types.ts';
import { newApi } from '../support/apis.ts';
import { openServer } from '../support/open-server.ts';
import { openOtherServer } from '../support/other-server.ts';
import { newPerson } from '../support/person.ts';
import { giveIdentity, newProvider } from '../support/providers.ts';
import { newClient, newUser, type TestClient } from '../support/seed.ts';
import { codeFor, introspect, tokenRequest } from '../support/target.ts';
import { startBoundMcp } from './bound-mcp.ts';
import { readNotes } from './mcp-app.ts';
import { serveApp } from './visit.ts';

/** The MCP server's side: the second Gatehouse issues its tokens. */
const server = await openServer({ PROVIDERS_AT_PRIVATE_ADDRESSES: 'on' });
/** The first Gatehouse, where people sign in. */
const first = await openOtherServer(server);

/**
 * A person who signed in at the first server to an app that may assert this to the second server.
 */
async function signedIn(atSecond: TestClient) {
  const at = await first.inside(async () => {
    await newUser();
    const person = await newPerson(first);
    const client = await newClient({
      grants: ['authorization_code', 'refresh_token', exchangeGrant],
      identityFor: { [server.issuer]: atSecond.id },
    });
    const code = await codeFor(person, client, [['scope', 'openid']]);
    const { body } = await tokenRequest(first, client, { grant_type: 'authorization_code', code });
    return { client, subject: person.user.id, idToken: String(body.id_token) };
  });
  const user = await newUser();
  const provider = await newProvider({ issuer: first.issuer, acceptsAssertions: true });
  await giveIdentity(user.id, provider, { issuer: first.issuer, subject: at.subject });
  return { ...at, user };
}

/** The SDK's provider for cross-app access, unmodified. */
const appOf = (
  atSecond: TestClient,
  { client, idToken }: { client: TestClient; idToken: string },
): CrossAppAccessProvider =>
  new CrossAppAccessProvider({
    assertion: async ({ authorizationServerUrl, resourceUrl, scope, fetchFn }) => {
      const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
        idpUrl: first.issuer,
        audience: authorizationServerUrl,
        resource: resourceUrl,
        idToken,
        clientId: client.id,
        clientSecret: client.secret,
        ...(scope !== undefined && { scope }),
        fetchFn,
      });
      return jwtAuthGrant;
    },
    clientId: atSecond.id,
    clientSecret: atSecond.secret,
    expectedIssuer: server.issuer,
  });

test('@modelcontextprotocol/client: CrossAppAccessProvider between two servers, unmodified', async () => {
  await newUser();
  const atSecond = await newClient({ grants: [jwtBearerGrant] });
  const told = await signedIn(atSecond);
  const mcp = await serveApp((at) => (request, response) => {
    const known = request.url?.startsWith('/.well-known/oauth-protected-resource');
    const metadata = {
      resource: `${at}/`,
      authorization_servers: [server.issuer],
      scopes_supported: ['read'],
    };
    response
      .writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(metadata));
  });
  const serves = await newClient();
  const api = await newApi({ identifier: `${mcp}/`, scopes: ['read'], servedBy: [serves.id] });
  const app = appOf(atSecond, told);
  expect(await auth(app, { serverUrl: mcp })).toBe('AUTHORIZED');
  const token = app.tokens()?.access_token;
  expect(await introspect(server, serves, token)).toMatchObject({
    active: true,
    sub: told.user.id,
    client_id: atSecond.id,
    aud: api.identifier,
    scope: 'read',
  });
});

test('@modelcontextprotocol/client: cross-app access to an MCP server with DPoP-bound tokens', async () => {
  const atSecond = await newClient({
    grants: [jwtBearerGrant],
    dpopBoundAccessTokens: true,
    requireDpopNonce: true,
  });
  const told = await signedIn(atSecond);
  const mcp = await startBoundMcp(server.issuer);
  await newApi({ identifier: mcp, scopes: ['read'], tokenFormat: 'jwt' });
  const session = await DpopSession.create();
  const app = Object.assign(appOf(atSecond, told), { dpop: () => session });
  const client = await connect(mcp, { authProvider: app });
  expect(await readNotes(client)).toBe(`The notes of ${told.user.id}`);
  expect(app.tokens()).toMatchObject({ token_type: 'DPoP' });

  const token = app.tokens()?.access_token ?? '';
  const byHand = (key: DpopSession) =>
    connect(mcp, { fetch: withDpop(key, () => token)(fetch) }).then(readNotes);
  expect(await byHand(session)).toBe(`The notes of ${told.user.id}`);
  await expect(byHand(await DpopSession.create())).rejects.toThrow();
  const stolen = await fetch(mcp, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(stolen.status).toBe(401);
});

test('@modelcontextprotocol/client: a service uses an MCP server by private_key_jwt, with DPoP-bound tokens', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const { id } = await newClient({
    jwks: JSON.stringify({ keys: [await exportJWK(publicKey)] }),
    grants: ['client_credentials'],
    strong: true,
  });
  const mcp = await startBoundMcp(server.issuer);
  await newApi({ identifier: mcp, scopes: ['read'], tokenFormat: 'jwt' });
  const session = await DpopSession.create();
  const provider = new PrivateKeyJwtProvider({
    clientId: id,
    privateKey: { ...(await exportJWK(privateKey)) },
    algorithm: 'ES256',
    expectedIssuer: server.issuer,
  });
  const authProvider = Object.assign(provider, { dpop: () => session });
  expect(await readNotes(await connect(mcp, { authProvider }))).toBe(`The notes of ${id}`);
});

async function connect(
  server: string,
  options: ConstructorParameters<typeof StreamableHTTPClientTransport>[1],
): Promise<Client> {
  const client = new Client({ name: 'app', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(server), options));
  return client;
}
