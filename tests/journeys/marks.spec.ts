import type { Page } from '@playwright/test';
import { accentFor } from '#lib/colours.ts';
import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { authorizeUrl, expect } from '../support/journey.ts';
import { newClient } from '../support/seed.ts';

const recipe = 'grafana?address=https%3A%2F%2Fgrafana.example.org';
const mark = (page: Page) =>
  page.locator('img:is([src="/marks/grafana"], [src="/marks/all#grafana"])');

/** Expects that the mark is there and that the browser could draw it. */
async function expectMark(page: Page): Promise<void> {
  const image = mark(page).first();
  await image.scrollIntoViewIfNeeded();
  await expect(image).toBeVisible();
  await expect
    .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBeGreaterThan(0);
}

test('the mark of an app’s software is shown in the choice of apps, lists, search, its page, sign-in and consent', async ({
  page,
  admin,
}) => {
  const name = `Charts of ${admin.username}`;
  const client = await newClient({ name, recipe, homePage: 'https://grafana.example.org' });
  for (const path of [
    '/admin/clients/new',
    `/admin/clients?q=${client.id}`,
    `/admin/clients/${client.id}`,
    `/admin/search?q=${client.id}`,
    '/account',
    authorizeUrl(client.id),
  ]) {
    await page.goto(path);
    await expectMark(page);
  }
  await expectAccessible(page);
  await page.context().clearCookies();
  await page.goto(authorizeUrl(client.id));
  await expectMark(page);
});

test('the palette shows the mark of an app, or its initial without one', async ({
  page,
  admin,
}) => {
  const word = admin.username.replaceAll(/\W|_/g, '');
  const [marked, plain] = [`Zebra ${word}`, `Yak ${word}`];
  await newClient({ name: marked, recipe });
  await newClient({ name: plain });
  await page.goto('/admin/people');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(word);
  const option = (name: string) => page.getByRole('option', { name: new RegExp(name) });
  await expect(option(marked).locator('img')).toHaveAttribute('src', '/marks/grafana');
  await expect(option(plain).locator('.gh-monogram')).toHaveText('Y');
});

test('a mark is served as a picture for same-origin pages only, and 404 for unknown software', async ({
  server,
}) => {
  const answer = await fetch(`${server.origin}/marks/grafana`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('image/svg+xml');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  for (const none of ['harbor', 'toString', '__proto__'])
    expect((await fetch(`${server.origin}/marks/${none}`)).status).toBe(404);
});

test('sign-in and consent have the accent colour of the app, corrected for contrast', async ({
  page,
  admin,
}) => {
  const client = await newClient({ name: `Shop of ${admin.username}`, accent: '#ffdd00' });
  const colourOf = (part: string, property: 'color' | 'backgroundColor') =>
    page
      .locator(part)
      .first()
      .evaluate((element, wanted) => getComputedStyle(element)[wanted], property);
  await page.goto(authorizeUrl(client.id));
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();
  const { accent } = accentFor('light', '#ffdd00');
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(accent.slice(at, at + 2), 16));
  const shown = `rgb(${r}, ${g}, ${b})`;
  expect(await colourOf('button[value=allow]', 'backgroundColor')).toBe(shown);
  // The mark of this server beside the app's keeps its own colour.
  expect(await colourOf('main .text-house', 'color')).not.toBe(shown);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await page.context().clearCookies();
  await page.goto(authorizeUrl(client.id));
  await expect(page.locator('main.gh-of-app')).toBeVisible();
});
