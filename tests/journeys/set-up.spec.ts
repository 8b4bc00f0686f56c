import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { axeFindings, expectAccessible } from '../support/axe.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { expect, test } from '../support/journey.ts';
import { startServer } from '../support/server.ts';

/** Gives the browser an authenticator that answers by itself and verifies its user. */
async function plugIn(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable', { enableUI: false });
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('the set-up link of the terminal creates the first admin, once, and three steps follow', async ({
      page,
    }) => {
      // Axe checks six pages in two themes.
      test.slow();
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
        if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
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
        if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);

        await page.getByLabel('Email address').fill('ada@example.org');
        await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
        await page.getByRole('button', { name: 'Create account' }).click();
        await expect(page).toHaveURL(`${server.origin}/admin/set-up/you`);
        await expect(page.getByRole('main')).toContainText('signed in as ada');
        if (javaScriptEnabled) {
          await expectAccessible(page);
          await plugIn(page);
          await page.getByRole('button', { name: 'Add a passkey' }).click();
          await page.getByRole('button', { name: 'I’ve saved these' }).click();
          await expect(page).toHaveURL(`${server.origin}/admin/set-up/you`);
          await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0);
          await page.getByRole('link', { name: 'Continue' }).click();
        } else {
          await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0);
          await page.getByRole('link', { name: 'Skip for now' }).click();
        }

        await expect(page).toHaveURL(`${server.origin}/admin/set-up/server`);
        await expect(page.locator('#address')).toContainText(
          `${server.origin} is reachable from this computer only`,
        );
        if (javaScriptEnabled)
          await expect(page.locator('#address')).toContainText('Checked from your browser');
        await expect(page.locator('#mail')).toContainText('MAIL_URL=smtp://');
        if (javaScriptEnabled) await expectAccessible(page);
        await page.getByLabel('Product name').fill('Ada’s gate');
        await page.getByLabel('Accent color').fill('green');
        await page.getByLabel('Strict', { exact: true }).check();
        await page.getByRole('button', { name: 'Save and continue' }).click();
        await expect(page.getByLabel('Accent color')).toHaveAccessibleDescription(
          /Enter a color in hex/,
        );
        await expect(page.getByLabel('Product name')).toHaveValue('Ada’s gate');
        await expect(page.getByLabel('Strict', { exact: true })).toBeChecked();
        await page.getByLabel('Accent color').fill('#7a1f5c');
        await page.getByRole('button', { name: 'Save and continue' }).click();

        await expect(page).toHaveURL(`${server.origin}/admin/set-up/app`);
        await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
        await expect(page.getByRole('banner')).toContainText('Ada’s gate');
        if (javaScriptEnabled) await expectAccessible(page);
        await page.setViewportSize({ width: 360, height: 800 });
        for (const step of ['You', 'This server', 'Connect an app']) {
          await page.getByRole('link', { name: new RegExp(`^\\d ${step}$`) }).click();
          const root = page.locator('html');
          await expect(root).toHaveJSProperty('scrollWidth', 360);
        }
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.goto(`${server.origin}/admin/settings/security`);
        await expect(page.getByLabel('Strict', { exact: true })).toBeChecked();

        await page.goto(`${server.origin}/admin/set-up/app`);
        await page.getByRole('link', { name: 'Finish without an app' }).click();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home');
        const steps = page.getByRole('region', { name: 'Get started' });
        await expect(steps).toContainText(javaScriptEnabled ? '1 of 5 done' : '0 of 5 done');
        await expect(steps).toContainText('Email is off.');
        await expect(steps).toContainText('npm run cli -- backup');
        await expect(page.getByText('Needs attention')).toHaveCount(0);
        if (javaScriptEnabled) await expectAccessible(page);
        await steps.getByRole('link', { name: 'Step by step' }).click();
        await expect(page).toHaveURL(`${server.origin}/admin/set-up/you`);
        await page.getByRole('link', { name: 'Home', exact: true }).click();
        await steps.getByRole('link', { name: 'Add an app' }).click();
        await expect(page).toHaveURL(`${server.origin}/admin/clients/new`);

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
