import { randomUUID } from 'node:crypto';
import { onAccessPage } from '#app/admin/clients/on-access-page.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { createClient, showClient, updateClient } from '#lib/management/client/clients.ts';
import { type ClientField, clientFieldNames } from '#lib/oauth/client.ts';
import { axeFindings, expectAccessible } from '../support/axe.ts';
import { ageSignIn, test } from '../support/dashboard.ts';
import { expect, refusal, signIn } from '../support/journey.ts';
import { png } from '../support/pictures.ts';
import { newUser, password } from '../support/seed.ts';

const cli = { id: 'cli' };
const app = (name: string) =>
  createClient({ name, redirectUris: ['https://app.example/cb'] }, cli, new Date());

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an app is registered, gets a new secret, is changed, disabled, enabled and deleted', async ({
      page,
      admin,
    }) => {
      await page.goto('/admin/clients');
      await page.getByRole('link', { name: 'Add an app' }).first().click();
      await page.getByRole('link', { name: 'Something else' }).click();
      const name = `Shop of ${admin.username}`;
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Redirect URIs').fill('https://shop.example/cb#there');
      await page.getByRole('button', { name: 'Add app' }).click();
      await expect(refusal(page)).toContainText('Nothing was saved');
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name);
      await expect(page.getByLabel('Redirect URIs')).toHaveValue('https://shop.example/cb#there');
      await expect(page.getByLabel('Redirect URIs')).toHaveAccessibleDescription(
        /It has a fragment/,
      );

      await page
        .getByLabel('Redirect URIs')
        .fill('https://shop.example/cb\nhttps://shop.example/other');
      await page.getByRole('button', { name: 'Add app' }).click();
      await expect(page.getByText('You won’t see it again')).toBeVisible();
      const id = (await page.locator('dd code').nth(1).textContent()) ?? '';
      await expect(page.locator('pre')).toHaveText(
        new RegExp(
          `OAUTH_ISSUER=http://localhost:\\d+\nOAUTH_CLIENT_ID=${id}\nOAUTH_CLIENT_SECRET=gh_\\w+`,
        ),
      );
      const made = await showClient(id);
      expect(made).toMatchObject({
        requirePkce: null,
        requireClientAuthOnRefresh: true,
        type: 'confidential',
      });
      expect(made.redirectUris).toEqual(['https://shop.example/cb', 'https://shop.example/other']);

      // The secret was not copied, so leaving the page would ask. This link says that it was saved.
      await page.getByRole('link', { name: 'I’ve saved it' }).click();
      await expect(page.getByRole('heading', { name })).toBeVisible();
      await expect(page.getByText('gh_cs_')).toHaveCount(0);
      await page.getByRole('link', { name: 'Settings' }).last().click();
      await page.getByRole('button', { name: 'Add a secret' }).click();
      await expect(page.locator('pre')).toContainText('OAUTH_CLIENT_SECRET=');
      await page.getByRole('link', { name: 'I’ve saved it' }).click();
      await page
        .getByRole('group')
        .filter({ hasText: 'It stops working immediately' })
        .last()
        .locator('summary')
        .click();
      await page.getByRole('button', { name: 'Yes, delete it' }).filter({ visible: true }).click();
      await expect(page.getByRole('status').filter({ hasText: 'Secret deleted.' })).toBeVisible();
      expect((await showClient(id)).secrets.map(({ hash }) => hash)).not.toEqual(
        made.secrets.map(({ hash }) => hash),
      );

      await expect(page.getByLabel('Only these')).toBeHidden();
      await page.getByText('Advanced', { exact: true }).click();
      await page.getByLabel('Description').fill('Sells things');
      await page.getByLabel('Only these').check();
      await page.getByLabel('email', { exact: true }).check();
      await page.getByLabel('Access token', { exact: true }).fill('soon');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByLabel('Access token', { exact: true })).toHaveAccessibleDescription(
        /Enter a time from 1 second to 10 years, such as 90 minutes.*Server default: 1 hour\./,
      );
      await expect(page.getByLabel('email', { exact: true })).toBeChecked();
      await expect(page.getByLabel('Description')).toHaveValue('Sells things');
      await expect(page.getByLabel('Access token', { exact: true })).toHaveValue('soon');
      await page.getByLabel('Access token', { exact: true }).fill('10 min');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
      await expect(page.getByLabel('Access token', { exact: true })).toHaveValue('10 minutes');
      expect(await showClient(id)).toMatchObject({
        description: 'Sells things',
        scopes: ['email'],
        accessTokenTtl: 600,
      });

      await page.getByText('Disable…').click();
      await page.getByRole('button', { name: 'Yes, disable it' }).click();
      await expect(page.getByText('This app is disabled')).toBeVisible();
      await page.getByRole('button', { name: 'Enable' }).click();
      await expect(page.getByText('This app is disabled')).toHaveCount(0);
      await page.locator('#danger').getByText('Delete…').click();
      await expect(page.locator('#danger')).toContainText(`This deletes ${name}`);
      await page.getByRole('button', { name: 'Yes, delete it' }).click();
      await expect(page.getByRole('status').filter({ hasText: `${name} deleted` })).toBeVisible();
      const events = (await listAudit({ clientId: id })).rows;
      expect(events.every((event) => event.actor === admin.id)).toBe(true);
      expect(events.map(({ type }) => type)).toContain('client.deleted');
    });

    test('two admins edit an app: the second is warned, and overwrites only by saving again', async ({
      page,
      admin,
    }) => {
      const { client } = await app(`Edited by ${admin.username}`);
      await page.goto(`/admin/clients/${client.id}/settings`);
      await updateClient(
        client.id,
        { description: 'Of somebody else' },
        { actor: cli, now: new Date() },
      );
      await page.getByLabel('Description').fill('Of mine');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(refusal(page)).toContainText('The command line saved a change');
      await expect(page.getByRole('link', { name: /View the saved version/ })).toHaveAttribute(
        'href',
        /settings$/,
      );
      await expect(page.getByLabel('Description')).toHaveValue('Of mine');
      expect((await showClient(client.id)).description).toBe('Of somebody else');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
      expect((await showClient(client.id)).description).toBe('Of mine');
    });

    test('adding a secret needs a fresh sign-in, and continues after it', async ({
      page,
      admin,
    }) => {
      const { client } = await app(`Old session of ${admin.username}`);
      await page.goto(`/admin/clients/${client.id}/settings`);
      await ageSignIn(admin, 16);
      await page.getByRole('button', { name: 'Add a secret' }).click();
      await expect(page.getByText('Confirm it’s you to continue.')).toBeVisible();
      // Axe needs scripts.
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
      const ask = page.getByLabel('Your password');
      if (javaScriptEnabled) await expect(ask).toBeFocused();
      await ask.fill('not my password');
      await page.getByRole('button', { name: 'Confirm and continue' }).click();
      await expect(page.getByText('That’s not your password.')).toBeVisible();
      await expect(ask).toHaveValue('');
      expect((await showClient(client.id)).secrets).toHaveLength(1);
      await ask.fill(password);
      await ask.press('Enter');
      await expect(page.locator('pre')).toContainText('OAUTH_CLIENT_SECRET=');
      expect((await showClient(client.id)).secrets).toHaveLength(2);
    });
  });
}

