import express from 'express';
import session from 'express-session';
import grant from 'grant';
import { expect, test } from 'vitest';
import { openServer } from '../support/open-server.ts';
import { newClient } from '../support/seed.ts';
import { AppBrowser, locationOf, newPerson, serveApp } from './visit.ts';

const server = await openServer();

declare module 'express-session' {
  interface SessionData {
    grant: { response?: unknown };
  }
}

test('grant: signs in with state, nonce and PKCE, and reads the profile', async () => {
  const { user, person } = await newPerson(server);
  const origin = await serveApp(async (origin) => {
    const client = await newClient({ redirectUris: [`${origin}/connect/gatehouse/callback`] });
    const app = express();
    app.use(session({ secret: 'only for this test', resave: false, saveUninitialized: true }));
    app.use(
      grant.express({
        defaults: { origin, transport: 'session', state: true },
        gatehouse: {
          authorize_url: `${server.issuer}/oauth/authorize`,
          access_url: `${server.issuer}/oauth/token`,
          profile_url: `${server.issuer}/oauth/me`,
          oauth: 2,
          key: client.id,
          secret: client.secret,
          scope: ['openid', 'profile'],
          scope_delimiter: ' ',
          nonce: true,
          pkce: true,
          response: ['tokens', 'jwt', 'profile'],
          callback: '/hello',
        },
      }),
    );
    app.get('/hello', (request, response) => {
      response.json(request.session.grant?.response ?? null);
    });
    return app;
  });
  const browser = new AppBrowser();
  const callback = await browser.signIn(person, `${origin}/connect/gatehouse`);
  const hello = await browser.go(new URL(locationOf(callback), origin));
  expect(await hello.json()).toMatchObject({
    access_token: expect.stringMatching(/^gh_/),
    refresh_token: expect.stringMatching(/^gh_/),
    jwt: { id_token: { payload: { sub: user.id, nonce: expect.any(String) } } },
    profile: { username: user.username, name: 'Ada Lovelace' },
  });
});
