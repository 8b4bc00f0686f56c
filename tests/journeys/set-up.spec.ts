import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { createDatabase, newLogFile } from '../support/database.ts';
import { expect, test } from '../support/journey.ts';
import { startServer } from '../support/server.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('the link in the terminal makes the first admin, once', async ({ page }) => {
      const logFile = newLogFile('set-up');
      const server = await startServer({
        mount: 'direct',
        databaseUrl: await createDatabase('sqlite'),
        logFile,
      });
      try {
        await page.goto(server.origin);
        await expect(page.getByRole('main')).toContainText('Not set up yet');
        const printed = () => /http:\S+\/setup\?token=\S+/.exec(readFileSync(logFile, 'utf8'))?.[0];
        await expect.poll(printed).toBeTruthy();
        const link = printed() ?? '';
        await page.goto(`${link}x`);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(
          'This link no longer works',
        );

        await page.goto(link);
        if (javaScriptEnabled)
          expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
        await page.getByLabel('Username').fill('ada');
        await page.getByLabel('Email address').fill('not an address');
        await page.getByLabel('Your name').fill('Ada Lovelace');
        await page.getByLabel('Password', { exact: true }).fill('short');
        await page.getByRole('button', { name: 'Create account' }).click();
        await expect(page.getByLabel('Email address')).toHaveAccessibleDescription(
          /^Enter an email address/,
        );
        await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
          /^Use at least 8 characters\./,
        );
        await expect(page.getByLabel('Username')).toHaveValue('ada');
        if (javaScriptEnabled)
          expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

        await page.getByLabel('Email address').fill('ada@example.org');
        await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
        await page.getByRole('button', { name: 'Create account' }).click();
        await expect(page).toHaveURL(`${server.origin}/account`);
        await expect(page.getByRole('heading', { level: 1 })).toContainText('Hello, Ada Lovelace');

        await page.goto(link);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(
          'This link no longer works',
        );
        await page.goBack();
        await page.goto(server.origin);
        await expect(page.getByRole('link', { name: 'Go to your account' })).toBeVisible();
      } finally {
        await server.stop();
      }
    });
  });
}
