import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';

const words = '/admin/settings/look/words';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an admin says something on the sign-in page in their own words, sees it before and after, and goes back to ours', async ({
      page,
      browser,
      admin: _,
    }) => {
      await page.goto('/admin/settings/look');
      await page.getByRole('link', { name: 'Open' }).click();
      await page.getByRole('link', { name: 'Sign-in', exact: true }).click();
      await page.getByLabel('Title').fill('Hello');
      await page
        .getByLabel('Lead')
        .fill('Use your *school* account, {product}.\n**[Rules](https://example.org/)**');
      await page.getByLabel('Help line').fill('x {password}');
      const preview = page.locator('#preview');
      if (javaScriptEnabled) {
        await expect(preview.locator('.gh-own').first()).toHaveText(
          'Use your school account, Gatehouse.Rules',
        );
        // What could not be saved is not shown.
        await expect(preview).not.toContainText('password}');
      }
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('Braces are only for what is filled in')).toBeVisible();
      await page.getByLabel('Help line').fill(`${'W'.repeat(250)} <b>`);
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('status').first()).toContainText('People see it from now on');
      await expect(preview).toContainText('Use your school account, Gatehouse.');
      if (javaScriptEnabled) await expectAccessible(page);

      const visitor = await browser.newPage({ viewport: { width: 320, height: 800 } });
      await visitor.goto(new URL('/login', page.url()).href);
      await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Hello');
      await expect(visitor.getByRole('link', { name: 'Rules' })).toHaveAttribute(
        'href',
        'https://example.org/',
      );
      await expect(visitor.locator('.gh-own').last()).toContainText('<b>');
      await expect(visitor.locator('html')).toHaveJSProperty('scrollWidth', 320);
      if (javaScriptEnabled) await expectAccessible(visitor);
      await visitor.close();

      await page.getByText('Back to our words…').click();
      await page.getByRole('button', { name: 'Yes, use ours' }).click();
      await expect(page.getByRole('status').first()).toContainText('Our words are back');
      await expect(page.getByLabel('Title')).toHaveValue('');
    });
  });
}

test('an admin sees a mail in another language with their own words, on a narrow screen too', async ({
  page,
  admin: _,
}) => {
  await page.goto(`${words}/mail-invitation`);
  await page.getByLabel('Language of the readers').selectOption('de');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByLabel('Paragraph').fill('Kommen Sie herein.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Without {host} readers would not know')).toBeVisible();
  await page.getByLabel('Subject').fill('Willkommen bei {product}');
  await page.getByLabel('Paragraph').fill('Kommen Sie herein: **{host}**');
  await expect(page.locator('#preview')).toContainText('Willkommen bei Gatehouse');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('#preview')).toContainText('Kommen Sie herein: localhost');
  await page.setViewportSize({ width: 320, height: 800 });
  await expect(page.locator('html')).toHaveJSProperty('scrollWidth', 320);
  await page.getByText('Back to our words…').click();
  await page.getByRole('button', { name: 'Yes, use ours' }).click();
  await expect(page.getByRole('status').first()).toContainText('Our words are back');
});
