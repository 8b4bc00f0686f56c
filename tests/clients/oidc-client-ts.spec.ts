import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import type { User, UserManager, UserManagerSettings } from 'oidc-client-ts';
import { newClient, newUser, type TestUser } from '../support/seed.ts';
import { pageWith, type Stage, signInAt, startStage } from './stage.ts';

type Oidc = { UserManager: new (settings: UserManagerSettings) => UserManager };
declare global {
  var oidc: Oidc;
  var manager: UserManager;
}

const library = readFileSync('node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js');
/**
 * One page plays all parts: it is the app, and the page that sign-in returns to, also in a popup.
 */
const page = pageWith('<script src="/library.js"></script>');
/** In the iframe, it passes the result of the sign-in to the surrounding page. */
const silentPage = () =>
  `${page}<script>new oidc.UserManager(${JSON.stringify(settings)}).signinSilentCallback()</script>`;

let stage: Stage;
let user: TestUser;
let settings: UserManagerSettings;

test.use({ ignoreHTTPSErrors: true });

test.beforeAll(async () => {
  stage = await startStage('oidc-client-ts', library, (path) =>
    path.startsWith('/silent') ? silentPage() : page,
  );
});

test.afterAll(() => stage.stop());

test.beforeEach(async () => {
  const { origin } = stage.site;
  const client = await newClient({
    type: 'public',
    redirectUris: [`${origin}/back`, `${origin}/silent`, `${origin}/popup`],
    postLogoutRedirectUris: [`${origin}/bye`],
  });
  user = await newUser({ name: 'Ada Lovelace' });
  settings = {
    authority: stage.front.origin,
    client_id: client.id,
    redirect_uri: `${origin}/back`,
    silent_redirect_uri: `${origin}/silent`,
    popup_redirect_uri: `${origin}/popup`,
    post_logout_redirect_uri: `${origin}/bye`,
    scope: 'openid profile email',
    automaticSilentRenew: false,
    loadUserInfo: true,
  };
});

/** Opens a page of the app and sets the library up as the app does. */
async function openApp(tab: Page, path = '/'): Promise<void> {
  await tab.goto(`${stage.site.origin}${path}`);
  await setUp(tab);
}

async function setUp(tab: Page): Promise<void> {
  await tab.waitForFunction(() => 'oidc' in globalThis);
  await tab.evaluate((given) => {
    globalThis.manager = new oidc.UserManager(given);
  }, settings);
}

async function signIn(tab: Page): Promise<Seen> {
  await openApp(tab);
  await tab.evaluate(() => void manager.signinRedirect());
  await signInAt(tab, user, 'Allow');
  await tab.waitForURL(/\/back\?code=/);
  await setUp(tab);
  return tab.evaluate(async () => seen(await manager.signinCallback()));
}

type Seen = Pick<User, 'access_token' | 'refresh_token' | 'profile'>;
const seenSource = `globalThis.seen = (user) =>
  user && { access_token: user.access_token, refresh_token: user.refresh_token, profile: user.profile };`;
declare function seen(user: User | null | undefined): Seen;
test.beforeEach(({ context }) => context.addInitScript(seenSource));

/**
 * Renews in the background: with the refresh token if there is one, otherwise through an iframe
 * that asks with prompt=none.
 */
async function renew(tab: Page, by: 'refresh token' | 'iframe'): Promise<Seen> {
  if (by === 'iframe') await tab.evaluate(() => manager.removeUser());
  return tab.evaluate(async () => seen(await manager.signinSilent()));
}

test('oidc-client-ts: a public client signs in, renews by refresh token and by iframe, and signs out', async ({
  page: tab,
}) => {
  const first = await signIn(tab);
  expect(first.profile).toMatchObject({ sub: user.id, name: 'Ada Lovelace', email: user.email });

  const refreshed = await renew(tab, 'refresh token');
  expect(refreshed.access_token).not.toBe(first.access_token);
  expect(refreshed.refresh_token).not.toBe(first.refresh_token);
  expect(refreshed.profile.sub).toBe(user.id);

  const silent = await renew(tab, 'iframe');
  expect(silent.access_token).not.toBe(refreshed.access_token);
  expect(silent.profile.sub).toBe(user.id);

  await tab.evaluate(() => void manager.signoutRedirect());
  await tab.waitForURL(`${stage.site.origin}/bye`);
  await setUp(tab);
  await tab.evaluate(() => manager.signoutCallback());
  // The session is gone, so renewing in the background fails instead of asking.
  await expect(renew(tab, 'iframe')).rejects.toThrow(/sign in/i);
});

test('oidc-client-ts: a public client signs in by a popup, despite Cross-Origin-Opener-Policy', async ({
  page: tab,
}) => {
  await openApp(tab);
  const opened = tab.waitForEvent('popup');
  const signedIn = tab.evaluate(async () => seen(await manager.signinPopup()));
  const popup = await opened;
  await signInAt(popup, user, 'Allow');
  await popup.waitForURL(/\/popup\?code=/);
  await setUp(popup);
  const closed = popup.waitForEvent('close');
  await popup.evaluate(() => void manager.signinPopupCallback());
  await closed;
  expect((await signedIn).profile.sub).toBe(user.id);
});

test('oidc-client-ts: the sign-in page is not shown in an iframe', async ({ page: tab }) => {
  await openApp(tab);
  const answer = tab.waitForResponse((response) => response.url().includes('/login'));
  await tab.evaluate(async () => {
    const address = new URL((await manager.metadataService.getAuthorizationEndpoint()) ?? '');
    const { client_id, redirect_uri } = manager.settings;
    address.search = new URLSearchParams({
      client_id,
      redirect_uri,
      response_type: 'code',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    }).toString();
    const frame = document.createElement('iframe');
    frame.src = address.href;
    document.body.append(frame);
  });
  expect((await answer).headers()['x-frame-options']).toBe('DENY');
  await expect(
    tab.frameLocator('iframe').getByRole('button', { name: 'Sign in', exact: true }),
  ).toHaveCount(0);
});
