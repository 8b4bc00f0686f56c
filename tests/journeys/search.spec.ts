import type { Page } from '@playwright/test';
import { createClient } from '#lib/management/client/clients.ts';
import { createUser } from '#lib/management/user/users.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { recordTrace, writeTraces } from '#lib/store/traces.ts';
import { inTurn } from '../lanes.ts';
import { test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';
import { newUser } from '../support/seed.ts';

const cli = { id: 'cli' };
const app = async (name: string) =>
  (await createClient({ name, redirectUris: ['https://app.example/cb'] }, cli, new Date())).client;

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('the search of the dashboard finds apps, people, settings and attempts from any page', async ({
      page,
      admin: _,
    }) => {
      const mark = `anywhere${Date.now()}`;
      const client = await app(`Shop ${mark}`);
      const user = await newUser({ name: `${mark} Lovelace` });
      const requestId = newId(new Date());
      const of = { clientId: client.id, userId: null, behind: 'app', refusal: null } as const;
      const attempt = newId(new Date());
      recordTrace({ attempt, requestId, step: 'authorize', outcome: 'sign-in', ...of }, new Date());
      await writeTraces();

      await page.goto('/admin/scopes');
      const field = page.getByRole('textbox', { name: 'Find anything' });
      if (!javaScriptEnabled) await field.focus();
      else
        await expect(async () => {
          await page.keyboard.press('/');
          await expect(field).toBeFocused({ timeout: 500 });
        }, 'the key leads there once scripts run').toPass();
      await expect(field).toHaveValue('');
      await page.keyboard.type(mark);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Results for “${mark}”`);
      const apps = page.getByRole('region', { name: 'Apps' });
      await expect(apps.getByRole('link')).toHaveText([`Shop ${mark}`]);
      await page.getByRole('region', { name: 'People' }).getByRole('link').click();
      await expect(page).toHaveURL(`/admin/people/${user.id}`);

      await field.fill('require_pkce');
      await page.getByRole('button', { name: 'Find' }).click();
      const settings = page.getByRole('region', { name: 'Settings' });
      await expect(settings.getByRole('link')).toHaveText(['Require PKCE']);
      await settings.getByRole('link').click();
      await expect(page).toHaveURL('/admin/settings/security#requirePkce');
      await expect(page.locator('#requirePkce')).toBeVisible();
      await field.fill(`${mark} nowhere`);
      await page.getByRole('button', { name: 'Find' }).click();
      await expect(page.getByText(`Nothing matches “${mark} nowhere”`)).toBeVisible();
      await expect(
        page.getByText('People and groups are found by the start of a name'),
      ).toBeVisible();
      await field.fill(requestId);
      await field.press('Enter');
      await expect(page).toHaveURL(`/admin/traces/${attempt}`);
    });

    test('a list of apps shows its length, and pages forwards and back', async ({
      page,
      admin: _,
    }) => {
      const mark = `long${Date.now()}`;
      for (let index = 0; index < 52; index += 1) await app(`${mark} ${10 + index}`);
      await page.goto(`/admin/clients?q=${mark}&sort=name`);
      await expect(page.getByText('52 apps')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Previous page' })).toHaveCount(0);
      await page.getByRole('link', { name: 'Next page' }).click();
      await expect(page.getByRole('row')).toHaveCount(3);
      await expect(page.getByRole('link', { name: 'Next page' })).toHaveCount(0);
      await page.getByRole('link', { name: 'Previous page' }).click();
      await expect(page.getByRole('row')).toHaveCount(51);
      await expect(page.getByRole('link', { name: `${mark} 10` })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Previous page' })).toHaveCount(0);
    });
  });
}

test('the search key / is typed as text within a field', async ({ page, admin: _ }) => {
  await page.goto('/admin/people/new');
  await page.getByLabel('Full name').focus();
  await page.keyboard.type('a/b');
  await expect(page.getByLabel('Full name')).toHaveValue('a/b');
});

const filters = (page: Page) => page.locator('summary', { hasText: 'Filter' });

test('a filter with JavaScript applies immediately and keeps the focus', async ({
  page,
  admin: _,
}) => {
  await page.goto('/admin/people');
  await filters(page).click();
  const role = page.getByLabel('Role', { exact: true });
  await role.selectOption('Admins');
  await expect(page).toHaveURL(/\?role=admin$/);
  await expect(role).toHaveValue('admin');
  await expect(role).toBeFocused();
  await page.getByLabel('Status', { exact: true }).selectOption('Locked');
  await expect(page).toHaveURL(/\?state=locked&role=admin$/);
  await expect(page.getByLabel('Status', { exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(filters(page)).toBeFocused();
  await expect(role).toBeHidden();
  await page.getByRole('link', { name: 'Role: Admins – remove this filter' }).click();
  await expect(page).toHaveURL(/\?state=locked$/);
  await page.goBack();
  await expect(page.getByRole('link', { name: /^Role: Admins/ })).toBeVisible();
});

test('a filter chosen before the scripts have loaded applies when they have', async ({
  page,
  admin: _,
}) => {
  let letThrough = () => {};
  const chosen = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route('**/*.js*', async (route) => {
    await chosen;
    await route.continue();
  });
  await page.goto('/admin/people', { waitUntil: 'commit' });
  await filters(page).click();
  const role = page.getByLabel('Role', { exact: true });
  await role.selectOption('Admins');
  letThrough();
  await expect(page).toHaveURL(/\?role=admin$/);
  await expect(role).toHaveValue('admin');
  await page.reload();
  await page.goto('/admin/groups');
  await page.goBack();
  await expect(page).toHaveURL(/\?role=admin$/);
});

test('long names are not cut off in search results and lists', async ({ page, admin: _ }) => {
  test.setTimeout(300_000);
  const mark = `wide${Date.now()}`;
  const name = `${mark}-Rechtsschutzversicherungsgesellschaften-Selbstverwaltung`;
  await app(name);
  const long = `${mark}-donaudampfschifffahrtselektrizitaeten`;
  const email = `${long}@hauptbetriebswerkbauunterbeamten.example`;
  await createUser(
    { name, username: long.slice(0, 64), email, password: 'four quiet unrelated words' },
    cli,
    new Date(),
  );
  const addresses = [
    `/admin/search?q=${mark}`,
    '/admin/search',
    `/admin/clients?q=${mark}`,
    `/admin/people?q=${mark}`,
    '/admin/people?q=nobody-of-this-name',
    '/admin/approvals',
  ];
  const looks = [
    ['light', 360],
    ['light', 768],
    ['dark', 1440],
  ] as const;
  for (const [index, address] of addresses.entries()) {
    for (const [colorScheme, width] of inTurn(index, looks)) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      // Loaded after the theme is set, because colours in transition do not have their contrast
      // yet.
      await page.goto(address);
      const find = await page.getByRole('button', { name: 'Find' }).boundingBox();
      expect.soft(find?.width, `${address}, ${width} px`).toBeGreaterThan(50);
      const cut = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('main section')].flatMap((box) =>
          box.scrollWidth > box.clientWidth + 1 ? [box.getAttribute('aria-label') ?? 'page'] : [],
        ),
      );
      expect.soft(cut, `${address}, ${width} px`).toEqual([]);
    }
  }
});
