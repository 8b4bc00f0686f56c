import type { Page } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import {
  answerAt,
  authorizeUrl,
  decide,
  expect,
  signIn,
  signInAt,
  test,
} from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

/** Signs in another person in the same browser, from the list of accounts. */
async function addAccount(page: Page, username: string): Promise<void> {
  await page.goto('/account');
  await page.getByRole('link', { name: 'Accounts' }).click();
  await page.getByRole('link', { name: 'Use another account' }).click();
  await signInAt(page, username);
  await expect(page).toHaveURL(/\/account$/);
}

for (const scripts of [true, false])
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });

    test('a user signs in to a second account, switches back, and signs out of both', async ({
      page,
    }) => {
      const first = await newUser({ name: 'Ada Lovelace' });
      const second = await newUser({ name: 'Grace Hopper' });
      await signIn(page, first.username);
      await addAccount(page, second.username);
      await expect(page.getByText(second.email)).toBeVisible();
      await page.getByRole('link', { name: 'Accounts' }).click();
      await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible();
      if (scripts) expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: first.email }).click();
      await expect(page.getByText(first.email)).toBeVisible();
      await page.getByRole('link', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await expect(page.getByText('Other accounts are still signed in')).toBeVisible();
      await page.getByRole('link', { name: 'Choose an account' }).click();
      await page.getByRole('button', { name: 'Sign out of all accounts' }).click();
      await page.goto('/account');
      await expect(page).toHaveURL(/\/login/);
    });

    test('a user chooses the account for an app by keyboard', async ({ page, site }) => {
      const first = await newUser();
      const second = await newUser();
      const client = await newClient({ redirectUris: [`${site.https}/callback`] });
      await signIn(page, first.username);
      await addAccount(page, second.username);
      await page.goto(authorizeUrl(client.id, { prompt: 'select_account' }));
      await page.getByRole('button', { name: first.email }).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByText(first.email).first()).toBeVisible();
      await decide(page, 'Allow');
      expect(await answerAt(page, site.https)).toHaveProperty('code');
    });
  });

for (const locale of ['en', 'de'])
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test('on every phone, the head of the account is one row, then the navigation', async ({
      page,
    }) => {
      await signIn(page, (await newUser()).username);
      for (const width of [320, 360, 390, 393]) {
        await page.setViewportSize({ width, height: 740 });
        await page.goto('/account');
        const parts = ['.gh-brand', '[href="/switch"]', '[href="/logout"]'];
        const middles = await Promise.all(
          parts.map(async (part) => {
            const box = await page.locator(`header ${part}`).boundingBox();
            return box ? Math.round(box.y + box.height / 2) : 0;
          }),
        );
        const least = Math.min(...middles);
        expect(Math.max(...middles) - least, `${width} px`).toBeLessThanOrEqual(2);
        expect((await page.locator('header').boundingBox())?.height).toBeLessThan(112);
      }
    });
  });
