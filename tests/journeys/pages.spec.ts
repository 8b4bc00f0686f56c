import { readFileSync } from 'node:fs';
import type { APIResponse, BrowserContext, Page, Response } from '@playwright/test';
import { newPendingRequest, sealPendingRequest } from '#lib/interaction/pending-request.ts';
import { forChange, looksOf } from '../lanes.ts';
import { axeFindings } from '../support/axe.ts';
import { authorizeUrl, expect, openSignedIn, signIn, test } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

const looks = [
  ['light', 1440],
  ['dark', 320],
] as const;

/** Values for the parts of an address that vary. */
const examples: Record<string, string> = { '[code]': 'invalid_request', '[...page]': 'mcp' };

/** The address of every page that the build holds; what no page has is a 404 and one more. */
function everyPage(): string[] {
  const routes = Object.entries(
    JSON.parse(readFileSync('.next/app-path-routes-manifest.json', 'utf8')) as Record<
      string,
      string
    >,
  );
  const pages = routes
    .filter(([file, route]) => file.endsWith('/page') && !route.startsWith('/_'))
    .map(([, route]) => route);
  return [
    ...pages.map((route) => route.replace(/\[+[^/]+\]+/g, (part) => examples[part] ?? 'example')),
    '/nothing/here',
  ];
}

/** Pages that need a request of an app, and those an endpoint writes itself. */
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

async function signInAsAdmin(page: Page): Promise<void> {
  await signIn(page, (await newUser({ isAdmin: true, name: 'Ada Lovelace' })).username);
}

test('the list of pages is not empty', () => {
  expect(everyPage()).toEqual(
    expect.arrayContaining(['/', '/login', '/consent', '/account', '/docs/errors/invalid_request']),
  );
});

/** What the server answers who asks for the address, and where: a visitor is sent to the one sign-in page from most. */
async function answerAt(context: BrowserContext, address: string) {
  const answer = await context.request.get(address);
  const { pathname, search } = new URL(answer.url());
  return { answer, place: pathname === '/login' ? pathname : pathname + search };
}

/**
 * The pages that somebody comes to see. One that sends them on to another is not looked at twice, and of those that
 * stand for what is not there one is: the others answer the same, with headers of their own.
 */
async function* pagesOf(page: Page, context: BrowserContext, addresses: string[]) {
  const seen = new Set<string>();
  for (const address of addresses) {
    const { answer, place } = await answerAt(context, address);
    if (seen.has(place)) continue;
    const looksLike = answer.status() === 404 ? `none ${place.split('/')[1]}` : place;
    const isNew = !seen.has(looksLike);
    seen.add(place).add(looksLike);
    const response = isNew ? await page.goto(address) : answer;
    if (response) yield { address, response, isShown: isNew };
  }
}

/** Frames, types, referrers and caches are shut by headers, and every script carries the nonce. */
async function expectHeaders(address: string, response: Response | APIResponse): Promise<void> {
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

/** Each look is right for eyes that see little, and fits its width. */
async function expectLooks(address: string, page: Page, index: number): Promise<void> {
  await expect.soft(page.locator('h1'), address).toHaveCount(1);
  await expect.soft(page, address).toHaveTitle(/ · Gatehouse$/);
  for (const [colorScheme, width] of looksOf(index, looks)) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    // Colours are the same on all pages, and contrast is the dearest rule.
    const without = forChange && index % 3 !== 0 ? ['color-contrast'] : [];
    const found = await axeFindings(page, { without });
    expect.soft(found, `${address}, ${colorScheme}, ${width} px`).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(overflow, `${address}, ${width} px`).toBeLessThanOrEqual(0);
  }
}

test.describe.configure({ mode: 'parallel' });

// The pages are dealt out, so that browsers share them; visitors see few.
for (const [who, parts] of [
  ['a visitor', 1],
  ['an admin', 4],
] as const)
  for (let part = 0; part < parts; part += 1)
    test(`every page has its security headers, no complaint of the browser and nothing for axe to find, and scrolls sideways nowhere: ${who}, part ${part + 1} of ${parts}`, async ({
      page,
      context,
      site,
    }) => {
      test.setTimeout(300_000);
      if (who === 'an admin') await signInAsAdmin(page);
      const further =
        who === 'an admin' ? await furtherPages(context, `${site.https}/callback`) : {};
      // The documentation is the same for everybody.
      const pages = everyPage().filter((at) => who === 'a visitor' || !at.startsWith('/docs'));
      const addresses = [...pages, ...Object.values(further)];
      const dealt = addresses.filter((_, index) => index % parts === part);
      let seen = 0;
      for await (const { address, response, isShown } of pagesOf(page, context, dealt)) {
        await expectHeaders(address, response);
        if (isShown) await expectLooks(address, page, seen++);
      }
    });

test('an address that nothing stands at is a 404', async ({ page }) => {
  expect((await page.goto('/nothing/here'))?.status()).toBe(404);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('sign-in and consent weigh less than 60 kB and wait for one style sheet only', async ({
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

test('the start page leads to signing in, and knows who is signed in', async ({ page }) => {
  await newUser({ isAdmin: true });
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/login');
  await signIn(page, (await newUser()).username);
  await page.goto('/');
  await page.getByRole('link', { name: 'Go to your account' }).click();
  await expect(page).toHaveURL('/account');
});

test('an error of a request names its reason, and leads to a page that explains it', async ({
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
