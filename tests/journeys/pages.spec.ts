import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContext, Page } from '@playwright/test';
import { newPendingRequest, sealPendingRequest } from '#lib/interaction/pending-request.ts';
import { authorizeUrl, expect, openSignedIn, signIn, test } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

const looks = [
  ['light', 1440],
  ['dark', 320],
] as const;

/** Values for the parts of an address that vary. */
const examples: Record<string, string> = { '[code]': 'invalid_request' };

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
    newPendingRequest(params, redirectUri, browser, new Date(0)),
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

/** The pages that somebody comes to see; one that sends them on to another is not looked at twice. */
async function* pagesOf(
  who: string,
  page: Page,
  context: BrowserContext,
  redirectUri: string,
  part = 0,
  parts = 1,
) {
  if (who === 'an admin') await signInAsAdmin(page);
  const further = who === 'an admin' ? await furtherPages(context, redirectUri) : {};
  const seen = new Set<string>();
  const addresses = [...everyPage(), ...Object.values(further)];
  for (const address of addresses.filter((_, index) => index % parts === part)) {
    const response = await page.goto(address, { waitUntil: 'networkidle' });
    const shown = page.url();
    if (response && !seen.has(shown)) yield { address, response };
    seen.add(shown);
  }
}

test.describe.configure({ mode: 'parallel' });

for (const who of ['a visitor', 'an admin']) {
  test(`no page makes the browser complain, and each has its security headers: ${who}`, async ({
    page,
    context,
    site,
  }) => {
    test.setTimeout(180_000);
    for await (const { address, response } of pagesOf(
      who,
      page,
      context,
      `${site.https}/callback`,
    )) {
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
      const strangers = [...markup.matchAll(/<(?:script|style)\b[^>]*>/g)].filter(
        ([tag]) => !tag.includes(`nonce="${nonce}"`),
      );
      expect.soft(strangers, address).toEqual([]);
      expect.soft(markup, address).not.toMatch(/<[^>]+ (style|on\w+)="/);
      await expect.soft(page.locator('h1'), address).toHaveCount(1);
      await expect.soft(page, address).toHaveTitle(/ · Gatehouse$/);
    }
    const missing = await page.goto('/nothing/here');
    expect(missing?.status()).toBe(404);
  });

  for (const part of [0, 1, 2])
    test(`axe finds nothing, and nothing scrolls sideways: ${who}, part ${part + 1} of 3`, async ({
      page,
      context,
      site,
    }) => {
      test.setTimeout(300_000);
      for await (const { address } of pagesOf(
        who,
        page,
        context,
        `${site.https}/callback`,
        part,
        3,
      )) {
        for (const [colorScheme, width] of looks) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 800 });
          const { violations } = await new AxeBuilder({ page }).analyze();
          const found = violations.flatMap(({ id, nodes }) =>
            nodes.map((node) => `${id} at ${node.html}`),
          );
          expect.soft(found, `${address}, ${colorScheme}, ${width} px`).toEqual([]);
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - innerWidth,
          );
          expect.soft(overflow, `${address}, ${width} px`).toBeLessThanOrEqual(0);
        }
      }
    });
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('sign-in and consent weigh less than 60 kB and wait for one style sheet only', async ({
    page,
    site,
  }) => {
    const client = await newClient({ redirectUris: [`${site.https}/callback`] });
    let bytes = 0;
    let requests: string[] = [];
    page.on('requestfinished', async (request) => {
      requests.push(request.url());
      const { responseBodySize, responseHeadersSize } = await request.sizes();
      bytes += responseBodySize + responseHeadersSize;
    });
    const weigh = async (act: () => Promise<unknown>) => {
      [bytes, requests] = [0, []];
      await act();
      await page.waitForLoadState('networkidle');
      const stylesheets = await page.locator('link[rel=stylesheet]').count();
      expect(stylesheets).toBe(1);
      expect(
        await page
          .locator('head script[src]:not([async]):not([defer]):not([nomodule]), head style')
          .count(),
      ).toBe(0);
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
  await expect(page).toHaveURL('/docs/errors/invalid_scope');
  await page.getByRole('link', { name: 'All errors and addresses' }).click();
  await page.getByRole('link', { name: 'access_denied' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('access_denied');
  expect((await page.goto('/docs/errors/no_such_error'))?.status()).toBe(404);
});
