import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { expect, refusal } from '../support/journey.ts';
import { png } from '../support/pictures.ts';

const look = '/admin/settings/look';
const preview = (page: Page) => page.locator('#preview');
const names = (page: Page) => page.locator('[data-preview-name]').allTextContents();
const four = (name: string) => [name, name, name, name];

/** The computed accent of the preview, and the colour of each primary button in it. */
async function colours(page: Page): Promise<string[]> {
  return preview(page).evaluate((box) => [
    getComputedStyle(box).getPropertyValue('--accent'),
    ...[...box.querySelectorAll('.gh-button-primary')].map(
      (button) => getComputedStyle(button).backgroundColor,
    ),
  ]);
}

async function save(page: Page, name: string, accent: string): Promise<void> {
  await page.getByLabel('Product name').fill(name);
  await page.getByLabel('Accent color').fill(accent);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status').first()).toContainText('Every page and email uses it');
}

const green = ['#0b6354', ...Array(4).fill('rgb(11, 99, 84)')];
const purple = ['#7a1fa2', ...Array(4).fill('rgb(122, 31, 162)')];

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled, colorScheme: 'light' });

    test('the look settings preview sign-in and consent with name and colour, at two widths', async ({
      page,
      admin: _,
    }) => {
      await page.goto(look);
      for (const text of ['On a phone', 'On a computer'])
        await expect(preview(page).getByText(text)).toHaveCount(2);
      await expect(preview(page)).toContainText('to continue to Notes');
      await expect(preview(page)).toContainText('Allow Notes to access your account?');
      expect(await names(page)).toEqual(four('Gatehouse'));
      if (javaScriptEnabled) {
        expect(await colours(page)).toEqual(green);
        await page.getByLabel('Product name').fill('Acme <b>');
        await page.getByLabel('Accent color').fill('#7A1FA2');
        await expect.poll(() => names(page)).toEqual(four('Acme <b>'));
        await expect.poll(() => colours(page)).toEqual(purple);
        // Unsaved changes are visible only in the preview.
        await expect(page.getByRole('banner')).toContainText('Gatehouse');
        const root = page.locator('html');
        expect(
          await root.evaluate((html) => getComputedStyle(html).getPropertyValue('--accent')),
        ).toBe('#0b6354');
        await page.getByLabel('Accent color').fill('#7a1f');
        await expect.poll(() => colours(page)).toEqual(green);
        await page.emulateMedia({ colorScheme: 'dark' });
        await expect.poll(async () => (await colours(page))[0]).toBe('#5ccbb0');
        await page.emulateMedia({ colorScheme: 'light' });
      }
      await save(page, 'Acme', '#7a1fa2');
      await page.goto(look);
      expect(await names(page)).toEqual(four('Acme'));
      await expect.poll(() => colours(page)).toEqual(purple);
      if (javaScriptEnabled) {
        await page.getByLabel('Accent color').fill('');
        await expect.poll(() => colours(page)).toEqual(green);
        await expectAccessible(page);
      }
      await page.setViewportSize({ width: 360, height: 800 });
      await expect(page.locator('html')).toHaveJSProperty('scrollWidth', 360);
      await save(page, '', '');
      await expect.poll(() => names(page)).toEqual(four('Gatehouse'));
    });
  });
}

test('the preview of the look cannot be operated, and is no frame', async ({ page, admin }) => {
  const response = await page.goto(look);
  const policy = response?.headers()['content-security-policy'];
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('frame-src');
  await expect(page.locator('iframe, frame, object, embed')).toHaveCount(0);
  const able = 'form, input, button, select, textarea, label, script, [name], [tabindex]';
  await expect(preview(page).locator(able)).toHaveCount(0);
  await expect(preview(page).locator('a:not([inert] a)')).toHaveCount(0);
  await expect(preview(page).locator('figure > [inert][aria-hidden="true"]')).toHaveCount(4);
  // The preview shows a sample account, not that of the admin.
  await expect(preview(page)).not.toContainText(admin.username);
});

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? 'two tabs, with scripts' : 'two tabs, without scripts', () => {
    test.use({ javaScriptEnabled });

    test('the second is told that the first saved, and when, and not that it saved itself', async ({
      page,
      admin: _,
    }) => {
      const other = await page.context().newPage();
      for (const tab of [page, other]) await tab.goto(look);
      await other.getByLabel('Product name').fill('First');
      await other.getByRole('button', { name: 'Save' }).click();
      await expect(other.getByRole('status').first()).toContainText('Every page and email uses it');
      await page.getByLabel('Product name').fill('Second');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(refusal(page)).toContainText(
        /You saved a change in another tab: .*\d:\d\d.*saving again overwrites it/,
      );
      await expect(page.getByText('Every page and email uses it')).toBeHidden();
      await page.getByLabel('Product name').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('Every page and email uses it')).toBeVisible();
    });
  });

test('a sign-in page in a dark window has the dark logo, and each tab the icon', async ({
  page,
  browser,
  admin: _,
}) => {
  const pictures = { logo: png(30, 20), darkLogo: png(40, 20), icon: png(64, 64) };
  for (const [which, buffer] of Object.entries(pictures)) {
    await page.goto(look);
    const card = page.locator(`#${which}`);
    await card.locator('input[type=file]').setInputFiles({
      name: 'x.png',
      mimeType: 'image/png',
      buffer,
    });
    await card.getByRole('button', { name: 'Use this picture' }).click();
    await expect(page.getByRole('status').first()).toContainText('saved');
  }
  await expectAccessible(page);
  for (const [colorScheme, width] of [
    ['light', 30],
    ['dark', 40],
  ] as const) {
    const visitor = await browser.newPage({ colorScheme });
    for (const address of ['/login', '/oauth/authorize?client_id=none']) {
      await visitor.goto(new URL(address, page.url()).href);
      const logo = visitor.locator('.gh-mark-own');
      await expect(logo, address).toHaveJSProperty('naturalWidth', width);
      await expect(logo).toHaveCSS('height', '28px');
      const href = await visitor.locator('link[rel=icon]').getAttribute('href');
      const icon = await visitor.request.get(new URL(href ?? '', page.url()).href);
      expect(icon.headers()).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'public, max-age=31536000, immutable',
      });
    }
    await visitor.close();
  }
  for (const [which, label] of [
    ['icon', 'Remove the icon…'],
    ['logo', 'Remove the logo…'],
  ] as const) {
    await page.goto(look);
    await page.locator(`#${which}`).getByText(label).click();
    await page.locator(`#${which}`).getByRole('button', { name: 'Yes, remove it' }).click();
    await expect(page.getByRole('status').first()).toContainText('removed');
  }
  await expect(page.locator('#darkLogo')).toHaveCount(0);
});

test('one admin changes the name while another says something in their own words: both are kept', async ({
  page,
  admin: _,
}) => {
  const other = await page.context().newPage();
  await page.goto(look);
  await other.goto(`${look}/words/sign-in`);
  await other.getByLabel('Lead').fill('Hello from another tab');
  await other.getByRole('button', { name: 'Save' }).click();
  await expect(other.getByRole('status').first()).toContainText('People see it from now on');
  await save(page, 'Acme', '');
  await page.goto(look);
  expect(await names(page)).toEqual(four('Acme'));
  await other.goto(`${look}/words/sign-in`);
  await expect(other.getByLabel('Lead')).toHaveValue('Hello from another tab');
  await other.getByText('Back to our words…').click();
  await other.getByRole('button', { name: 'Yes, use ours' }).click();
  await page.goto(look);
  await save(page, '', '');
});
