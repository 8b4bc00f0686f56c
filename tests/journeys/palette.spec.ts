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
  await field.fill(`qzjx${Date.now()}`);
  await expect(dialog.getByRole('status')).toHaveText('Nothing found');
});

test('the palette keeps what fits of what it knows while the server searches', async ({
  page,
  admin: _,
}) => {
  await page.goto('/admin/scopes');
  const dialog = page.getByRole('dialog', { name: 'Go anywhere' });
  const field = dialog.getByRole('combobox');
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(dialog.getByRole('option', { name: 'Home' })).toBeVisible({ timeout: 1000 });
  }).toPass();
  let answer = () => {};
  const slow = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/admin/find?q=*', async (route) => {
    await slow;
    await route.continue();
  });
  await field.fill('not signed in');
  const status = dialog.getByRole('status');
  await expect(status).toHaveText('Searching…');
  const fitting = dialog.getByRole('option', { name: 'People: Not signed in for 90 days' });
  await expect(fitting).toHaveAttribute('aria-selected', 'true');
  await expect(dialog.getByRole('option')).toHaveCount(1);
  answer();
  await expect(status).toHaveText(/result/);
  await expect(fitting).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin/people?quiet=days90');
});
