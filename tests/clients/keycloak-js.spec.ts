import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { newApi } from '../support/apis.ts';
import { newClient, newUser, type TestUser } from '../support/seed.ts';
import { folderFromNpm } from './npm-packages.ts';
import { pageWith, type Stage, signInAt, startStage } from './stage.ts';

// The library with its option for providers other than Keycloak. It reads access tokens as JWTs, so
// the app has a default API, and refresh tokens too, so it has none. It sends its token requests with
// credentials, so they go to the app's own origin.
type Keycloak = {
  init: (options: object) => Promise<boolean>;
  login: (options: object) => Promise<void>;
  logout: (options: object) => Promise<void>;
  token: string;
  tokenParsed: { sub: string; aud: string };
};
declare global {
  var Keycloak: new (config: object) => Keycloak;
  var keycloak: Keycloak;
}

const folder = await folderFromNpm('keycloak-js', '26.2.4');
const library = folder && readFileSync(resolve(folder, 'lib/keycloak.js'));
const page = pageWith(
  `<script type="module">import Keycloak from '/library.js'; globalThis.Keycloak = Keycloak;</script>`,
);

let stage: Stage;
let user: TestUser;
let audience: string;
let clientId: string;

test.skip(!library, 'The package cannot be had.');
test.use({ ignoreHTTPSErrors: true });

test.beforeAll(async () => {
  stage = await startStage('keycloak-js', library ?? '', () => page);
});

test.afterAll(() => stage.stop());

test.beforeEach(async () => {
  const { origin } = stage.site;
  user = await newUser({ name: 'Ada Lovelace' });
  const api = await newApi({ tokenFormat: 'jwt' });
  audience = api.identifier;
  const client = await newClient({
    type: 'public',
    grants: ['authorization_code'],
    redirectUris: [`${origin}/`],
    postLogoutRedirectUris: [`${origin}/bye`],
    defaultApi: api.identifier,
  });
  clientId = client.id;
});

/** What the app passes as `oidcProvider`: the discovery document, with the token endpoint here. */
const throughOwnProxy = () => ({
  issuer: stage.front.origin,
  authorization_endpoint: `${stage.front.origin}/oauth/authorize`,
  token_endpoint: `${stage.site.origin}/oauth/token`,
  end_session_endpoint: `${stage.front.origin}/oauth/logout`,
});

/** Sets the library up in the page. Returns whether somebody is signed in, or the error. */
async function setUp(tab: Page, oidcProvider: object | string): Promise<unknown> {
  await tab.waitForFunction(() => 'Keycloak' in globalThis);
  return tab.evaluate(
    (config) => {
      globalThis.keycloak = new Keycloak(config);
      return keycloak
        .init({ checkLoginIframe: false, pkceMethod: 'S256' })
        .catch((error) => String(error?.error ?? error));
    },
    { clientId, oidcProvider },
  );
}

async function open(tab: Page, provider: object | string): Promise<void> {
  await tab.goto(`${stage.site.origin}/`);
  expect(await setUp(tab, provider)).toBe(false);
}

/** Starts a sign-in. The page that comes back from it has to be set up. */
async function start(tab: Page, prompt?: 'none'): Promise<void> {
  const options = { redirectUri: `${stage.site.origin}/`, scope: 'profile email', prompt };
  await tab.evaluate((given) => void keycloak.login(given), options);
}

/** Signs in with the page's buttons. Returns what the library makes of the answer. */
async function comeBack(
  tab: Page,
  press: 'Allow' | 'Deny',
  provider: object | string = throughOwnProxy(),
): Promise<unknown> {
  await open(tab, provider);
  await start(tab);
  await signInAt(tab, user, press);
  await tab.waitForURL(`${stage.site.origin}/**`);
  return setUp(tab, provider);
}

const tokenOf = (tab: Page) => tab.evaluate(() => keycloak.token);

test('keycloak-js: signs in through a proxy of its app, renews twice, and signs out', async ({
  page: tab,
}) => {
  expect(await comeBack(tab, 'Allow')).toBe(true);
  const { sub, aud } = await tab.evaluate(() => keycloak.tokenParsed);
  expect([sub, aud]).toEqual([user.id, audience]);

  const seen = new Set([await tokenOf(tab)]);
  for (let times = 0; times < 2; times += 1) {
    const back = tab.waitForEvent('load');
    await start(tab, 'none');
    await back;
    expect(await setUp(tab, throughOwnProxy())).toBe(true);
    seen.add(await tokenOf(tab));
  }
  expect(seen.size).toBe(3);

  const bye = `${stage.site.origin}/bye`;
  await tab.evaluate((redirectUri) => void keycloak.logout({ redirectUri }), bye);
  await tab.waitForURL(bye);
  await tab.goto(`${stage.front.origin}/account`);
  await expect(tab.getByLabel('Password', { exact: true })).toBeVisible();
});

test('keycloak-js: is told of a denial', async ({ page: tab }) => {
  expect(await comeBack(tab, 'Deny')).toBe('access_denied');
});

test('keycloak-js: a browser refuses its token request to another origin', async ({
  page: tab,
}) => {
  const said: string[] = [];
  tab.on('console', (message) => said.push(message.text()));
  expect(await comeBack(tab, 'Allow', stage.front.origin)).not.toBe(true);
  expect(said.join('\n')).toMatch(/CORS.*credentials mode.*'include'/);
});
