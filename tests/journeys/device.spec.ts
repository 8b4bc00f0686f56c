import type { Page } from '@playwright/test';
import { createScope } from '#lib/management/scope/scopes.ts';
import { expectAccessible } from '../support/axe.ts';
import { askTokens, newDeviceClient, startDevice } from '../support/devices.ts';
import { decide, expect, signInAt, test, userOf } from '../support/journey.ts';
import type { TestServer } from '../support/open-server.ts';
import { newUser } from '../support/seed.ts';
import type { Server } from '../support/server.ts';

const serverOf = (server: Server) => ({ base: server.origin, issuer: server.origin }) as TestServer;
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

async function typeAt(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code from the device').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a user types the code of a device, and the device gets its tokens', async ({
      page,
      server,
    }) => {
      const user = await newUser({ name: 'Ada Lovelace' });
      const client = await newDeviceClient({ name: 'Living-room TV' });
      const started = await startDevice(serverOf(server), client, { scope: 'profile' });
      await page.goto(started.verification_uri);
      await signInAt(page, user.username);
      await expect(heading(page)).toHaveText('Connect a device');
      await typeAt(page, 'BCDF-BCDF');
      await expect(page.getByText('No device is waiting with this code.')).toBeVisible();
      await expect(page.getByLabel('Code from the device')).toHaveValue('BCDF-BCDF');
      await typeAt(page, started.user_code.toLowerCase().replace('-', ' '));
      await expect(heading(page)).toHaveText(
        'Use Living-room TV on another device with your account?',
      );
      const main = page.getByRole('main');
      await expect(main).toContainText(started.user_code);
      await expect(main).toContainText('If someone sent you this code or link, choose Deny');
      await expect(main).toContainText('See your profile');
      await decide(page, 'Allow');
      await expect(heading(page)).toHaveText('The device is connected');
      const { body } = await askTokens(serverOf(server), client, started);
      expect(await userOf(server, body.access_token)).toBe(user.username);
      // They also find it among their apps.
      await page.getByRole('link', { name: 'Go to your account' }).click();
      await page.goto('/account/apps');
      await expect(page.getByRole('main')).toContainText('Living-room TV');
    });

    test('a link with the device code asks the same, and "Not you?" keeps the device', async ({
      page,
      server,
    }) => {
      const ann = await newUser();
      const bob = await newUser();
      const client = await newDeviceClient();
      const started = await startDevice(serverOf(server), client);
      await page.goto(started.verification_uri_complete);
      await signInAt(page, ann.username);
      await expect(page.getByLabel('Code from the device')).toHaveValue(started.user_code);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('link', { name: 'Not you?' }).click();
      await signInAt(page, bob.username);
      await expect(page.getByRole('main')).toContainText(bob.email);
      await decide(page, 'Deny');
      await expect(heading(page)).toHaveText('The device was denied');
      const { body } = await askTokens(serverOf(server), client, started);
      expect(body.error).toBe('access_denied');
      await page.goBack();
      await expect(heading(page)).toHaveText('This code no longer works');
      await page.getByRole('link', { name: 'Type another code' }).click();
      await typeAt(page, started.user_code);
      await expect(page.getByText('No device is waiting with this code.')).toBeVisible();
    });

    test('an admin adds a device app', async ({ page }) => {
      const admin = await newUser({ isAdmin: true });
      await page.goto('/login?back=/admin/clients/new?kind=device');
      await signInAt(page, admin.username);
      await page.goto('/admin/clients/new?kind=device');
      await expect(page.getByLabel('Redirect URIs')).toBeHidden();
      await page.getByLabel('Name', { exact: true }).fill('Kitchen radio');
      await page.getByRole('button', { name: 'Add app' }).click();
      await expect(heading(page)).toContainText('is ready to connect');
    });
  });
}

test('the pages about devices pass axe in light and dark, and fit a phone', async ({
  page,
  server,
}) => {
  test.slow();
  const name = `sensitive-${Date.now()}`;
  await createScope(
    { name, description: 'Move money', sensitive: true },
    { id: 'cli' },
    new Date(),
  );
  const client = await newDeviceClient({
    name: 'A very long name of an app that nobody would ever give to an app of theirs',
    scopes: ['openid', 'profile', 'email', 'offline_access', name],
  });
  const scope = `openid profile email offline_access ${name}`;
  const started = await startDevice(serverOf(server), client, { scope });
  await page.goto(started.verification_uri_complete);
  await signInAt(page, (await newUser({ name: 'Ada Lovelace' })).username);
  // People often type a code on a phone.
  await page.setViewportSize({ width: 360, height: 800 });
  const look = async () => {
    await expectAccessible(page);
    const overflow = () =>
      document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await page.evaluate(overflow)).toBe(0);
  };
  await typeAt(page, 'what is no code');
  await look();
  await typeAt(page, started.user_code);
  await look();
  for (const path of ['allowed', 'over']) {
    await page.goto(`/device/${path}`);
    await look();
  }
});
