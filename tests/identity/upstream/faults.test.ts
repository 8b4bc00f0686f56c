import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  ClientSecretPost,
  Configuration,
} from 'openid-client';
import { expect, test } from 'vitest';
import { faultOf } from '#lib/identity/upstream/faults.ts';

type Sent = [status: number, headers: Record<string, string>, body: string];
const json = { 'content-type': 'application/json' };
const refused = (status: number, error: string): Sent => [status, json, JSON.stringify({ error })];

/** What providers answer at the token endpoint if the client secret is wrong, or the code is. */
const answers: [name: string, sent: Sent, rule: string][] = [
  ['Google, Okta, Microsoft', refused(401, 'invalid_client'), 'provider.client'],
  ['Cognito, Apple', refused(400, 'invalid_client'), 'provider.client'],
  ['Keycloak', refused(401, 'unauthorized_client'), 'provider.client'],
  ['Auth0', refused(401, 'access_denied'), 'provider.client'],
  ['GitHub, with status 200', refused(200, 'incorrect_client_credentials'), 'provider.client'],
  ['Slack, with status 200', refused(200, 'bad_client_secret'), 'provider.client'],
  [
    'Gatehouse: a challenge beside the body (RFC 6749 5.2)',
    [401, { ...json, 'www-authenticate': 'Basic realm="oauth"' }, '{"error":"invalid_client"}'],
    'provider.client',
  ],
  [
    'Authentik, Spring: a challenge of the scheme Bearer',
    [401, { 'www-authenticate': 'Bearer realm="x", error="invalid_client"' }, ''],
    'provider.client',
  ],
  ['a gateway: 401 without a body', [401, {}, ''], 'provider.client'],
  [
    'a gateway: 401 with a page',
    [401, { 'content-type': 'text/html' }, '<p>No</p>'],
    'provider.client',
  ],
  [
    'a challenge about a token',
    [401, { 'www-authenticate': 'Bearer error="invalid_token"' }, ''],
    'provider.refused',
  ],
  ['the code is wrong', refused(400, 'invalid_grant'), 'provider.refused'],
  ['a server fault', [500, { 'content-type': 'text/html' }, '<p>Oh</p>'], 'provider.answer'],
];

test.each(answers)('%s', async (_, [status, headers, body], rule) => {
  const server = createServer((_request, response: ServerResponse) => {
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const metadata = { issuer, token_endpoint: `${issuer}/token` };
  const client = new Configuration(metadata, 'us', {}, ClientSecretPost('wrong'));
  allowInsecureRequests(client);
  const back = new URL('https://id.example/callback?code=x&state=y');
  const error = await authorizationCodeGrant(client, back, { expectedState: 'y' }).catch(
    (thrown: unknown) => thrown,
  );
  server.close();
  expect(faultOf(error).facts.rule).toBe(rule);
});
