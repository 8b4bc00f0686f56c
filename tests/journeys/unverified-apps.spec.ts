import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { createApi } from '#lib/management/api/apis.ts';
import { refuseApp } from '#lib/management/approval/new-apps.ts';
import { blockHost } from '#lib/management/host/hosts.ts';
import { findClientRecord } from '#lib/store/client-list.ts';
import { findClientRequest, storeClientRequest } from '#lib/store/client-requests.ts';
import { expectAccessible } from '../support/axe.ts';
import {
  answerAt,
  authorizeUrl,
  decide,
  expect,
  openSignedIn,
  signIn,
  test,
} from '../support/journey.ts';
import { newPkce } from '../support/pkce.ts';
import { newUser, password } from '../support/seed.ts';
import { set } from '../support/settings.ts';
import { newHost, newUnverifiedApp } from '../support/unverified-apps.ts';

const cli = { id: 'cli' };
const { challenge } = newPkce();
const asking = (id: string, redirect: string) =>
  authorizeUrl(id, { ...challenge, redirect_uri: redirect, scope: 'profile email' });

test.beforeEach(() => set('CLIENT_DOCUMENT_HOSTS', 'any'));

async function expectNarrow(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 });
  const { scroll, client } = await page.evaluate(() => {
    const { scrollWidth: scroll, clientWidth: client } = document.documentElement;
    return { scroll, client };
  });
  expect(scroll).toBeLessThanOrEqual(client);
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an unverified app is shown by its proved host above its own name, and is allowed for 30 days', async ({
      page,
      site,
    }) => {
      const user = await newUser();
      const app = await newUnverifiedApp({
        origin: 'document',
        name: 'Claude Code',
        redirectUris: [`${site.https}/callback`],
      });
      await openSignedIn(page, asking(app.id, `${site.https}/callback`), user.username);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        `Allow ${app.host} to access your account?`,
      );
      const main = page.getByRole('main');
      await expect(main).toContainText('not verified');
      await expect(main).toContainText(`What it says about itself comes from ${app.host}`);
      await expect(main).toContainText(
        'It says it is called “Claude Code”. Nobody has checked that.',
      );
      await expect(main).toContainText(`You’ll go back to ${new URL(site.https).host}`);
      await page.getByLabel('For 30 days').check();
      await decide(page, 'Allow');
      expect(await answerAt(page, site.https)).toHaveProperty('code');

      await page.goto('/account/apps');
      const card = page.getByRole('listitem').filter({ hasText: app.host }).first();
      await expect(card).toContainText('not verified');
      await expect(card).toContainText('It says it is called “Claude Code”');
      await expect(card).toContainText(/until .*20\d\d/);
    });

    test('an admin looks up a host, blocks it and unblocks it', async ({ page }) => {
      const admin = await newUser({ isAdmin: true });
      const app = await newUnverifiedApp({ name: 'Odd one' });
      await signIn(page, admin.username);
      await page.goto(`/admin/clients/${app.id}/access`);
      await expect(page.getByText('Dynamic registration')).toBeVisible();
      await page.getByRole('link', { name: 'All apps of this host' }).click();
      const found = page.getByRole('region', { name: app.host });
      await expect(found).toContainText('One app, allowed by 0 people, with 0 active sign-ins.');
      await found.getByText('Block it…').click();
      await found.getByRole('button', { name: 'Yes, block it' }).click();
      await expect(page.getByText(`Blocked ${app.host}.`)).toBeVisible();
      await page.getByRole('button', { name: `Unblock ${app.host}` }).click();
      await expect(page.getByText(`Unblocked ${app.host}.`)).toBeVisible();
    });
  });
}

test('an unverified program on this computer warns to continue only if it was just started', async ({
  page,
}) => {
  const user = await newUser();
  const local = 'http://localhost/callback';
  const app = await newUnverifiedApp({ origin: 'document', redirectUris: [local], name: 'Editor' });
  await openSignedIn(page, asking(app.id, 'http://localhost:51234/callback'), user.username);
  const main = page.getByRole('main');
  await expect(main).toContainText('Continue only if you just started this');
  await expect(main).toContainText('localhost:51234');
  await expectAccessible(page);
  await expectNarrow(page);
});

test('an app that registered itself is shown by its redirect host; a name like ours is hidden', async ({
  page,
  site,
}) => {
  const user = await newUser();
  const app = await newUnverifiedApp({
    name: 'Gаtehouse Security',
    redirectUris: [`${site.https}/callback`],
  });
  await openSignedIn(page, asking(app.id, `${site.https}/callback`), user.username);
  const { host } = new URL(site.https);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `Allow ${host} to access your account?`,
  );
  const main = page.getByRole('main');
  await expect(main).toContainText('can’t verify who runs it');
  await expect(main).toContainText('could be mistaken for another');
  await expect(main).not.toContainText('Security');
  await expectAccessible(page);
});

test('the consent page lists an API with its scopes under its name, and new ones first', async ({
  page,
  site,
}) => {
  const user = await newUser();
  const app = await newUnverifiedApp({ redirectUris: [`${site.https}/callback`] });
  const identifier = `https://${newHost()}/mcp`;
  const scopes = ['files.read', 'files.write'].map((name) => ({
    name,
    description: name === 'files.read' ? 'Read your files' : 'Change your files',
    translations: {},
  }));
  const api = { identifier, name: 'Files', description: 'All that you keep', scopes };
  await createApi({ ...api, access: 'anyone' }, cli, new Date());
  const ask = (scope: string) =>
    `${asking(app.id, `${site.https}/callback`)}&${new URLSearchParams({ resource: identifier })}`.replace(
      'profile+email',
      encodeURIComponent(scope),
    );
  await openSignedIn(page, ask('profile files.read'), user.username);
  const use = page.getByText('In Files');
  await expect(use).toContainText('All that you keep');
  await expect(page.getByRole('listitem').filter({ hasText: 'Read your files' })).toBeVisible();
  await expectAccessible(page);
  await decide(page, 'Allow');
  await answerAt(page, site.https);
  await page.goto(ask('profile files.read files.write'));
  await expect(
    page.getByRole('heading', { name: 'New: the app will also be able to' }),
  ).toBeVisible();
  await expect(page.getByText('In Files', { exact: true })).toBeVisible();
  await expect(page.getByRole('listitem').first()).toHaveText('Change your files');
});

