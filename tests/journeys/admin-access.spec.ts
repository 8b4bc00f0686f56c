import { createClient } from '#lib/management/client/clients.ts';
import { looksOf } from '../lanes.ts';
import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';

const kinds = ['web', 'public', 'service', 'oidc'].map((kind) => `/admin/clients/new?kind=${kind}`);
const lists = [
  '/admin/clients',
  '/admin/clients?q=nothing',
  '/admin/scopes',
  '/admin/scopes/profile',
  '/admin/apis',
];
const pages = [
  ...lists,
  ...kinds,
  '/admin/clients/new',
  '/admin/clients/new?q=nothing',
  '/admin/clients/new?recipe=nextcloud',
  '/admin/scopes/new',
  '/admin/apis/new',
  ...['general', 'sign-in', 'permissions', 'look', 'security'].map(
    (tab) => `/admin/settings/${tab}`,
  ),
  '/admin/clients/ID',
  '/admin/clients/ID/activity',
  '/admin/clients/ID/access',
  '/admin/clients/ID/settings',
  '/admin/clients/ID/settings#protocol',
  '/admin/clients/ID?recipe=grafana',
];

for (const [index, path] of pages.entries()) {
  test(`axe finds nothing on ${path}, in light and dark, and it fits a phone`, async ({
    page,
    admin,
  }) => {
    const app = { name: 'Loose', redirectUris: ['http://127.0.0.1/cb'] };
    const { client } = await createClient(app, { id: admin.id }, new Date());
    await page.goto(path.replace('ID', client.id));
    for (const width of looksOf(index, [1280, 360])) {
      await page.setViewportSize({ width, height: 800 });
      await expectAccessible(page, Math.floor(index / 2));
    }
    await page.setViewportSize({ width: 360, height: 800 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });
}

test('axe finds nothing where something is confirmed, refused or shown once', async ({
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
