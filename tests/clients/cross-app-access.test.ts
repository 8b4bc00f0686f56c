import {
  auth,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
} from '@modelcontextprotocol/client';
import { afterAll, expect, test } from 'vitest';
import { exchangeGrant, jwtBearerGrant } from '#lib/oauth/grant-types.ts';
import { newApi } from '../support/apis.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { type House, openHouse } from '../support/house.ts';
import { newPerson } from '../support/person.ts';
import { giveIdentity, newProvider } from '../support/providers.ts';
import { newClient, newUser } from '../support/seed.ts';
import { freePort, startServer } from '../support/server.ts';
import { codeFor, introspect, tokenRequest } from '../support/target.ts';
import { endWork, workOn } from '../support/work-on.ts';
import { serveApp } from './visit.ts';

/** Where the MCP server is: the second Gatehouse gives its tokens. */
const house = await openHouse({ PROVIDERS_AT_PRIVATE_ADDRESSES: 'on' });
/** Where people sign in: the first one. */
const firstDatabase = await createDatabase('sqlite');
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const server = await startServer({
  mount: 'direct',
  databaseUrl: firstDatabase,
  logFile: newLogFile('cross-app-access'),
  env: { PORT: String(port), ISSUER: origin },
});
afterAll(() => server.stop());
const first: House = { ...house, databaseUrl: firstDatabase, base: origin, issuer: origin, port };

/** Does something in the database of the first one. */
async function there<Result>(work: () => Promise<Result>): Promise<Result> {
  const issuer = process.env.ISSUER ?? '';
  await endWork();
  workOn(firstDatabase);
  process.env.ISSUER = origin;
  try {
    return await work();
  } finally {
    await endWork();
    workOn(house.databaseUrl);
    process.env.ISSUER = issuer;
  }
}

test('@modelcontextprotocol/client: CrossAppAccessProvider between two servers, unmodified', async () => {
  await newUser();
  const atSecond = await newClient({ grants: [jwtBearerGrant] });
  const signedIn = await there(async () => {
    await newUser();
    const person = await newPerson(first);
    const client = await newClient({
      grants: ['authorization_code', 'refresh_token', exchangeGrant],
      identityFor: { [house.issuer]: atSecond.id },
    });
    const code = await codeFor(person, client, [['scope', 'openid']]);
    const { body } = await tokenRequest(first, client, { grant_type: 'authorization_code', code });
    return { client, subject: person.user.id, idToken: String(body.id_token) };
  });
  const user = await newUser();
  const provider = await newProvider({ issuer: origin, acceptsAssertions: true });
  await giveIdentity(user.id, provider, { issuer: origin, subject: signedIn.subject });

  const mcp = await serveApp((at) => (request, response) => {
    const known = request.url?.startsWith('/.well-known/oauth-protected-resource');
    const metadata = {
      resource: `${at}/`,
      authorization_servers: [house.issuer],
      scopes_supported: ['read'],
    };
    response
      .writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(metadata));
  });
  const serves = await newClient();
  const api = await newApi({ identifier: `${mcp}/`, scopes: ['read'], servedBy: [serves.id] });
  const app = new CrossAppAccessProvider({
    assertion: async ({ authorizationServerUrl, resourceUrl, scope, fetchFn }) => {
      const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
        idpUrl: origin,
        audience: authorizationServerUrl,
        resource: resourceUrl,
        idToken: signedIn.idToken,
        clientId: signedIn.client.id,
        clientSecret: signedIn.client.secret,
        ...(scope !== undefined && { scope }),
        fetchFn,
      });
      return jwtAuthGrant;
    },
    clientId: atSecond.id,
    clientSecret: atSecond.secret,
    expectedIssuer: house.issuer,
  });
  expect(await auth(app, { serverUrl: mcp })).toBe('AUTHORIZED');
  const token = app.tokens()?.access_token;
  expect(await introspect(house, serves, token)).toMatchObject({
    active: true,
    sub: user.id,
    client_id: atSecond.id,
    aud: api.identifier,
    scope: 'read',
  });
});