/** On other pages, or in place of the redirect URIs of an app behind a proxy. */
const ofGuarded: readonly ClientField[] = [
  ...(['guardedSites', 'openPaths', 'siteHeaders'] as const),
  ...(['passAuthorization', 'passPreflights'] as const),
];
const elsewhere = onAccessPage.concat(ofGuarded);

test('the settings of an app behind a proxy have a control for each field, and keep them', async ({
  page,
  admin: _,
}) => {
  const guarded = {
    name: 'Behind',
    grants: ['authorization_code'],
    firstParty: true,
    guardedSites: [`https://${randomUUID()}.example`, 'http://nas.lan:8080'],
    openPaths: ['/api/public', '/health'],
    siteHeaders: { 'X-WEBAUTH-USER': 'user' },
    passAuthorization: true,
    passPreflights: true,
  };
  const { client, secret } = await createClient(guarded, cli, new Date());
  expect(secret).toBeNull();
  await page.goto(`/admin/clients/${client.id}/settings`);
  for (const field of ofGuarded)
    await expect(page.locator(`[name="${field}"]`).first(), field).toBeAttached();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
  expect(await showClient(client.id)).toEqual(client);
});

test('the settings form of an app has a control for each field, and saved unchanged it changes nothing', async ({
  page,
  admin: _,
}) => {
  const uri = 'https://app.example/cb';
  const { client } = await createClient(
    {
      name: 'All of it',
      description: 'One\r\ntwo',
      homePage: uri,
      privacyLink: uri,
      termsLink: uri,
      grants: ['authorization_code'],
      scopes: ['openid', 'email'],
      redirectUris: [uri, `${uri}/2`],
      postLogoutRedirectUris: [uri],
      backchannelLogoutUri: uri,
      requirePkce: true,
      requireClientAuthOnRefresh: false,
      firstParty: true,
      resourceServer: true,
      sendIss: false,
      idTokenAlg: 'ES256',
      oldIssuer: '/realms/acme',
      defaultApi: 'https://api.example',
      identityFor: { 'https://other.example': 'app', 'https://third.example/x': 'an app' },
      identityGroups: { 'https://other.example': 'staff' },
      agent: true,
      exchangeFor: ['https://api.example', 'https://other.example/x'],
      subjectType: 'pairwise',
      sectorIdentifierUri: 'https://app.example/sector',
      federatedCredentials: [
        { issuer: uri, claims: { sub: 'a = b', env: 'x' }, keys: `${uri}/keys`, reusable: true },
        { issuer: `${uri}/2`, claims: { sub: 'c' }, keys: null, reusable: false },
      ],
      idTokenOnRefresh: false,
      accessTokenTtl: 60,
      refreshTokenTtl: 70,
      refreshTokenMaxTtl: 80,
      accent: '#aa2266',
      recipe: 'gitea?address=https%3A%2F%2Fgit.example.org',
    },
    cli,
    new Date(),
  );
  await page.goto(`/admin/clients/${client.id}/settings`);
  for (const field of clientFieldNames.filter((each) => !elsewhere.includes(each)))
    await expect(page.locator(`[name="${field}"]`).first(), field).toBeAttached();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
  expect(await showClient(client.id)).toEqual(client);
});

