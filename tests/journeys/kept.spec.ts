import type { Page } from '@playwright/test';
import { createApi } from '#lib/management/api/apis.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { createField } from '#lib/management/field/user-fields.ts';
import { createGroup, showGroup } from '#lib/management/group/groups.ts';
import { createScope, showScope } from '#lib/management/scope/scopes.ts';
import { textIn } from '#lib/messages/text.ts';
import { readBranding } from '#lib/store/branding.ts';
import { expectAccessible } from '../support/axe.ts';
import { mark, test } from '../support/dashboard.ts';
import { expect, refusal } from '../support/journey.ts';
import { keepInFile, letGoOf } from '../support/kept.ts';
import { newClient, newUser } from '../support/seed.ts';

const say = textIn('en');

const cli = { id: 'cli' };
const notice = (page: Page) => page.locator('#kept').getByText(say('kept.title'));
const badged = (page: Page, text: string) =>
  page.getByRole('row').filter({ hasText: text }).getByText(say('kept.badge'));

/** An app, a group, a scope, an API and a field that the file manages. */
async function keepSome() {
  const [name, now] = [`kept-${mark()}`, new Date()];
  const client = await newClient({ name: `${name} app` });
  const group = await createGroup({ name: `${name} group` }, cli, now);
  await createScope({ name, description: 'See your photos' }, cli, now);
  const api = await createApi(
    { identifier: `https://${name}.example`, name: `${name} API` },
    cli,
    now,
  );
  await createField({ name, label: `${name} field`, scope: 'profile' }, cli, now);
  await keepInFile(
    { kind: 'client', key: client.id },
    { kind: 'group', key: group.id },
    { kind: 'scope', key: name },
    { kind: 'api', key: api.id },
    { kind: 'field', key: name },
  );
  return { name, client, group, api };
}

test('configuration file: its things are marked in lists, and their pages say so and offer no change', async ({
  page,
  admin: _,
}) => {
  const { name, client, group, api } = await keepSome();
  const app = `/admin/clients/${client.id}`;
  for (const list of ['clients', 'groups', 'apis', 'scopes', 'fields']) {
    await page.goto(`/admin/${list}?q=${name}`);
    await expect(badged(page, name), list).toBeVisible();
  }
  for (const at of [
    `/admin/groups/${group.id}`,
    `/admin/apis/${api.id}`,
    `/admin/scopes/${name}`,
    `/admin/fields/${name}`,
    `${app}/settings`,
    `${app}/access`,
  ]) {
    await page.goto(at);
    await expect(notice(page), at).toBeVisible();
    await expect(page.locator('fieldset[aria-describedby="kept"]').first(), at).toBeAttached();
    const changes = page.getByRole('main').getByText(/^(Save|Save changes|Delete…|Add group)$/);
    await expect(changes.filter({ visible: true }), at).toHaveCount(0);
    if (at.endsWith('/settings')) await expectAccessible(page);
  }
});

test('configuration file: a refused attempt of its app offers no fix, and says why', async ({
  page,
  admin: _,
}) => {
  const { client } = await keepSome();
  const query = {
    client_id: client.id,
    response_type: 'code',
    redirect_uri: 'https://else.example/',
  };
  await page.request.get('/oauth/authorize', { params: query, maxRedirects: 0 });
  await page.goto(`/admin/clients/${client.id}`);
  const attempts = page.locator('#attempts');
  await expect(attempts.getByText(say('kept.refused.client'))).toBeVisible();
  await expect(attempts.getByText('Add this redirect URI')).toHaveCount(0);
  await attempts
    .getByRole('link', { name: /^Details/ })
    .first()
    .evaluate((link) => link.removeAttribute('target'));
  await attempts
    .getByRole('link', { name: /^Details/ })
    .first()
    .click();
  await expect(page.getByText(say('kept.refused.client'))).toBeVisible();
  await expect(page.getByText('Add this redirect URI')).toHaveCount(0);

  await letGoOf({ kind: 'client', key: client.id });
  await page.reload();
  await expect(page.getByText('Add this redirect URI')).toBeVisible();
});

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('configuration file: its app can be disabled, and its group gets members in the dashboard', async ({
      page,
      admin: _,
    }) => {
      const { client, group } = await keepSome();
      await page.goto(`/admin/clients/${client.id}/settings`);
      await expect(page.getByText(say('kept.secrets'))).toBeVisible();
      const danger = page.getByRole('region', { name: 'Disable or delete' });
      await danger.locator('summary').click();
      await danger.getByRole('button', { name: 'Yes, disable it' }).click();
      await expect(page.getByRole('button', { name: 'Enable' })).toBeVisible();
      expect((await showClient(client.id)).disabledAt).not.toBeNull();

      const { username } = await newUser();
      await page.goto(`/admin/groups/${group.id}`);
      await page.getByLabel('Add people').fill(username);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(page.getByRole('row').filter({ hasText: username })).toBeVisible();
    });

    test('configuration file: a form that was open before is refused, naming the file', async ({
      page,
      admin: _,
    }) => {
      const scope = `late-${mark()}`;
      await createScope({ name: scope, description: 'See your photos' }, cli, new Date());
      const group = await createGroup({ name: `Late ${mark()}` }, cli, new Date());
      await page.goto(`/admin/scopes/${scope}`);
      await keepInFile({ kind: 'scope', key: scope }, { kind: 'group', key: group.id });
      await page.getByLabel('What people read').first().fill('Take your photos');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(refusal(page)).toContainText(say('kept.refused.scope'));
      await expect(page.getByLabel('What people read').first()).toHaveValue('Take your photos');
      expect((await showScope(scope)).description).toBe('See your photos');

      await letGoOf({ kind: 'group', key: group.id });
      await page.goto(`/admin/groups/${group.id}`);
      await keepInFile({ kind: 'group', key: group.id });
      await page.getByText('Delete…').click();
      await page.getByRole('button', { name: /^Yes, delete/ }).click();
      await expect(notice(page)).toBeVisible();
      expect((await showGroup(group.id)).name).toBe(group.name);
    });
  });

test('configuration file: its settings look fixed, and its branding can be read but not changed', async ({
  page,
  admin: _,
}) => {
  const things = [
    { kind: 'setting', key: 'USERNAME_CHANGE' },
    { kind: 'setting', key: 'SECURITY_PROFILE' },
    { kind: 'branding', key: '' },
  ] as const;
  await page.goto('/admin/settings/look');
  await page.getByLabel('Product name').fill('Mine');
  await keepInFile(...things);
  try {
    await page.getByRole('button', { name: 'Save', exact: false }).first().click();
    await expect(refusal(page)).toContainText(say('kept.refused.branding'));
    expect((await readBranding()).brand.name).not.toBe('Mine');
    await page.goto('/admin/settings/look');
    await expect(notice(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save', exact: false })).toHaveCount(0);
    await expectAccessible(page);
    await page.goto('/admin/settings/sign-in');
    const row = page.locator('#usernameChange');
    await expect(row).toContainText(say('kept.badge'));
    await expect(row).toContainText(say('kept.refused.setting'));
    await expect(row.getByRole('combobox')).toHaveCount(0);
    await page.goto('/admin/settings/security');
    await expect(page.locator('#profile')).toContainText(say('kept.refused.setting'));
  } finally {
    await letGoOf(...things);
  }
});
