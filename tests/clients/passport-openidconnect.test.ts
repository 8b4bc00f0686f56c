import { Strategy, type VerifyCallback } from 'passport-openidconnect';
import { expect, test } from 'vitest';
import { openServer } from '../support/open-server.ts';
import { newClient } from '../support/seed.ts';
import { servePassport } from './passport-app.ts';
import { AppBrowser, newPerson } from './visit.ts';

const server = await openServer();

test('passport-openidconnect: signs in and reads the profile', async () => {
  const { user, person } = await newPerson(server);
  const origin = await servePassport(async (callbackURL) => {
    const client = await newClient({ redirectUris: [callbackURL] });
    const options = {
      issuer: server.issuer,
      authorizationURL: `${server.issuer}/oauth/authorize`,
      tokenURL: `${server.issuer}/oauth/token`,
      userInfoURL: `${server.issuer}/oauth/me`,
      clientID: client.id,
      clientSecret: client.secret,
      callbackURL,
      scope: ['profile', 'email'],
      nonce: 'on',
      maxAge: '600',
      skipUserProfile: false,
    };
    return new Strategy(options, (issuer: string, profile: object, done: VerifyCallback) =>
      done(null, { issuer, ...profile }),
    );
  });
  const response = await new AppBrowser().signIn(person, `${origin}/login`);
  expect(await response.json()).toMatchObject({
    issuer: server.issuer,
    id: user.id,
    displayName: 'Ada Lovelace',
    emails: [{ value: user.email }],
  });
});
