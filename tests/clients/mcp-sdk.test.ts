import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { expect, test } from 'vitest';
import { me } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { newClient, type TestClient } from '../support/seed.ts';
import { allowAt, newPerson, serveApp } from './visit.ts';

const server = await openServer();

/** What an MCP client keeps: the client id that it was given, and the results of the flow. */
class Kept implements OAuthClientProvider {
  verifier = '';
  sentTo: URL | undefined;
  kept: OAuthTokens | undefined;
  readonly client: TestClient;
  constructor(client: TestClient) {
    this.client = client;
  }
  get redirectUrl() {
    return this.client.redirectUri;
  }
  get clientMetadata() {
    return { redirect_uris: [this.client.redirectUri], scope: 'openid profile offline_access' };
  }
  state() {
    return 'the state';
  }
  clientInformation() {
    return { client_id: this.client.id, issuer: server.issuer };
  }
  tokens() {
    return this.kept;
  }
  saveTokens(tokens: OAuthTokens) {
    this.kept = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url;
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
}

test('@modelcontextprotocol/sdk: a public client discovers the server, signs in and refreshes', async () => {
  const { user, person } = await newPerson(server);
  const serverUrl = await serveApp((origin) => (request, response) => {
    const known = request.url?.startsWith('/.well-known/oauth-protected-resource');
    const metadata = { resource: `${origin}/`, authorization_servers: [server.issuer] };
    response
      .writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(metadata));
  });
  const provider = new Kept(
    await newClient({ type: 'public', redirectUris: ['http://127.0.0.1:33418/callback'] }),
  );
  expect(await auth(provider, { serverUrl })).toBe('REDIRECT');
  const back = await allowAt(person, provider.sentTo ?? '');
  expect(back.searchParams.get('state')).toBe('the state');
  expect(
    await auth(provider, { serverUrl, authorizationCode: back.searchParams.get('code') ?? '' }),
  ).toBe('AUTHORIZED');
  const first = provider.kept;
  expect((await me(server, first?.access_token ?? '')).body.username).toBe(user.username);

  expect(await auth(provider, { serverUrl })).toBe('AUTHORIZED');
  expect(provider.kept?.access_token).not.toBe(first?.access_token);
  expect((await me(server, provider.kept?.access_token ?? '')).body.username).toBe(user.username);
});
