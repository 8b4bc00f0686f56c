import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';
import { newUser, password } from '../support/seed.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an admin makes terms of use, people put them off, decline and agree, and the admin sees it', async ({
      page,
      browser,
      admin,
    }) => {
      const name = `terms-${admin.username}`;
      await page.goto('/admin/people');
      await page.getByRole('link', { name: 'Terms of use' }).click();
      await page.getByRole('link', { name: 'Make a version' }).first().click();
      await page.getByLabel('Name', { exact: true }).fill('two words');
      await page.getByLabel('Text', { exact: true }).fill(`Be **kind**.\n\n${'W'.repeat(300)}`);
      if (javaScriptEnabled) await expect(page.locator('#preview strong')).toHaveText('kind');
      await page.getByRole('button', { name: 'Make it' }).click();
      await expect(page.getByText('Use 1 to 40 letters')).toBeVisible();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByRole('button', { name: 'Make it' }).click();
      await expect(page).toHaveURL(`/admin/terms/${name}`);
      if (javaScriptEnabled) await expectAccessible(page);

      const user = await newUser();
      const visitor = await browser.newPage({ viewport: { width: 320, height: 800 } });
      const signIn = async () => {
        await visitor.goto(new URL('/login', page.url()).href);
        await visitor.getByLabel('Username or email').fill(user.username);
        await visitor.getByLabel('Password', { exact: true }).fill(password);
        await visitor.getByRole('button', { name: 'Sign in', exact: true }).click();
      };
      await signIn();
      await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Terms of use');
      await expect(visitor.locator('html')).toHaveJSProperty('scrollWidth', 320);
      if (javaScriptEnabled) await expectAccessible(visitor);
      await visitor.getByRole('button', { name: 'I don’t agree' }).click();
      await expect(visitor.getByText('Nothing was deleted')).toBeVisible();
      await signIn();
      await visitor.getByRole('button', { name: 'Later' }).click();
      await expect(visitor).toHaveURL(/\/account$/);
      await visitor.context().clearCookies();
      await page.reload();
      await expect(page.getByText('Put off').locator('..')).toContainText('1');
      await page.getByText('Stop asking…').click();
      await page.getByRole('button', { name: 'Yes, stop asking' }).click();
      await expect(page.getByRole('status').first()).toContainText('any more');
      await signIn();
      await expect(visitor).toHaveURL(/\/account$/);
      await visitor.close();
    });
  });
}
