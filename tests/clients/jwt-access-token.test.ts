import { execFileSync } from 'node:child_process';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import { beforeAll, describe, expect, test } from 'vitest';
import { newApi } from '../support/apis.ts';
import { openServer } from '../support/open-server.ts';
import { newClient, type TestClient } from '../support/seed.ts';
import { codeFor, named, tokenRequest } from '../support/target.ts';
import { pythonWith } from './python.ts';
import { newPerson } from './visit.ts';

// APIs that check JWT access tokens themselves, with third-party libraries.
const server = await openServer();
const insecure = { [oauth.allowInsecureRequests]: true };
const programs = await pythonWith(['Authlib==1.9.9']);

type Issued = { access: string; idToken: string; sub: string; client: TestClient };
const api = await newApi({ tokenFormat: 'jwt', scopes: ['read', 'write'] });
const elsewhere = await newApi({ tokenFormat: 'jwt', scopes: ['read'] });
let issued: Issued;

beforeAll(async () => {
  const { user, person } = await newPerson(server);
  const client = await newClient();
  const asked = [['scope', 'openid read'] as [string, string], ...named(api.identifier)];
  const code = await codeFor(person, client, asked);
  const params = { grant_type: 'authorization_code', code };
  const { body } = await tokenRequest(server, client, params);
  const [access, idToken] = [String(body.access_token), String(body.id_token)];
  issued = { access, idToken, sub: user.id, client };
});

describe('oauth4webapi and a JWT access token', () => {
  async function validate(token: string, audience: string) {
    const issuer = new URL(server.issuer);
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const as = await oauth.processDiscoveryResponse(issuer, found);
    const headers = { authorization: `Bearer ${token}` };
    const request = new Request(audience, { headers });
    return oauth.validateJwtAccessToken(as, request, audience, insecure);
  }

  test('is validated for its API', async () => {
    expect(await validate(issued.access, api.identifier)).toMatchObject({
      sub: issued.sub,
      client_id: issued.client.id,
      aud: api.identifier,
      scope: 'openid read',
    });
  });

  test('is refused for another API, and so is an ID token', async () => {
    await expect(validate(issued.access, elsewhere.identifier)).rejects.toThrow();
    await expect(validate(issued.idToken, api.identifier)).rejects.toThrow();
  });
});

test.skipIf(programs === null)('Authlib: accepts a JWT for its API only, and no ID token', () => {
  const said = execFileSync(
    `${programs}/python`,
    ['-W', 'ignore', 'tests/clients/debian/authlib_api.py'],
    {
      input: `${issued.access}\n${issued.idToken}\n`,
      encoding: 'utf8',
      env: {
        ...process.env,
        ISSUER: server.issuer,
        API: api.identifier,
        ELSEWHERE: elsewhere.identifier,
      },
    },
  );
  expect(JSON.parse(said)).toEqual({
    good: { sub: issued.sub, client_id: issued.client.id },
    scope: { error: 'insufficient_scope' },
    elsewhere: { error: 'invalid_token' },
    id_token: { error: 'invalid_token' },
  });
});

describe('jose, as a verifier of the type JWT only', () => {
  const keys = () => createRemoteJWKSet(new URL(`${server.base}/oauth/jwks`));
  const verify = (token: string, audience: string) =>
    jwtVerify(token, keys(), { typ: 'JWT', issuer: server.issuer, audience });

  test('accepts a token of an API with plain JWTs, and no others', async () => {
    const plain = await newApi({ tokenFormat: 'plain-jwt', scopes: ['read'] });
    const client = await newClient({ grants: ['client_credentials'] });
    const params = { grant_type: 'client_credentials', scope: 'read', resource: plain.identifier };
    const { body } = await tokenRequest(server, client, params);
    const { payload } = await verify(String(body.access_token), plain.identifier);
    expect(payload).toMatchObject({ client_id: client.id, sub: client.id, scope: 'read' });
    await expect(verify(String(body.access_token), api.identifier)).rejects.toThrow('"aud"');
    await expect(verify(issued.access, api.identifier)).rejects.toThrow('"typ"');
    await expect(verify(issued.idToken, plain.identifier)).rejects.toThrow('"aud"');
  });
});
