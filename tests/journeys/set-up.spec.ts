import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { expectAccessible } from '../support/dashboard.ts';
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
        for (const path of ['/login', '/admin']) {
          await page.goto(`${server.origin}${path}`);
          await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not set up yet');
          await expect(page.getByRole('main')).toContainText('setup-link');
          await expect(page.getByRole('textbox')).toHaveCount(0);
        }
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
        await expect(page).toHaveURL(`${server.origin}/admin`);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home');
        const steps = page.getByRole('region', { name: 'Get started' });
        await expect(steps).toContainText('0 of 5 done');
        await expect(steps).toContainText(`${server.origin} is reachable from this computer only`);
        await expect(steps).toContainText('Email is off.');
        await expect(steps).toContainText('sqlite3');
        await expect(page.getByText('Needs attention')).toHaveCount(0);
        if (javaScriptEnabled) await expectAccessible(page);
        await steps.getByRole('link', { name: 'Add an app' }).click();
        await expect(page).toHaveURL(`${server.origin}/admin/new-client`);

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
