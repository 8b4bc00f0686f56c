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
  await page.getByRole('link', { name: 'Switch account' }).click();
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
      const [first, second] = [
        await newUser({ name: 'Ada Lovelace' }),
        await newUser({ name: 'Grace Hopper' }),
      ];
      await signIn(page, first.username);
      await addAccount(page, second.username);
      await expect(page.getByText(second.email)).toBeVisible();
      await page.getByRole('link', { name: 'Switch account' }).click();
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
      const [first, second] = [await newUser(), await newUser()];
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
