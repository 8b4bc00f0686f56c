import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { newClient, newUser, type TestUser } from '../support/seed.ts';
import { folderFromNpm } from './npm-packages.ts';
import { pageWith, type Stage, signInAt, startStage } from './stage.ts';

// The library as its documentation sets it up for a provider that is not Microsoft's.
type Account = { username: string; idTokenClaims: { sub: string } };
type Result = { account: Account; accessToken: string };
type App = {
  initialize: () => Promise<void>;
  handleRedirectPromise: () => Promise<Result | null>;
  loginRedirect: (request: object) => Promise<void>;
  acquireTokenSilent: (request: object) => Promise<Result>;
  logoutRedirect: (request?: object) => Promise<void>;
  getAllAccounts: () => Account[];
};
declare global {
  var msal: { PublicClientApplication: new (config: object) => App };
  var app: App;
}

const folder = await folderFromNpm('@azure/msal-browser', '5.30.0');
const library = folder && readFileSync(resolve(folder, 'lib/msal-browser.min.js'));
const page = pageWith('<script src="/library.js"></script>');
const scopes = ['openid', 'profile', 'email', 'offline_access'];

let stage: Stage;
let user: TestUser;
let config: object;

test.skip(!library, 'The package cannot be had.');
test.use({ ignoreHTTPSErrors: true });

test.beforeAll(async () => {
  stage = await startStage('msal-browser', library ?? '', () => page);
});

test.afterAll(() => stage.stop());

test.beforeEach(async () => {
  const { origin } = stage.site;
  const authority = stage.front.origin;
  user = await newUser({ name: 'Ada Lovelace' });
  const client = await newClient({
    type: 'public',
    redirectUris: [`${origin}/`],
    postLogoutRedirectUris: [`${origin}/bye-${user.id}`],
  });
  config = {
    auth: {
      clientId: client.id,
      authority,
      knownAuthorities: [new URL(authority).host],
      redirectUri: `${origin}/`,
      postLogoutRedirectUri: `${origin}/bye-${user.id}`,
    },
    system: { protocolMode: 'OIDC' },
  };
});

/** Sets the library up in the page. Returns the result of a sign-in that has just come back. */
async function setUp(tab: Page): Promise<Result | string | null> {
  await tab.waitForFunction(() => 'msal' in globalThis);
  return tab.evaluate(async (given) => {
    globalThis.app = new msal.PublicClientApplication(given);
    await app.initialize();
    return app.handleRedirectPromise().catch(String);
  }, config);
}

async function comeBack(tab: Page, press: 'Allow' | 'Deny'): Promise<Result | string | null> {
  await tab.goto(`${stage.site.origin}/`);
  await setUp(tab);
  await tab.evaluate((given) => void app.loginRedirect({ scopes: given }), scopes);
  await signInAt(tab, user, press);
  await tab.waitForURL(`${stage.site.origin}/**`);
  return setUp(tab);
}

test('msal-browser: signs in by a fragment, renews twice, and signs out by address', async ({
  page: tab,
}) => {
  const first = (await comeBack(tab, 'Allow')) as Result;
  expect(first.account.idTokenClaims.sub).toBe(user.id);

  const seen = new Set([first.accessToken]);
  for (let times = 0; times < 2; times += 1)
    seen.add(
      await tab.evaluate(async (given) => {
        const [account] = app.getAllAccounts();
        const request = { scopes: given, account, forceRefresh: true };
        return (await app.acquireTokenSilent(request)).accessToken;
      }, scopes),
    );
  expect(seen.size).toBe(3);

  await tab.evaluate(() => void app.logoutRedirect());
  await tab.getByRole('button', { name: 'Sign out', exact: true }).click();
  await tab.waitForURL(`${stage.site.origin}/bye-${user.id}?state=*`);
  await tab.goto(`${stage.front.origin}/account`);
  await expect(tab.getByLabel('Password', { exact: true })).toBeVisible();
});

test('msal-browser: is told of a denial', async ({ page: tab }) => {
  expect(await comeBack(tab, 'Deny')).toContain('access_denied');
});