test('redirect URIs are checked while they are typed', async ({ page, admin: _ }) => {
  await page.goto('/admin/clients/new?kind=public');
  const field = page.getByLabel('Redirect URIs');
  await field.fill('myapp:/cb');
  await expect(page.getByText('based on your own domain')).toBeVisible();
  await field.fill('javascript:alert(1)');
  await expect(page.getByText('Redirects to this scheme are not allowed.')).toBeVisible();
  await field.fill('http://app.example/cb');
  await expect(page.getByLabel(/I accept that plain http/)).toBeVisible();
  await field.fill('https://app.example/cb');
  await expect(page.getByLabel(/I accept that plain http/)).toHaveCount(0);
});

test('the logo of an app is uploaded, shown at sign-in and removed; a file that is no picture is refused', async ({
  page,
  admin,
}) => {
  const { client } = await app(`Pictured by ${admin.username}`);
  const upload = async (name: string, mimeType: string, buffer: Buffer) => {
    await page.getByLabel('Picture').setInputFiles({ name, mimeType, buffer });
    await page.getByRole('button', { name: 'Upload' }).click();
  };
  await page.goto(`/admin/clients/${client.id}/settings`);
  await upload('logo.png', 'image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  await expect(page.getByLabel('Picture')).toHaveAccessibleDescription(
    /Use a PNG, JPEG, WebP or GIF/,
  );
  await upload('logo.png', 'image/png', png(64, 64));
  await expect(page.getByRole('status').filter({ hasText: 'Logo saved.' })).toBeVisible();
  const { logo } = await showClient(client.id);
  const answer = await page.request.get(`/logos/${client.id}/${logo}`);
  expect(answer.headers()).toMatchObject({
    'content-type': 'image/webp',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'public, max-age=31536000, immutable',
  });
  await page.goto(`/oauth/authorize?client_id=${client.id}&response_type=code`);
  await expect(page.locator(`img[src="/logos/${client.id}/${logo}"]`)).toHaveJSProperty(
    'naturalWidth',
    64,
  );
  await page.goto(`/admin/clients/${client.id}/settings`);
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Logo removed.' })).toBeVisible();
  expect((await page.request.get(`/logos/${client.id}/${logo}`)).status()).toBe(404);
});

test('the list of apps is searched, filtered, sorted and paged', async ({ page, admin }) => {
  const mark = admin.username.slice(-6);
  const names = Array.from(
    { length: 53 },
    (_, index) => `Listed ${mark} ${String(index).padStart(2, '0')}`,
  );
  for (const name of names) await app(name);
  await createClient(
    { name: `Phone ${mark}`, type: 'public', redirectUris: ['https://app.example/cb'] },
    cli,
    new Date(),
  );
  // Searches instead of showing the whole list, because another test may remove a logo while the
  // list is shown.
  await page.goto(`/admin/clients?q=${mark}`);
  await page.getByRole('searchbox').fill(`listed ${mark}`);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('columnheader', { name: 'App' }).getByRole('link').click();
  const rows = page.getByRole('rowheader');
  await expect(rows).toHaveCount(50);
  await expect(rows.first()).toContainText(`${mark} 00`);
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(rows).toHaveCount(3);
  await expect(rows.last()).toContainText(`${mark} 52`);
  await page.getByRole('link', { name: 'Page 1', exact: true }).click();
  await expect(rows).toHaveCount(50);
  await page.getByRole('searchbox').fill(mark);
  await page.locator('summary', { hasText: 'Filter' }).click();
  await page.getByLabel('Type').selectOption('public');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(`Phone ${mark}`);
  await page.getByRole('searchbox').fill('nothing of this name');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('No apps match')).toBeVisible();
});

test('the list of apps is not found by a user who is no admin', async ({ page }) => {
  const user = await newUser();
  await signIn(page, user.username);
  const answer = await page.request.get('/admin/clients');
  expect(answer.status()).toBe(404);
  expect(await answer.text()).toContain('There’s nothing here');
});

test('the settings of an app pass axe with a confirmation, an error and a new secret', async ({
  page,
  admin,
}) => {
  const { client } = await createClient({ name: 'Loose' }, { id: admin.id }, new Date());
  await page.goto(`/admin/clients/${client.id}/settings`);
  await page.getByText('Replace all…').click();
  await page.locator('#danger').getByText('Delete…').click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add a secret' }).click();
  await expect(page.locator('pre')).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/admin/clients/${client.id}/settings`);
  await page.getByLabel('Redirect URIs').fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByLabel('Redirect URIs')).toBeFocused();
  await expectAccessible(page);
});
