import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';
import { type ClientOptions, newClient, type TestClient } from '../support/seed.ts';

type Attempt = (request: APIRequestContext, client: TestClient) => Promise<unknown>;
type Mistake = {
  client?: ClientOptions;
  make: Attempt;
  /** The name of the attempt in the list. */
  what: string;
  received?: string | RegExp;
  expected?: string | RegExp;
  /** The button that fixes the mistake. */
  fix?: string;
};

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const authorize =
  (change: Record<string, string>): Attempt =>
  (request, { id, redirectUri }) =>
    request.get('/oauth/authorize', {
      params: { client_id: id, redirect_uri: redirectUri, response_type: 'code', ...change },
      maxRedirects: 0,
    });
const token =
  (form: Record<string, string>): Attempt =>
  (request, { id, secret }) =>
    request.post('/oauth/token', { form: { client_id: id, client_secret: secret, ...form } });

const uri = 'https://app.example/callback';
const registered = { redirectUris: [uri] };

const mistakes: Record<string, Mistake> = {
  'a redirect URI that differs by a slash': {
    client: registered,
    make: authorize({ redirect_uri: `${uri}/` }),
    what: 'The redirect URI isn’t registered',
    received: `${uri}/`,
    expected: uri,
    fix: 'Add this redirect URI',
  },
  'a scope the app may not ask for': {
    client: { ...registered, scopes: ['openid'] },
    make: authorize({ scope: 'openid phone' }),
    what: 'The app may not ask for this scope',
    received: 'phone',
    expected: 'openid',
  },
  'a request without PKCE': {
    client: { ...registered, requirePkce: true },
    make: authorize({}),
    what: 'PKCE is required',
    expected: 'code_challenge',
  },
  'PKCE by the plain method': {
    client: registered,
    make: authorize({ code_challenge: challenge, code_challenge_method: 'plain' }),
    what: 'Unsupported PKCE method',
    received: 'plain',
    expected: 'S256',
  },
  'another response type': {
    client: registered,
    make: authorize({ response_type: 'token' }),
    what: 'Unsupported response type',
    received: 'token',
    expected: 'code',
  },
  'a disabled app': {
    client: { ...registered, disabled: true },
    make: authorize({}),
    what: 'The app is disabled',
  },
  'a wrong secret': {
    client: registered,
    make: token({
      grant_type: 'authorization_code',
      code: 'x',
      client_secret: 'gh_cs_not-this-one',
    }),
    what: 'Wrong client secret',
    received: /masked/,
  },
  'a grant type the app may not use': {
    client: registered,
    make: token({ grant_type: 'client_credentials' }),
    what: 'The app may not use this grant type',
    received: 'client_credentials',
    expected: 'authorization_code',
    fix: 'Allow this grant type',
  },
  'a person who is not on the app’s list': {
    client: { ...registered, access: 'listed' },
    make: authorize({}),
    what: 'This person may not use the app',
    fix: 'Let this person in',
  },
  'a code nobody issued': {
    client: registered,
    make: token({ grant_type: 'authorization_code', code: 'gh_ac_made-up' }),
    what: 'Unknown code',
  },
  'a refresh token nobody issued': {
    client: registered,
    make: token({ grant_type: 'refresh_token', refresh_token: 'made-up' }),
    what: 'Unknown refresh token',
  },
};

/**
 * Makes the mistake with the browser's cookies, so that it is attributed to the signed-in person,
 * and finds it.
 */
async function findMistake(page: Page, mistake: Mistake): Promise<void> {
  const client = await newClient(mistake.client);
  await mistake.make(page.request, client);
  await findAttempt(page, client, mistake.what);
  await expect(
    page.getByRole('list', { name: 'How far it got' }).getByText('failed here'),
  ).toHaveCount(1);
  if (mistake.received) await expect(fact(page, 'Received')).toHaveText(mistake.received);
  if (mistake.expected)
    await expect(fact(page, 'Expected').getByText(mistake.expected, { exact: true })).toBeVisible();
}

test('mistakes that the app itself must fix are found within two clicks, and offer no fix', async ({
  page,
  admin: _,
}) => {
  for (const [name, mistake] of Object.entries(mistakes))
    if (!mistake.fix)
      await test.step(name, async () => {
        await findMistake(page, mistake);
        await expect(page.locator('summary', { hasText: 'Change' })).toHaveCount(0);
      });
  await expectAccessible(page);
});

for (const [name, mistake] of Object.entries(mistakes))
  if (mistake.fix)
    test(`${name} is found within two clicks and fixed with one`, async ({ page, admin: _ }) => {
      await findMistake(page, mistake);
      const button = page.locator('summary', { hasText: mistake.fix });
      await expectAccessible(page);
      await button.click();
      await page.getByRole('button', { name: /^Yes/ }).click();
      await expect(page.getByText('Changed. Try the app again.')).toBeVisible();
      await expect(button).toHaveCount(0);
    });

