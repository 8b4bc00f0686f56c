import { Auth, type AuthConfig } from '@auth/core';
import type { Provider } from '@auth/core/providers';
import { expect, test } from 'vitest';
import { openServer } from '../support/open-server.ts';
import { type ClientOptions, newClient, type TestClient } from '../support/seed.ts';
import { AppBrowser, allowAt, locationOf, newPerson } from './visit.ts';

const server = await openServer();
const app = 'http://localhost:4001/auth';

const profile = (claims: { sub: string; name?: string; email: string }) => ({
  id: claims.sub,
  name: claims.name ?? null,
  email: claims.email,
});

/** Without discovery, as for servers that support only OAuth. */
const endpoints = {
  authorization: { url: `${server.issuer}/oauth/authorize`, params: { scope: 'profile email' } },
  token: `${server.issuer}/oauth/token`,
  userinfo: `${server.issuer}/oauth/me`,
};

const cases: {
  name: string;
  client?: ClientOptions;
  provider: (client: TestClient) => Provider;
}[] = [
  {
    name: 'as an OpenID Connect provider, found by discovery',
    provider: ({ id, secret }) => ({
      id: 'gatehouse',
      name: 'Gatehouse',
      type: 'oidc',
      issuer: server.issuer,
      clientId: id,
      clientSecret: secret,
      checks: ['pkce', 'state', 'nonce'],
    }),
  },
  {
    name: 'as an OAuth provider that names its issuer',
    provider: ({ id, secret }) => ({
      id: 'gatehouse',
      name: 'Gatehouse',
      type: 'oauth',
      issuer: server.issuer,
      clientId: id,
      clientSecret: secret,
      profile,
      ...endpoints,
    }),
  },
  {
    // Auth.js then expects an issuer that it invents, and refuses any other `iss`.
    name: 'as an OAuth provider without an issuer, for a client that gets no iss',
    client: { sendIss: false },
    provider: ({ id, secret }) => ({
      id: 'gatehouse',
      name: 'Gatehouse',
      type: 'oauth',
      clientId: id,
      clientSecret: secret,
      profile,
      ...endpoints,
    }),
  },
];

test.each(cases)('Auth.js: signs in $name', async ({ client: options, provider }) => {
  const { user, person } = await newPerson(server);
  const client = await newClient({ ...options, redirectUris: [`${app}/callback/gatehouse`] });
  const config: AuthConfig = {
    basePath: '/auth',
    trustHost: true,
    secret: 'only for this test',
    providers: [provider(client)],
    logger: {
      error: (error) => {
        throw error;
      },
    },
  };
  const browser = new AppBrowser((request) => Auth(request, config));
  const { csrfToken } = (await (await browser.go(`${app}/csrf`)).json()) as { csrfToken: string };
  const started = await browser.go(`${app}/signin/gatehouse`, { csrfToken, callbackUrl: app });
  const finished = await browser.go(await allowAt(person, locationOf(started)));
  expect(locationOf(finished)).toBe(app);
  const session = await (await browser.go(`${app}/session`)).json();
  expect(session).toMatchObject({ user: { name: 'Ada Lovelace', email: user.email } });
});
