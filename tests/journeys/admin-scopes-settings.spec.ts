import { createClient } from '#lib/management/client/clients.ts';
import { listScopes, updateScope } from '#lib/management/scope/scopes.ts';
import { readSettings } from '#lib/store/settings.ts';
import { ageSignIn, test } from '../support/dashboard.ts';
import { expect, refusal } from '../support/journey.ts';
import { set } from '../support/settings.ts';

const cli = { id: 'cli' };

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a scope is added, described, and deleted with a warning of what that changes', async ({
      page,
      admin,
    }) => {
      const name = `notes.${admin.username}`;
      await page.goto('/admin/scopes/new');
      await page.getByLabel('Name', { exact: true }).fill('two words');
      await page.getByLabel('What people read').fill('Read your notes');
      await page.getByLabel('Sensitive').check();
      await page.getByRole('button', { name: 'Add scope' }).click();
      await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(
        /RFC 6749 section 3.3/,
      );
      await expect(page.getByLabel('Sensitive')).toBeChecked();
      if (javaScriptEnabled) {
        const line = page.getByRole('listitem').filter({ hasText: 'Read your notes' });
        await expect(line).toContainText('sensitive');
        await page.getByLabel('Sensitive').uncheck();
        await expect(line).not.toContainText('sensitive');
        await page.getByLabel('Sensitive').check();
        await expect(line).toContainText('sensitive');
      }
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByRole('button', { name: 'Add scope' }).click();
      await expect(page).toHaveURL(`/admin/scopes/${name}`);
      await expect(page.getByText('No app can ask for it yet.')).toBeVisible();

      await createClient({ name: `Notes of ${admin.username}`, scopes: [name] }, cli, new Date());
      await updateScope(name, { isDefault: true }, { actor: cli, now: new Date() });
      await page.getByLabel('What people read').fill('Read all your notes');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(refusal(page)).toContainText('The command line saved a change');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
      await expect(page.getByRole('link', { name: `Notes of ${admin.username}` })).toBeVisible();

      await page.getByText('Delete…').click();
      await expect(page.getByText('removed from 1 app')).toBeVisible();
      await page.getByRole('button', { name: 'Yes, delete it' }).click();
      await expect(page).toHaveURL('/admin/scopes');
      expect((await listScopes()).map((scope) => scope.name)).not.toContain(name);
    });

    test('settings are changed, refused at the field, not overwritten unnoticed, and reset', async ({
      page,
      admin,
    }) => {
      await page.goto('/admin/settings');
      await expect(page).toHaveURL('/admin/settings/general');
      await page.getByRole('link', { name: 'Security', exact: true }).click();
      await expect(page).toHaveURL('/admin/settings/security');
      await expect(page.getByText('Less secure')).toHaveCount(0);
      await expect(page.locator('#profile-changes')).toContainText('Require PKCE: Off → On');
      await page.getByText('Details', { exact: true }).click();
      await expect(page.locator('#alwaysIssueNewRefreshToken')).toContainText('Environment only');
      await page.locator('#requirePkce select').selectOption({ label: 'On' });
      await page.getByLabel('Access token', { exact: true }).fill('an hourr');
      const save = page.getByRole('button', { name: 'Save settings' });
      await save.click();
      await expect(page.getByLabel('Access token', { exact: true })).toHaveAccessibleDescription(
        /“hourr” isn’t a unit of time/,
      );
      expect((await readSettings()).requirePkce).toBe(false);

      await page.getByLabel('Access token', { exact: true }).fill('20 minutes');
      await ageSignIn(admin, 16);
      await save.click();
      await expect(page.getByLabel('Your password')).toBeVisible();
      await expect(page.getByLabel('Access token', { exact: true })).toHaveValue('20 minutes');
      await ageSignIn(admin, 1);
      await set('ACCESS_TOKEN_TTL', '700');
      await save.click();
      await expect(refusal(page)).toContainText('The command line saved a change');
      expect(await readSettings()).toMatchObject({ accessTokenTtl: 700, requirePkce: false });
      await save.click();
      await expect(
        page.getByRole('status').filter({ hasText: '2 settings changed' }),
      ).toBeVisible();
      expect(await readSettings()).toMatchObject({ accessTokenTtl: 1200, requirePkce: true });
      await expect(page.getByLabel('Access token', { exact: true })).toHaveValue('20 minutes');

      await page.getByLabel('Strict', { exact: true }).check();
      await save.click();
      await expect(page.getByText('Choosing Compatible changes:')).toBeVisible();
      expect(await readSettings()).toMatchObject({ profile: 'strict', enforceRedirectUri: true });
      await page.locator('#requirePkce select').selectOption({ label: 'Off' });
      await save.click();
      await expect(page.getByText('Less secure than your profile').first()).toBeVisible();
      await expect(page.locator('#profile-changes')).toContainText(
        'stay as they’re set now: Require PKCE',
      );
      await page.getByLabel('Compatible', { exact: true }).check();
      await save.click();
      await expect(page.getByText('Less secure than your profile')).toHaveCount(0);
      expect(await readSettings()).toMatchObject({ profile: 'interface', requirePkce: false });

      await page.getByText('Reset details and lifetimes…').click();
      await expect(page.getByText('Require PKCE, Access token.')).toBeVisible();
      await page.getByRole('button', { name: 'Yes, reset' }).click();
      await expect(page.getByText('Reset details and lifetimes…')).toHaveCount(0);
      expect(await readSettings()).toMatchObject({ accessTokenTtl: 3600, requirePkce: false });
    });
  });
}

test('the security settings list the apps that FAPI 2.0 would refuse', async ({
  page,
  admin: _,
}) => {
  await createClient({ name: 'Old wiki', grants: ['client_credentials'] }, cli, new Date());
  await page.goto('/admin/settings/security');
  const would = page.getByText(/would be refused with FAPI 2.0/);
  await expect(would).toContainText(/^\d+ apps? .+: .+ How to make an app strong/);
  await set('SECURITY_PROFILE', 'fapi');
  await page.goto('/admin/settings/security');
  await expect(page.getByText(/(is|are) refused now/)).toContainText(/^\d+ apps? /);
  await set('SECURITY_PROFILE', null);
});