test.describe('in German', () => {
  test.use({ locale: 'de-DE' });

  test('the consent page of an unverified app is in German', async ({ page, site }) => {
    const user = await newUser();
    const app = await newUnverifiedApp({
      origin: 'document',
      name: 'Notizen',
      redirectUris: [`${site.https}/callback`],
    });
    await page.goto(asking(app.id, `${site.https}/callback`));
    await page.locator('[name=username]').fill(user.username);
    await page.locator('[name=password]').fill(password);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    const main = page.getByRole('main');
    await expect(main).toContainText('nicht geprüft');
    await expect(main).toContainText('Sie sagt, sie heiße „Notizen“.');
    await expect(page.getByLabel('Bis ich sie entferne')).toBeChecked();
    await expectNarrow(page);
  });
});

test('an unverified app that was refused gets an error page without a link to it', async ({
  page,
  site,
}) => {
  const user = await newUser();
  const app = await newUnverifiedApp({ redirectUris: [`${site.https}/callback`] });
  const event = { type: 'client.requested' } as const;
  const request = { id: app.id, origin: 'registration', name: 'App', host: app.host } as const;
  await storeClientRequest(request, user.id, event, new Date());
  await refuseApp(app.id, cli, new Date());
  await openSignedIn(page, asking(app.id, `${site.https}/callback`), user.username);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `${app.host} can’t be used here`,
  );
  await expectAccessible(page);
  await expectNarrow(page);
  await expect(page.getByRole('link', { name: 'Go back to the app' })).toHaveCount(0);
});

test('an admin finds unverified apps, and approves or refuses those that wait', async ({
  page,
}) => {
  const admin = await newUser({ isAdmin: true });
  const user = await newUser();
  const app = await newUnverifiedApp({ name: `Came ${randomBytes(4).toString('hex')}` });
  const event = { type: 'client.requested' } as const;
  const hosts = [newHost(), newHost()];
  const waiting = hosts.map((host) => ({
    id: `https://${host}/app`,
    origin: 'document' as const,
    name: 'Weather',
    host,
  }));
  for (const each of waiting) await storeClientRequest(each, user.id, event, new Date());
  await signIn(page, admin.username);
  await page.goto('/admin');
  await expect(page.getByText(hosts[0] ?? '')).toBeVisible();
  await page.goto('/admin/clients');
  await expectAccessible(page);
  await page.getByRole('button', { name: `Approve the app of ${hosts[0]}` }).click();
  await expect(page.getByText(`People can now allow the app of ${hosts[0]}.`)).toBeVisible();
  await page.getByRole('button', { name: `Refuse the app of ${hosts[1]}` }).click();
  await expect(page.getByText(`No one can use the app of ${hosts[1]}.`)).toBeVisible();
  expect((await findClientRequest(waiting[0]?.id ?? ''))?.decision).toBe('allowed');
  expect((await findClientRequest(waiting[1]?.id ?? ''))?.decision).toBe('refused');

  await page.goto('/admin/clients?origin=registration');
  await expect(page.getByRole('row').filter({ hasText: app.host })).toContainText(
    'Registered itself',
  );
  await page.goto('/admin/clients?origin=admin');
  await expect(page.getByRole('row').filter({ hasText: app.host })).toHaveCount(0);
});

test('the settings of a client document are read-only; the description is the admin’s', async ({
  page,
}) => {
  const admin = await newUser({ isAdmin: true });
  const app = await newUnverifiedApp({ origin: 'document', name: 'Weather' });
  await signIn(page, admin.username);
  const settings = `/admin/clients/${encodeURIComponent(app.id)}/settings`;
  await page.goto(settings);
  const decided = page.locator('#decided');
  await expect(decided).toContainText(`https://${app.host}/callback`);
  await expect(page.getByLabel('Redirect URIs')).toHaveCount(0);
  await page.getByLabel('Description').fill('Tells the weather');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Tells the weather').first()).toBeVisible();
  expect(await findClientRecord(app.id)).toMatchObject({
    name: 'Weather',
    description: 'Tells the weather',
    type: 'public',
    redirectUris: [`https://${app.host}/callback`],
  });
  await expectAccessible(page);
});

test('the page of an app with a long host name fits a phone', async ({ page }) => {
  const admin = await newUser({ isAdmin: true });
  const app = await newUnverifiedApp({ host: `${'donaudampfschifffahrt'.repeat(3)}.${newHost()}` });
  await signIn(page, admin.username);
  await page.goto(`/admin/clients/${app.id}/access`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(
    `Registered itself: ${app.host}`,
  );
  await expectNarrow(page);
});

test('blocked hosts are listed, on a phone too', async ({ page }) => {
  const admin = await newUser({ isAdmin: true });
  const host = newHost();
  await blockHost(host, cli, new Date());
  await signIn(page, admin.username);
  await page.goto('/admin/settings/new-apps');
  await expect(page.getByRole('button', { name: `Unblock ${host}` })).toBeVisible();
  await expectAccessible(page);
  await expectNarrow(page);
});
