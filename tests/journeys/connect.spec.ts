import type { Page } from '@playwright/test';
import { createClient, listClients, showClient } from '#lib/management/client/clients.ts';
import { findRecipe } from '#lib/recipes/list.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { expect, refusal } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

const addApp = (page: Page) => page.getByRole('button', { name: 'Add app' });
const value = (page: Page, label: string) =>
  page.locator('#credentials dt', { hasText: label }).locator('xpath=following-sibling::dd/code');
const clientsOf = async (name: string) => (await listClients({ search: name })).rows;

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an app is connected by its recipe: searched, asked for its address, and filled in', async ({
      page,
      admin,
      server,
    }) => {
      await page.goto('/admin/clients/new');
      await expect(page).toHaveTitle(/^Add an app/);
      await expect(page.getByRole('link', { name: /^Gitea (?!behind)/ })).toBeVisible();
      await page.getByRole('searchbox').fill('dashb');
      if (!javaScriptEnabled) await page.getByRole('searchbox').press('Enter');
      await expect(page.getByRole('link', { name: /^Gitea (?!behind)/ })).toHaveCount(0);
      await page.getByRole('link', { name: /^Grafana (?!behind)/ }).click();
      await expect(page).toHaveTitle(/^Connect Grafana/);

      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Grafana');
      const address = page.getByLabel('Where does Grafana run?');
      const name = `Charts of ${admin.username}`;
      await page.getByLabel('Name', { exact: true }).fill(name);
      await address.fill('grafana.example.org');
      await addApp(page).click();
      await expect(address).toHaveAccessibleDescription(
        /Received "grafana.example.org".*https:\/\/grafana.example.org/,
      );
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name);
      expect(await clientsOf(name)).toEqual([]);

      await address.fill('https://grafana.example.org/');
      await addApp(page).click();
      await expect(
        page.getByRole('heading', { name: `${name} is ready to connect` }),
      ).toBeVisible();
      await expect(page).toHaveTitle(/your credentials/);
      await expect(page.getByText('Copy the secret now')).toBeVisible();
      const secret = (await value(page, 'Client secret').textContent()) ?? '';
      const id = (await value(page, 'Client ID').textContent()) ?? '';
      await expect(value(page, 'Issuer')).toHaveText(server.origin);
      expect(secret).toMatch(/^gh_/);
      const block = page.locator('pre').first();
      await expect(block).toContainText(`client_id = ${id}`);
      await expect(block).toContainText(`client_secret = ${secret}`);
      await expect(block).toContainText(`auth_url = ${server.origin}/oauth/authorize`);
      await expect(page.getByText('Common pitfall')).toBeVisible();
      await expect(
        page.getByText(`documentation of ${findRecipe('grafana')?.source.version}`),
      ).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      expect(await showClient(id)).toMatchObject({
        name,
        redirectUris: ['https://grafana.example.org/login/generic_oauth'],
        scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
        grants: ['authorization_code', 'refresh_token'],
      });
      await page.getByRole('link', { name: 'I’ve saved it' }).click();
      await expect(page.getByRole('heading', { name })).toBeVisible();
      // Its page still knows which recipe it was made from.
      await expect(block).toContainText('client_secret = YOUR-CLIENT-SECRET');
      await expect(block).toContainText(`client_id = ${id}`);
      await expect(block).toContainText('root_url = https://grafana.example.org');
      expect(await page.content()).not.toContain(secret);
    });

    test('an app has the pages connect, activity, access and settings', async ({
      page,
      admin,
      server,
    }) => {
      const asked = { name: `Tabs of ${admin.username}`, redirectUris: ['https://git.lan/cb'] };
      const { client } = await createClient(asked, { id: admin.id }, new Date());
      const person = await newUser();
      const given = { scopes: ['profile'], remembered: ['profile'] };
      await widenGrantOf({ userId: person.id, clientId: client.id }, null, given, new Date());
      await page.goto(`/admin/clients/${client.id}`);
      await expect(page).toHaveTitle(/Connect/);
      for (const address of ['', '/oauth/authorize', '/oauth/token', '/oauth/jwks'])
        await expect(page.getByText(server.origin + address, { exact: true })).toBeVisible();
      await expect(page.getByText(client.id, { exact: true })).toBeVisible();
      await expect(page.getByRole('link', { name: 'For developers' })).toHaveAttribute(
        'href',
        '/docs',
      );

      await page.getByLabel('Software').selectOption({ label: 'Gitea' });
      await page.getByRole('button', { name: 'Show' }).click();
      // The app's own addresses show where it runs.
      await expect(page.getByLabel('Where does Gitea run?')).toHaveValue('https://git.lan');
      await expect(page.getByText('aren’t registered')).toBeVisible();
      await expect(page.getByText('https://git.lan/user/oauth2/gatehouse/callback')).toBeVisible();
      await page.getByLabel('Where does Gitea run?').fill('nowhere');
      await page.getByRole('button', { name: 'Show' }).click();
      await expect(page.getByLabel('Where does Gitea run?')).toHaveAccessibleDescription(
        /Received "nowhere"/,
      );

      await page.getByRole('link', { name: 'Activity' }).click();
      await expect(page).toHaveURL(`/admin/clients/${client.id}/activity`);
      await expect(page.getByRole('row').filter({ hasText: asked.name }).first()).toBeVisible();
      await page.getByRole('link', { name: 'Access', exact: true }).click();
      const row = page.getByRole('row').filter({ hasText: person.username });
      await row.locator('summary').click();
      await row.getByRole('button', { name: 'Yes, revoke' }).click();
      await expect(page).toHaveURL(`/admin/clients/${client.id}/access`);
      await expect(row).toHaveCount(0);
      await page.goto(`/admin/clients/${client.id}/settings`);
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue(asked.name);
      await expect(page.getByLabel('Only these')).toBeHidden();
      await page.getByLabel('Redirect URIs').fill('');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByLabel('Redirect URIs')).toHaveAccessibleDescription(
        /No redirect URI is listed/,
      );
      expect((await showClient(client.id)).redirectUris).toEqual(asked.redirectUris);
    });

    test('plain http needs to be accepted, and another recipe keeps what was typed', async ({
      page,
      admin,
    }) => {
      await page.goto('/admin/clients/new?recipe=gitea');
      const name = `Forge of ${admin.username}`;
      await page.getByLabel('Where does Gitea run?').fill('http://git.lan');
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByRole('button', { name: 'Choose a different app' }).click();
      await page.getByRole('link', { name: /^Nextcloud/ }).click();
      await expect(page.getByLabel('Where does Nextcloud run?')).toHaveValue('http://git.lan');
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name);
      await addApp(page).click();
      await expect(refusal(page)).toContainText("isn't encrypted");
      expect(await refusal(page).textContent()).not.toContain('--');
      await page.getByLabel('I accept that plain http').check();
      await addApp(page).click();
      await expect(page.getByRole('heading', { name: /is ready to connect/ })).toBeVisible();
      const [made] = await clientsOf(name);
      expect((await showClient(made?.id ?? '')).redirectUris[0]).toBe(
        'http://git.lan/apps/user_oidc/code',
      );
    });

    test('another type of app keeps what was typed, and a missing redirect URI needs to be accepted', async ({
      page,
      admin,
    }) => {
      const name = `Loose of ${admin.username}`;
      await page.goto('/admin/clients/new?kind=web');
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Redirect URIs').fill('https://*.example.org/cb');
      await page.getByText('Service', { exact: true }).click();
      await expect(page.getByLabel('Redirect URIs')).toBeHidden();
      await page.getByText('Single-page or mobile app').click();
      await expect(page.getByLabel('Redirect URIs')).toHaveValue('https://*.example.org/cb');
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name);
      await page.getByText('Web app with a server').click();
      await addApp(page).click();
      await expect(page.getByLabel('Redirect URIs')).toHaveAccessibleDescription(
        /It is a pattern\. Addresses are compared as a whole, so list each one\./,
      );
      await page.getByLabel('Redirect URIs').fill('');
      await addApp(page).click();
      await expect(page.getByLabel('Redirect URIs')).toHaveAccessibleDescription(
        /No redirect URI is listed/,
      );
      expect(await clientsOf(name)).toEqual([]);
      await page.getByLabel('Let each request name its own').check();
      await addApp(page).click();
      await expect(page.getByRole('heading', { name: `${name} is ready` })).toBeVisible();
      expect(await clientsOf(name)).toHaveLength(1);
    });
  });
}

