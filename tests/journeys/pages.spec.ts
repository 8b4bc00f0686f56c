import type { BrowserContext, Page, Response } from '@playwright/test';
import { newPendingRequest, sealPendingRequest } from '#lib/interaction/pending-request.ts';
import { forChange, inTurn } from '../lanes.ts';
import { axeFindings } from '../support/axe.ts';
import { unseenControls } from '../support/controls.ts';
import { authorizeUrl, expect, openSignedIn, signIn, test } from '../support/journey.ts';
import { everyRoute, furtherLooks, oneOfEach } from '../support/pages.ts';
import { newClient, newUser, type TestUser } from '../support/seed.ts';

const looks = [
  ['light', 1440],
  ['dark', 320],
] as const;

/** Addresses without a page. */
const nothing = [
  '/nothing/here',
  '/admin/nothing/here',
  '/admin/people/nobody',
  '/account/nothing',
];

/** Pages that are the same for everybody, and what a visitor sees of the others. */
const ofVisitors = () => [
  ...everyRoute()
    .filter((route) => !/^\/(admin|account)/.test(route))
    .map((route) => route.replace('[code]', 'invalid_request').replace('[...page]', 'mcp'))
    .map((route) => route.replace('[id]', 'grafana')),
  '/nothing/here',
];

/** Every page of the account and the dashboard, and others that say who is signed in. */
async function ofAdmins(admin: TestUser): Promise<string[]> {
  const held = await oneOfEach(admin);
  const routes = everyRoute().filter(
    (route) => !/^\/(docs|recover|register|setup|expired)/.test(route),
  );
  return [...routes, ...furtherLooks, ...nothing].map((address) =>
    address.replace(/\[\w+\]/g, (hole) => held[hole] ?? 'example'),
  );
}

/** Pages that need an app's request, and pages that an endpoint writes itself. */
async function furtherPages(
  context: BrowserContext,
  redirectUri: string,
): Promise<Record<string, string>> {
  const client = await newClient({ redirectUris: [redirectUri], name: 'Pottery Club' });
  const risky = await newClient({ redirectUris: [], name: 'Unknown' });
  const browser = (await context.cookies()).find(({ name }) => name === 'gh_browser')?.value ?? '';
  const params = new Map([
    ['client_id', [client.id]],
    ['response_type', ['code']],
  ]);
  const old = await sealPendingRequest(
    newPendingRequest({ params, redirectUri, browser }, new Date(0)),
  );
  const everything = { scope: 'openid profile email address phone offline_access' };
  return {
    consent: authorizeUrl(client.id, everything),
    'sign-in for an app': authorizeUrl(client.id, { prompt: 'login' }),
    'consent for an unregistered address': authorizeUrl(risky.id, {
      redirect_uri: 'https://unknown.example/',
    }),
    expired: `/oauth/continue?flow=${old}`,
    'refused request': authorizeUrl('no-such-client'),
    'refused flow': '/oauth/continue?flow=nothing',
    'refused sign-out': '/oauth/logout?post_logout_redirect_uri=https://evil.example/',
  };
}

test('the list of pages is not empty', () => {
  expect(everyRoute()).toEqual(
    expect.arrayContaining(['/', '/login', '/consent', '/account', '/docs/errors/[code]']),
  );
});

/**
 * The pages that a browser ends up at. A page that redirects to one already seen is not checked
 * twice. Of the not-found pages in each area only one is checked, because the others show the same;
 * their headers are still checked.
 */
async function* pagesOf(page: Page, addresses: string[]) {
  const seen = new Set<string>();
  for (const address of addresses) {
    const response = await page.goto(address);
    if (!response) throw new Error(`Nothing answers at ${address}.`);
    const { pathname, search, hash } = new URL(page.url());
    // Most pages send a visitor to the same sign-in page.
    const place = pathname === '/login' ? pathname : pathname + search + hash;
    if (seen.has(place)) continue;
    const looksLike = response.status() === 404 ? `none ${place.split('/')[1]}` : place;
    const isShown = !seen.has(looksLike);
    seen.add(place).add(looksLike);
    yield { address, response, isShown };
  }
}

/** Headers restrict frames, types, referrers and caches, and every script carries the nonce. */
async function expectHeaders(address: string, response: Response): Promise<void> {
  const headers = response.headers();
  const policy = headers['content-security-policy'] ?? '';
  expect.soft(policy, address).toContain("frame-ancestors 'none'");
  expect.soft(policy, address).toContain("base-uri 'none'");
  expect.soft(policy, address).not.toMatch(/unsafe|\*/);
  expect.soft(headers, address).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cache-control': expect.stringContaining('no-store'),
  });
  expect.soft(headers, address).not.toHaveProperty('x-powered-by');
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  const markup = await response.text();
  const outsiders = [...markup.matchAll(/<(?:script|style)\b[^>]*>/g)].filter(
    ([tag]) => !tag.includes(`nonce="${nonce}"`),
  );
  expect.soft(outsiders, address).toEqual([]);
  expect.soft(markup, address).not.toMatch(/<[^>]+ (style|on\w+)="/);
}

/** The page is accessible and fits each width. */
async function expectLooks(address: string, page: Page, index: number): Promise<void> {
  await expect.soft(page.locator('h1'), address).toHaveCount(1);
  await expect.soft(page, address).toHaveTitle(/ · Gatehouse$/);
  for (const look of looks) {
    const [colorScheme, width] = look;
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(overflow, `${address}, ${width} px`).toBeLessThanOrEqual(0);
    await page.emulateMedia({ colorScheme });
    expect.soft(await unseenControls(page), `${address}, ${colorScheme}: controls`).toEqual([]);
    if (!inTurn(index, looks).includes(look)) continue;
    // Colours are the same on all pages, and contrast is the slowest rule.
    const without = forChange && index % 3 !== 0 ? ['color-contrast'] : [];
    const found = await axeFindings(page, { without });
    expect.soft(found, `${address}, ${colorScheme}, ${width} px`).toEqual([]);
  }
}

