import { expect, test } from 'vitest';
import { revokeGrants } from '#lib/management/grant/grants.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import { actor } from '../management/people.ts';
import { join } from '../openid/memberships.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { openServer } from '../support/open-server.ts';
import { isSignedIn } from '../support/person.ts';
import { programFromGo } from './go-programs.ts';
import { followRecipe, listening, newFolder, start, write } from './recipe-app.ts';
import {
  AppBrowser,
  allowAt,
  denyAt,
  locationOf,
  newPerson,
  openAt,
  proxyFrom,
  serveApp,
} from './visit.ts';
import { renewals } from './web-app.ts';

// Programs written in Go, with the texts of their recipes.
const server = await openServer();
const oauth2Proxy = await programFromGo('github.com/oauth2-proxy/oauth2-proxy/v7@v7.15.6');
const miniflux = await programFromGo('miniflux.app/v2@v2.3.5');

/** Somebody whose address is confirmed, in these groups. */
async function newMember(...groups: string[]) {
  const made = await newPerson(server);
  await updateUser(made.user.id, { emailVerified: true }, actor, new Date());
  await join(made.user.id, ...groups);
  return made;
}

/** The variables of a container, as its file for Compose sets them. */
const environmentIn = (compose: string) =>
  Object.fromEntries(
    [...compose.matchAll(/^ {6}(\w+): (.*)$/gm)].map(([, name, value = '']) => [
      name,
      JSON.parse(value),
    ]),
  );

test.skipIf(!oauth2Proxy)(
  'the recipe for oauth2-proxy: signs in after a denial, renews, ends with the access, signs out',
  { timeout: 120_000 },
  async () => {
    const address = 'https://app.example.org';
    const port = await freePort();
    const upstream = await serveApp(() => (request, response) => {
      const { 'x-forwarded-preferred-username': name, 'x-forwarded-groups': groups } =
        request.headers;
      response.end(`${name} in ${groups}`);
    });
    const { text, folder, clientId } = await followRecipe(server.issuer, 'oauth2-proxy', {
      address,
    });
    const file = 'oauth2-proxy.cfg';
    const own = text(file)
      .replace('http://127.0.0.1:8080', upstream)
      .replace('127.0.0.1:4180', `127.0.0.1:${port}`)
      .replace('cookie_refresh = "1h"', 'cookie_refresh = "1s"');
    write(folder, file, own);
    await listening(port, start(folder, oauth2Proxy ?? '', ['--config', file]));

    const { user, person } = await newMember('editors');
    const browser = new AppBrowser(proxyFrom(address, port));
    const link = `${address}/oauth2/start?rd=/`;
    const home = async () => (await browser.go(`${address}/`)).text();
    const denied = await browser.go(await denyAt(person, locationOf(await browser.go(link))));
    expect(denied.status).toBe(403);
    expect(await home()).toContain('Sign in with Gatehouse');

    await browser.signIn(person, link);
    expect(await home()).toBe(`${user.username} in editors`);
    const renewedAtHome = async () => (await home()) && renewals({ clientId }, { user });
    await expect.poll(renewedAtHome, { timeout: 10_000 }).toBeGreaterThan(1);
    expect(await home()).toBe(`${user.username} in editors`);
    await revokeGrants({ user: user.id, client: clientId }, actor, new Date());
    await expect.poll(home, { timeout: 10_000 }).toContain('Sign in with Gatehouse');

    await browser.signIn(person, link);
    const [, signOut] = /^Sign out: (.*)$/m.exec(text('A link of your app')) ?? [];
    const asked = await openAt(person, locationOf(await browser.go(address + signOut)));
    expect((await person.submit(asked, '/logout/submit')).at).toBe(`${address}/`);
    expect(await isSignedIn(person)).toBe(false);
    expect(await home()).toContain('Sign in with Gatehouse');
  },
);

test.skipIf(!miniflux)(
  'the recipe for Miniflux: signs in after a denial, and makes an account',
  { timeout: 120_000 },
  async () => {
    const port = await freePort();
    const address = `http://localhost:${port}`;
    const { text } = await followRecipe(server.issuer, 'miniflux', { address });
    const env = {
      ...environmentIn(text('compose.yaml')),
      DATABASE_URL: `${await createEmptyDatabase('postgresql')}?sslmode=disable`,
      LISTEN_ADDR: `127.0.0.1:${port}`,
      RUN_MIGRATIONS: '1',
      LOG_LEVEL: 'error',
      DISABLE_SCHEDULER_SERVICE: '1',
    };
    await listening(port, start(newFolder('miniflux'), miniflux ?? '', [], env));

    const { user, person } = await newMember();
    const browser = new AppBrowser();
    const link = `${address}/oauth2/oidc/redirect`;
    await browser.go(`${address}/`);
    const away = locationOf(await browser.go(link));
    expect(new URL(away).searchParams.get('code_challenge_method')).toBe('S256');
    await browser.follow(await browser.go(await denyAt(person, away)), address);
    const settings = async () => (await browser.go(`${address}/settings`)).text();
    expect(await settings()).not.toContain(user.username);

    const forged = await allowAt(person, locationOf(await browser.go(link)));
    const other = new AppBrowser();
    await other.go(`${address}/`);
    await other.go(forged);
    expect(await (await other.go(`${address}/settings`)).text()).not.toContain(user.username);

    await browser.signIn(person, link);
    expect(await settings()).toContain(user.username);
  },
);