/** Whether leaving the page would ask now. */
const asksBeforeLeaving = (page: Page) =>
  page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));

test('leaving an unsaved form, or a secret that was not copied, asks first', async ({
  page,
  admin,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const asked: string[] = [];
  let answer = false;
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    return answer ? dialog.accept() : dialog.dismiss();
  });
  const name = `Guarded of ${admin.username}`;
  await page.goto('/admin/clients/new?kind=web');
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await expect(page).toHaveURL('/admin/people');
  expect(asked).toEqual([]);
  await page.goto('/admin/clients/new?kind=web');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await expect.poll(() => asksBeforeLeaving(page)).toBe(true);
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await expect.poll(() => asked).toEqual([expect.stringContaining('unsaved changes')]);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name);

  await page.getByLabel('Redirect URIs').fill('https://app.example/cb');
  await addApp(page).click();
  await expect(value(page, 'Client secret')).toBeVisible();
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await expect.poll(() => asked.at(-1)).toContain('haven’t copied the client secret');
  await expect(value(page, 'Client secret')).toBeVisible();
  await page.getByRole('button', { name: 'Copy Client secret' }).click();
  await expect(page.getByText('✓ Copied').first()).toBeVisible();
  answer = true;
  const before = asked.length;
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await expect(page).toHaveURL('/admin/people');
  expect(asked).toHaveLength(before);
});