const loosening: Record<string, { link: string; card: string }> = {
  'a scope the app may not ask for': {
    link: 'Change what the app may ask for',
    card: 'settings#may',
  },
  'a request without PKCE': { link: 'Open the app’s protocol settings', card: 'settings#protocol' },
  'a disabled app': { link: 'Open the app’s settings', card: 'settings#danger' },
};

for (const [name, { link, card }] of Object.entries(loosening)) {
  for (const by of ['anyone', 'a signed-in person'] as const)
    test(`${name}: where ${by} could have sent it, no button grants it`, async ({
      page,
      admin: _,
      playwright,
      server,
    }) => {
      const mistake = mistakes[name] as Mistake;
      const client = await newClient(mistake.client);
      const anyone = await playwright.request.newContext({
        baseURL: server.origin,
        ignoreHTTPSErrors: true,
      });
      await mistake.make(by === 'anyone' ? anyone : page.request, client);
      await anyone.dispose();
      await findAttempt(page, client, mistake.what);
      await expect(
        page.getByText(
          by === 'anyone'
            ? 'Anyone could have sent this request.'
            : 'following a link is enough to send it',
        ),
      ).toBeVisible();
      await expect(page.getByRole('main').locator('summary')).toHaveCount(0);
      await expect(page.getByRole('main').getByRole('button', { name: /^Yes/ })).toHaveCount(0);
      await expect(page.getByRole('link', { name: link })).toHaveAttribute(
        'href',
        `/admin/clients/${client.id}/${card}`,
      );
      if (by === 'anyone') await expectAccessible(page);
    });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a redirect URI on a new host is added by typing the host', async ({ page, admin: _ }) => {
      const client = await newClient(registered);
      const there = 'https://app.example.other.test:8443/cb';
      await authorize({ redirect_uri: there })(page.request, client);
      await findAttempt(page, client, 'The redirect URI isn’t registered');
      await page.locator('summary', { hasText: 'Add this redirect URI' }).click();
      if (javaScriptEnabled) await expectAccessible(page);
      const place = page.getByLabel('Type “app.example.other.test:8443” to add it');
      await place.fill('app.example');
      await page.getByRole('button', { name: 'Yes, add it' }).click();
      await expect(page.getByText('Type app.example.other.test:8443, if')).toBeVisible();
      await place.fill('app.example.other.test:8443');
      await page.getByRole('button', { name: 'Yes, add it' }).click();
      await expect(page.getByText('Changed. Try the app again.')).toBeVisible();
    });
  });
}

const fact = (page: Page, label: string) =>
  page.locator('dt', { hasText: label }).locator('xpath=following-sibling::dd[1]');

async function findAttempt(page: Page, client: TestClient, what: string): Promise<void> {
  await page.goto(`/admin/traces?client=${client.id}`);
  await page.goto((await page.getByRole('link', { name: what }).getAttribute('href')) ?? '');
  await expect(page.getByRole('heading', { name: 'Sign-in attempt' })).toBeVisible();
}

test('the request ID of an error page finds its attempt', async ({ page, admin: _ }) => {
  const client = await newClient(registered);
  const answer = await page.request.get('/oauth/authorize', {
    params: { client_id: client.id, redirect_uri: 'https://b.example/', response_type: 'code' },
  });
  const requestId = answer.headers()['x-request-id'] ?? '';
  await page.goto('/admin/traces');
  await page.locator('summary', { hasText: 'Filter' }).click();
  await page.getByLabel('Request ID').fill(requestId);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('heading', { name: 'Sign-in attempt', exact: true })).toBeVisible();
  await expect(page.getByText(requestId)).toBeVisible();
});

test('an admin gets from the error page to the fix; an anonymous visitor is shown no link to it', async ({
  page,
  admin: _,
  browser,
}) => {
  const client = await newClient(registered);
  const address = `/oauth/authorize?${new URLSearchParams({
    client_id: client.id,
    redirect_uri: 'https://app.example/cb',
    response_type: 'code',
  })}`;
  await page.goto(address).catch(() => {});
  await expectAccessible(page);
  await page.getByRole('link', { name: 'See the reason and fix it' }).click();
  await expect(fact(page, 'Received')).toHaveText('https://app.example/cb');
  await expect(page.locator('summary', { hasText: 'Add this redirect URI' })).toBeVisible();
  const outsider = await browser.newPage();
  await outsider.goto(new URL(address, page.url()).href);
  await expect(outsider.getByText('https://app.example/cb')).toBeVisible();
  await expect(outsider.getByRole('link', { name: /fix it/ })).toHaveCount(0);
  await outsider.close();
});
