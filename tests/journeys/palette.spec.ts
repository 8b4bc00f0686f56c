import { createClient } from '#lib/management/client/clients.ts';
import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';

test('the palette (Ctrl-K) opens apps, pages, settings, actions and the documentation by keyboard alone', async ({
  page,
  admin: _,
}) => {
  const mark = `palette${Date.now()}`;
  const { client } = await createClient(
    { name: `Shop ${mark}`, redirectUris: ['https://app.example/cb'] },
    { id: 'cli' },
    new Date(),
  );
  await page.goto('/admin/scopes');
  const dialog = page.getByRole('dialog', { name: 'Go anywhere' });
  const field = dialog.getByRole('combobox', { name: 'Go anywhere' });
  const open = () =>
    expect(async () => {
      await page.keyboard.press('Control+k');
      await expect(field).toBeFocused({ timeout: 1000 });
    }, 'the keys open it once scripts run').toPass();
  const goTo = async (typed: string, option: string | RegExp, address: string | RegExp) => {
    await open();
    await field.fill(typed);
    await expect(
      dialog.getByRole('option', { name: option, selected: true }),
      'of the text that was typed',
    ).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(address);
    await expect(dialog).toBeHidden();
  };
  await open();
  await expect(dialog.getByRole('option', { name: 'Home' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await goTo(mark, `Shop ${mark}`, `/admin/clients/${client.id}`);
  await goTo('logo', 'Settings: Look', '/admin/settings/look');
  await goTo('backup', 'Settings: General', '/admin/settings/general');
  await goTo('create team', 'Add a group', '/admin/groups/new');
  await goTo('require_pkce', /^Require PKCE/, '/admin/settings/security#requirePkce');
  await goTo('error redirect_uri registered', /./, /\/docs\//);

  await page.goto('/admin');
  await open();
  await field.pressSequentially('logo');
  await page.keyboard.press('Enter');
  await expect(page, 'Enter before the answer waits for it').toHaveURL('/admin/settings/look');

  await page.goto('/admin');
  await open();
  await field.fill(`${mark} nowhere`);
  await expect(dialog.getByRole('status')).toHaveText('Nothing found');
});