test('submitting another form on the page asks before what is typed, or a secret, is lost', async ({
  page,
  admin,
}) => {
  const { id } = await newClient();
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    return dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
  });
  await page.goto(`/admin/clients/${id}/access`);
  await page.getByLabel('Networks').fill('198.51.100.0/24');
  await page.locator('#listed').getByLabel('Username or email').fill(admin.username);
  await page.getByRole('button', { name: 'Add person' }).click();
  await expect.poll(() => asked).toEqual([expect.stringContaining('unsaved changes')]);
  await expect(page.getByLabel('Networks')).toHaveValue('198.51.100.0/24');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Saved. Changes take effect')).toBeVisible();
  expect(asked).toHaveLength(1);

  await page.goto(`/admin/clients/${id}/settings`);
  await page.getByRole('button', { name: 'Add a secret' }).click();
  await expect(page.locator('pre')).toBeVisible();
  await page.getByText('Disable…').click();
  await page.getByRole('button', { name: 'Yes, disable it' }).click();
  await expect.poll(() => asked.at(-1)).toContain('haven’t copied the client secret');
  await expect(page.locator('pre')).toContainText('OAUTH_CLIENT_SECRET=');
  expect((await showClient(id)).disabledAt).toBeNull();
});

test('text typed before the scripts have loaded counts as unsaved', async ({ page, admin: _ }) => {
  let letThrough = () => {};
  const typed = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route('**/*.js*', async (route) => {
    await typed;
    await route.continue();
  });
  await page.goto('/admin/clients/new?kind=web', { waitUntil: 'commit' });
  await page.getByText('Single-page or mobile app').click();
  letThrough();
  await expect.poll(() => asksBeforeLeaving(page)).toBe(true);
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto('/admin/people');
});

test('the recipe of a framework leaves the name of the app empty', async ({ page, admin: _ }) => {
  await page.goto('/admin/clients/new?recipe=express');
  await expect(page).toHaveTitle(/^Connect Express/);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('');
});

test('an unknown recipe is not found', async ({ page, admin: _ }) => {
  expect((await page.request.get('/admin/clients/new?recipe=nothing')).status()).toBe(404);
});
