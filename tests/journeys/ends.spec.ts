import type { Locator } from '@playwright/test';
import { showAccess } from '#lib/management/client/access.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { listMembers } from '#lib/management/group/members.ts';
import { showUser, userWithId } from '#lib/management/user/users.ts';
import { write } from '#lib/store/engine/database.ts';
import { spareOthers } from '#lib/store/unused.ts';
import { axeFindings } from '../support/axe.ts';
import { done, mark, section, test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';
import { set } from '../support/settings.ts';

const day = 24 * 3600_000;

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled, timezoneId: 'America/Havana' });
    // The zone is the browser's, once a script has told it.
    const end = new Date(javaScriptEnabled ? '2031-03-01T05:00:00Z' : '2031-03-01T00:00:00Z');

    test('a contractor’s account, membership and place on a list end after a last day', async ({
      page,
      admin: _,
    }) => {
      const { id, username } = await newUser();
      const group = await createGroup({ name: `Guests ${mark()}` }, { id: 'cli' }, new Date());
      const app = await newClient({ access: 'listed' });
      await page.goto('/admin');
      await page.goto(`/admin/people/${id}`);
      const access = section(page, 'Access');
      await access.getByLabel('Last day').fill('2031-02-28');
      await access.getByRole('button', { name: 'Save last day' }).click();
      await expect(done(page)).toContainText('The account ends after this day.');
      await expect(page.getByText('until Feb 28, 2031')).toBeVisible();
      expect((await userWithId(id)).endsAt).toEqual(end);

      await page.goto(`/admin/groups/${group.id}`);
      const members = section(page, 'Members');
      await members.getByLabel('Add people').fill(username);
      await members.getByLabel('Last day').fill('2031-02-28');
      await members.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(members).toContainText('until Feb 28, 2031');
      expect((await listMembers(group.id)).rows).toMatchObject([{ id, endsAt: end }]);

      await page.goto(`/admin/clients/${app.id}/access`);
      const list = section(page, 'Groups and people listed');
      await list.getByLabel('Username or email').fill(username);
      await list.getByLabel('Last day').fill('2031-02-28');
      await list.getByRole('button', { name: 'Add person' }).click();
      await expect(page.getByText('until Feb 28, 2031')).toBeVisible();
      expect((await showAccess(app.id)).people).toMatchObject([{ id, endsAt: end }]);

      await page.goto(`/admin/people/${id}`);
      await access.getByLabel('Last day').fill('2020-01-01');
      await access.getByRole('button', { name: 'Save last day' }).click();
      await expect(access.getByLabel('Last day')).toHaveAccessibleDescription(/is over/);
      await access.getByLabel('Last day').fill('');
      await access.getByRole('button', { name: 'Save last day' }).click();
      await expect(done(page)).toContainText('no longer ends by itself');
      expect((await userWithId(id)).endsAt).toBeNull();
    });

    test('a contractor for three months is made with four clicks', async ({ page, admin: _ }) => {
      const group = await createGroup({ name: `Guests ${mark()}` }, { id: 'cli' }, new Date());
      const username = `contractor-${mark()}`.toLowerCase();
      await page.goto('/admin');
      let clicks = 0;
      const click = async (what: Locator) => {
        clicks += 1;
        await what.click();
      };
      await click(page.getByRole('navigation').getByRole('link', { name: 'People' }).first());
      await click(page.getByRole('link', { name: 'Add a person' }).first());
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('Email address').fill(`${username}@example.org`);
      await page.getByLabel('Last day').fill('2031-02-28');
      const choice = page.getByRole('checkbox', { name: group.name });
      if (await choice.isVisible()) await click(choice);
      await click(page.getByRole('button', { name: 'Add person' }));
      await expect(page.getByText(username).first()).toBeVisible();
      expect((await showUser(username)).endsAt).toEqual(end);
      expect(clicks).toBeLessThanOrEqual(4);
    });

    test('many accounts get a last day at once', async ({ page, admin: _ }) => {
      const some = await Promise.all([newUser(), newUser()]);
      const query = some.map(({ id }) => `id=${id}`).join('&');
      await page.goto('/admin');
      await page.goto(`/admin/people/many/set-end?${query}`);
      await page.getByLabel('Last day').fill('2031-02-28');
      await page.getByRole('button', { name: 'Set last day of 2 accounts' }).click();
      await expect(page.getByText('Finished.')).toBeVisible({ timeout: 20_000 });
      for (const { id } of some) expect((await userWithId(id)).endsAt).toEqual(end);
    });

    test('unused accounts are shown, and warned when an admin says so', async ({
      page,
      admin: _,
    }) => {
      // Only these were made so long ago that the rule concerns them.
      const made = new Date(Date.now() - 20 * 365 * day);
      const some = await Promise.all([newUser(), newUser()]);
      for (const { id } of some)
        await write('UPDATE users SET created_at = $2 WHERE id = $1', [id, made]);
      await set('UNUSED_ACCOUNT_DAYS', '3650');
      await page.goto('/admin/settings/sign-in');
      await section(page, 'Unused accounts').getByRole('link', { name: 'See which' }).click();
      await expect(page.getByText('An account that is not used for 3,650 days')).toBeVisible();
      for (const { username } of some)
        await expect(page.getByRole('row').filter({ hasText: username })).toContainText('Never');
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Warn 2 people' }).click();
      await expect(done(page)).toContainText('2 people were warned.');
      for (const { id } of some) expect((await userWithId(id)).endReason).toBe('unused');
      await set('UNUSED_ACCOUNT_DAYS', null);
      await spareOthers(null);
      await write('UPDATE users SET created_at = $1 WHERE created_at = $2', [new Date(), made]);
    });
  });
}
