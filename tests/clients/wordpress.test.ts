import express from 'express';
import passport from 'passport';
import { expect, test } from 'vitest';
import { asking } from '../openid/sign-in.ts';
import { redeem } from '../support/app.ts';
import { unescapeHtml } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { isSignedIn } from '../support/person.ts';
import { newClient, newPkce } from '../support/seed.ts';
import { packageFromNpm } from './npm-packages.ts';
import { servePassport } from './passport-app.ts';
import { followRecipe } from './recipe-app.ts';
import { hasWordPress, startWordPress } from './stacks/wordpress.ts';
import { AppBrowser, allowAt, locationOf, newPerson, openAt, serveApp } from './visit.ts';
import { openPage, press } from './web-app.ts';

// Published clients of the WordPress plugin “WP OAuth Server”, unmodified: they know its addresses,
// and read the columns of its user table. And what the plugin of our recipe sends at a sign-out.
type Verify = (access: string, refresh: string, profile: object, done: Done) => void;
type Done = (error: null, user: object) => void;
type Library = {
  Strategy: new (options: Record<string, unknown>, verify: Verify) => passport.Strategy;
};

const server = await openServer();
const byUrl = await packageFromNpm<Library>('passport-wordpress-oauth-server', '0.2.0');
const byAddresses = await packageFromNpm<Library>('passport-wpoauth', '1.2.3');

/** The strategy of a library for a new app, which uses the profile as the user. */
async function strategyOf(library: Library, callbackURL: string, where: Record<string, string>) {
  const claimShape = 'wp-oauth-server';
  const client = await newClient({ redirectUris: [callbackURL], claimShape });
  const options = { ...where, clientID: client.id, clientSecret: client.secret, callbackURL };
  const verify: Verify = (_access, _refresh, profile, done) => done(null, profile);
  return { client, strategy: new library.Strategy(options, verify) };
}

test.skipIf(!byUrl)(
  'passport-wordpress-oauth-server: signs in with only the URL of this server',
  async () => {
    const { user, person } = await newPerson(server);
    const where = { wordpressUrl: server.issuer };
    const origin = await servePassport(
      async (callbackURL) => (await strategyOf(byUrl as Library, callbackURL, where)).strategy,
    );
    const answer = await new AppBrowser().signIn(person, `${origin}/login`);
    const emails = [{ value: user.email }];
    expect(await answer.json()).toMatchObject({ id: user.id, displayName: 'Ada Lovelace', emails });
  },
);

test.skipIf(!byAddresses)(
  'passport-wpoauth: redeems a code that a page hands over, and reads the profile',
  async () => {
    const { user, person } = await newPerson(server);
    const callbackURL = 'https://page.example/signed-in';
    const { client, strategy } = await strategyOf(byAddresses as Library, callbackURL, {
      authorizationURL: `${server.issuer}/oauth/authorize`,
      tokenURL: `${server.issuer}/oauth/token`,
      userProfileURL: `${server.issuer}/oauth/me`,
    });
    const origin = await serveApp(() => {
      const authenticator = new passport.Passport().use('wordpress', strategy);
      const app = express().use(express.urlencoded(), authenticator.initialize());
      app.post('/', authenticator.authenticate('wordpress', { session: false }));
      return app.post('/', (request, response) => void response.json(request.user));
    });
    const code = await person.code({ client_id: client.id, response_type: 'code' });
    const answer = await new AppBrowser().go(origin, { code, redirectUri: callbackURL });
    expect(await answer.json()).toMatchObject({
      id: user.id,
      username: user.username,
      displayName: 'Ada Lovelace',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: user.email }],
    });
  },
);

test.each(['en_US', 'de_DE_formal', 'zh_CN'])(
  'the recipe for WordPress signs out to the last page of WordPress in %s',
  async (language) => {
    const address = 'https://blog.example';
    const { clientId, clientSecret, redirectUris } = await followRecipe(
      server.issuer,
      'wordpress',
      {
        address,
      },
    );
    const client = { id: clientId, secret: clientSecret ?? '', redirectUri: redirectUris[0] ?? '' };
    const { person } = await newPerson(server);
    const { verifier, challenge } = newPkce();
    const code = await person.code(asking(client, challenge));
    const { id_token } = (await redeem(server, client, code, { code_verifier: verifier })).body;
    // As openid-connect-generic 3.10.3 puts it together.
    const last = `${address}/wp-login.php?loggedout=true&wp_lang=${language}`;
    const sent = `id_token_hint=${id_token}&post_logout_redirect_uri=${encodeURIComponent(last)}`;
    expect((await person.open(`/oauth/logout?${sent}`)).at).toBe(last);
    expect(await isSignedIn(person)).toBe(false);
  },
);

test.skipIf(!hasWordPress)(
  'the recipe for WordPress: its sign-in page makes an account, and “Log Out” leads back there',
  { timeout: 300_000 },
  async () => {
    const { address } = await startWordPress(server.issuer);
    const { user, person } = await newPerson(server);
    const browser = new AppBrowser();
    const { html } = await openPage(browser, `${address}/wp-login.php`);
    const [, button = ''] = /href="([^"]+)">Login with OpenID Connect</.exec(html) ?? [];
    await browser.go(await allowAt(person, unescapeHtml(button)));
    const profile = await openPage(browser, `${address}/wp-admin/profile.php`);
    expect(profile.html).toContain(`value="${user.email}"`);
    expect(profile.html).toContain('Ada Lovelace');

    const bye = locationOf(await press(browser, profile, 'Log Out'));
    const last = `${address}/wp-login.php?loggedout=true&wp_lang=en_US`;
    expect((await openAt(person, bye)).at).toBe(last);
    expect(await isSignedIn(person)).toBe(false);
  },
);