/**
 * Pressing Enter in the first text field of each form presses the form's own button, and never one
 * that leads elsewhere.
 */
async function expectOwnButtons(address: string, page: Page): Promise<number> {
  const pressed = await page.evaluate(() => {
    const pressed: { form: string; pressed: string; own: string }[] = [];
    for (const form of document.forms) {
      const field = form.querySelector(
        'input:is([type=text],[type=url],[type=email],:not([type]))',
      );
      const buttons = [...form.elements].filter(
        (one) => one instanceof HTMLButtonElement && one.type === 'submit',
      );
      if (!field || buttons.length === 0) continue;
      const own = buttons.filter((one) => !one.hasAttribute('formaction'));
      const of = (one: Element | undefined) => one?.textContent ?? 'nothing';
      pressed.push({ form: of(form).slice(0, 40), pressed: of(buttons[0]), own: of(own[0]) });
    }
    return pressed;
  });
  for (const { form, pressed: button, own } of pressed)
    expect.soft(button, `${address}: Enter in ${form}`).toBe(own);
  return pressed.length;
}

test.describe.configure({ mode: 'parallel' });

/**
 * Checks headers, axe's findings, widths and forms of pages; complaints of the browser fail the
 * test too. Returns the number of forms.
 */
async function lookAt(page: Page, addresses: string[]): Promise<number> {
  let [looked, forms] = [0, 0];
  for await (const { address, response, isShown } of pagesOf(page, addresses)) {
    await expectHeaders(address, response);
    if (!isShown) continue;
    await expectLooks(address, page, looked++);
    forms += await expectOwnButtons(address, page);
  }
  return forms;
}

const everything =
  'every page has its security headers, no complaint of the browser, nothing for axe to find and no form whose Enter leads elsewhere, shows its controls, and scrolls sideways nowhere';

test(`${everything}: a visitor`, async ({ page }) => {
  test.setTimeout(300_000);
  // A server without users shows how to create the first one.
  await newUser({ isAdmin: true });
  await lookAt(page, ofVisitors());
});

// The pages are divided, so that several browsers can share the work.
const parts = 4;
for (let part = 0; part < parts; part += 1)
  test(`${everything}: an admin, part ${part + 1} of ${parts}`, async ({ page, context, site }) => {
    test.setTimeout(300_000);
    const admin = await newUser({ isAdmin: true, name: 'Ada Lovelace' });
    await signIn(page, admin.username);
    const further = await furtherPages(context, `${site.https}/callback`);
    const addresses = [...(await ofAdmins(admin)), ...Object.values(further)];
    const forms = await lookAt(
      page,
      addresses.filter((_, index) => index % parts === part),
    );
    expect(forms).toBeGreaterThan(10);
  });

test('an unknown path is a 404', async ({ page }) => {
  expect((await page.goto('/nothing/here'))?.status()).toBe(404);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('sign-in and consent weigh less than 60 kB, and wait for one style sheet only', async ({
    page,
    site,
  }) => {
    const client = await newClient({ redirectUris: [`${site.https}/callback`] });
    let sizes: Promise<number>[] = [];
    let requests: string[] = [];
    page.on('requestfinished', (request) => {
      requests.push(request.url());
      sizes.push(
        request
          .sizes()
          .then(
            ({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize,
          ),
      );
    });
    const weigh = async (act: () => Promise<unknown>) => {
      [sizes, requests] = [[], []];
      await act();
      await page.waitForLoadState('networkidle');
      const stylesheets = await page.locator('link[rel=stylesheet]').count();
      expect(stylesheets).toBe(1);
      expect(
        await page
          .locator('head script[src]:not([async]):not([defer]):not([nomodule]), head style')
          .count(),
      ).toBe(0);
      const bytes = (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0);
      expect(bytes, requests.join('\n')).toBeLessThan(60_000);
      expect(bytes).toBeGreaterThan(5000);
    };
    await weigh(() => page.goto(authorizeUrl(client.id)));
    await weigh(async () =>
      openSignedIn(page, authorizeUrl(client.id), (await newUser()).username),
    );
    await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();
  });
});

test('the start page links to sign-in, or to the account of a signed-in user', async ({ page }) => {
  await newUser({ isAdmin: true });
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/login');
  await signIn(page, (await newUser()).username);
  await page.goto('/');
  await page.getByRole('link', { name: 'Go to your account' }).click();
  await expect(page).toHaveURL('/account');
});

test('the error page of an authorization request names the reason, and links to its explanation', async ({
  page,
}) => {
  const client = await newClient({ redirectUris: [] });
  const response = await page.goto(
    authorizeUrl(client.id, { redirect_uri: 'https://app.example/cb', scope: 'no-such' }),
  );
  expect(response?.status()).toBe(400);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Something’s wrong with the app’s request',
  );
  await page.getByRole('link', { name: 'What this error means' }).click();
  await expect(page).toHaveURL(/\/docs\/errors\/invalid_scope\?request=[0-9a-f-]{36}$/);
  await page.getByRole('link', { name: 'All errors and addresses' }).click();
  await page.getByRole('link', { name: 'access_denied' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('access_denied');
  expect((await page.goto('/docs/errors/no_such_error'))?.status()).toBe(404);
});
