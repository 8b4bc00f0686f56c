import type { Page } from '@playwright/test';
import { attributesOf, offeredLocales } from '#lib/messages/locales.ts';
import { inTurn } from '../lanes.ts';
import { asking, newApp } from '../support/every-page.ts';
import { expect, test } from '../support/mail-journey.ts';
import { newUser, password } from '../support/seed.ts';

const scope = 'openid profile email address phone groups offline_access';

/** What people see before they sign in, and after. */
const outside = [
  '/',
  '/login',
  '/recover',
  '/register',
  '/device',
  '/setup',
  '/no/such/page',
  '/recover/reset?token=none',
  '/register/finish?token=none',
  '/oauth/authorize?client_id=none',
];
const inside = [
  '/account',
  '/account/apps',
  '/account/sign-in',
  '/account/security',
  '/account/sessions',
  '/account/app-passwords',
  '/account/security/totp',
  '/account/profile',
  '/account/mail',
  '/account/delete',
  '/logout',
];

const attributesNow = (page: Page) =>
  page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);

/**
 * What is wider than the screen, or than its own place. The link that skips to the content is a dot
 * until the keyboard is on it.
 */
const tooWide = (page: Page) =>
  page.evaluate(() => [
    ...(document.documentElement.scrollWidth > innerWidth ? ['the page'] : []),
    ...[...document.querySelectorAll('button, h1, h2, label, .gh-button')]
      .filter((place) => place.checkVisibility() && place.clientWidth > 1)
      .filter((place) => place.scrollWidth > place.clientWidth + 1)
      .filter((place) => getComputedStyle(place).display !== 'inline')
      .map((place) => place.textContent?.trim().slice(0, 60)),
  ]);

test('in each language, nothing is wider than its place on a narrow screen', async ({
  page,
  browser,
  baseURL,
  site,
}) => {
  test.setTimeout(600_000);
  const viewport = { width: 320, height: 800 };
  const readers = new Map<string, Page>();
  const readerOf = async (tag: string) => {
    const known = readers.get(tag);
    if (known) return known;
    const reader = await browser.newPage({ locale: tag, baseURL, viewport });
    readers.set(tag, reader);
    return reader;
  };
  let at = 0;
  const look = async (address: string) => {
    for (const tag of inTurn(at++, offeredLocales)) {
      const reader = await readerOf(tag);
      await reader.context().addCookies(await page.context().cookies());
      await reader.goto(address);
      const { lang, dir } = attributesOf(tag);
      expect.soft(await attributesNow(reader), `${tag} ${address}`).toEqual([lang, dir]);
      expect.soft(await tooWide(reader), `${tag} ${address}`).toEqual([]);
    }
  };
  for (const address of outside) await look(address);
  const app = await newApp(`${site.https}/callback`);
  const person = await newUser({ claims: { nickname: 'Ada' } });
  await page.goto(asking(app.id, { scope }));
  await page.locator('[name=username]').fill(person.username);
  await page.locator('[name=password]').fill(password);
  await page.locator('form[action="/login/submit"] button[type=submit]').click();
  await expect(page.locator('button[value=allow]')).toBeVisible();
  await look(asking(app.id, { scope, prompt: 'consent' }));
  for (const address of inside) await look(address);
  for (const reader of readers.values()) await reader.close();
});
