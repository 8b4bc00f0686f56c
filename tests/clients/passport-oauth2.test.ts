import { Strategy, type VerifyCallback } from 'passport-oauth2';
import { expect, test } from 'vitest';
import { me } from '../support/app.ts';
import { openHouse } from '../support/house.ts';
import { newClient } from '../support/seed.ts';
import { servePassport } from './passport-app.ts';
import { AppBrowser, newPerson } from './visit.ts';

const house = await openHouse();

test.each([false, true])('passport-oauth2: signs in (PKCE: %s)', async (pkce) => {
  const { user, person } = await newPerson(house);
  const origin = await servePassport(async (callbackURL) => {
    const client = await newClient({ redirectUris: [callbackURL], requirePkce: pkce });
    const options = {
      authorizationURL: `${house.issuer}/oauth/authorize`,
      tokenURL: `${house.issuer}/oauth/token`,
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
        done(null, { ...(await me(house, accessToken)).body, refreshToken });
      },
    );
  });
  const response = await new AppBrowser().signIn(person, `${origin}/login`);
  expect(await response.json()).toMatchObject({
    username: user.username,
    refreshToken: expect.stringMatching(/^gh_/),
  });
});
