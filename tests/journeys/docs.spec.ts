import { addContact } from '#lib/management/client/contacts.ts';
import { everyPart, expectReadable } from '../support/docs-pages.ts';
import { expect, signIn, test } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

/** Pages that together contain every kind of part. All pages are checked in docs-pages.spec.ts. */
const looked = [...everyPart, 'api/client', 'recipes/nextjs'];

test('the main pages of the documentation pass axe, and none scrolls sideways', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await expectReadable(page, looked);
});

test('documentation: a code sample is copied with a button, without its prompt marks', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/docs/mcp');
  await page.getByRole('button', { name: 'Copy npm run cli -- client create' }).first().click();
  await expect(page.getByText('✓ Copied')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(
    "npm run cli -- client create --name 'Notes server' --grant client_credentials",
  );
});

test('documentation: the language of samples is chosen by keyboard, for all of them, and remembered', async ({
  page,
}) => {
  await page.goto('/docs/guides/sign-out');
  const [first, second] = [page.locator('.doc-tabs').first(), page.locator('.doc-tabs').nth(1)];
  await first.getByRole('radio', { name: 'curl' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(first.getByRole('radio', { name: 'Python' })).toBeChecked();
  await expect(first.getByText('from urllib.parse import urlencode')).toBeVisible();
  await expect(first.getByText('client.discovery')).toBeHidden();
  await expect(second.getByText('@app.post("/")')).toBeVisible();
  await page.goto('/docs/guides/refresh');
  await expect(page.getByText('session.refresh_token(')).toBeVisible();
});

test('documentation: a developer sees the samples with the values of their app', async ({
  page,
}) => {
  const user = await newUser();
  const client = await newClient({ name: 'Pelican Post' });
  await addContact(client.id, user.id, { id: 'cli' }, new Date());
  await signIn(page, user.username);
  await page.goto('/docs/guides/refresh');
  await page.getByLabel('Your app in the samples').selectOption('Pelican Post');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByText('The samples have the values of Pelican Post.')).toBeVisible();
  await expect(page.locator('.doc-tab').first()).toContainText(`-u "${client.id}:$CLIENT_SECRET"`);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('documentation: a reader chooses a language, and finds the recipe of a framework', async ({
    page,
  }) => {
    await page.goto('/docs/guides/refresh');
    await page.locator('.doc-tabs').getByText('Go', { exact: true }).click();
    await expect(page.getByText('package main')).toBeVisible();
    await page.goto('/docs?q=next.js');
    await page.getByRole('link', { name: 'Next.js with Auth.js' }).first().click();
    await expect(page).toHaveURL('/docs/recipes/nextjs');
    await expect(page.getByRole('heading', { name: 'Common pitfall' })).toBeVisible();
  });

  test('documentation: a reader searches, opens a result, and reads on', async ({ page }) => {
    await page.goto('/docs');
    await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('pkce');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL('/docs?q=pkce');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search for “pkce”');
    await expect(page).toHaveTitle('Search for “pkce” · Gatehouse');
    const found = page.getByRole('listitem').filter({ hasText: 'Settings' });
    await found.getByRole('link', { name: 'REQUIRE_PKCE' }).click();
    await expect(page).toHaveURL('/docs/settings#REQUIRE_PKCE');
    await expect(page.getByRole('row', { name: 'REQUIRE_PKCE' })).toBeInViewport();
    await page.getByRole('link', { name: 'Command line', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Command line');
    await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(0);
  });

  test('documentation: an unknown page links to the documentation', async ({ page }) => {
    expect((await page.goto('/docs/nothing'))?.status()).toBe(404);
    await page.getByRole('link', { name: 'Open the documentation' }).click();
    await expect(page).toHaveURL('/docs');
  });
});
