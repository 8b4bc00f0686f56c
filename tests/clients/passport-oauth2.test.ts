import { Strategy, type VerifyCallback } from 'passport-oauth2';
import { expect, test } from 'vitest';
import { me } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { newClient } from '../support/seed.ts';
import { servePassport } from './passport-app.ts';
import { AppBrowser, newPerson } from './visit.ts';

const server = await openServer();

test.each([false, true])('passport-oauth2: signs in (PKCE: %s)', async (pkce) => {
  const { user, person } = await newPerson(server);
  const origin = await servePassport(async (callbackURL) => {
    const client = await newClient({ redirectUris: [callbackURL], requirePkce: pkce });
    const options = {
      authorizationURL: `${server.issuer}/oauth/authorize`,
      tokenURL: `${server.issuer}/oauth/token`,
      clientID: client.id,
      clientSecret: client.secret,
      callbackURL,
      scope: ['profile', 'email'],
      state: true,
      pkce,
    };
    return new Strategy(
      options,
      async (
        accessToken: string,
        refreshToken: string,
        _profile: unknown,
        done: VerifyCallback,
      ) => {
        done(null, { ...(await me(server, accessToken)).body, refreshToken });
      },
    );
  });
  const response = await new AppBrowser().signIn(person, `${origin}/login`);
  expect(await response.json()).toMatchObject({
    username: user.username,
    refreshToken: expect.stringMatching(/^gh_/),
  });
});
