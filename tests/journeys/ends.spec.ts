import { showAccess } from '#lib/management/client/access.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { listMembers } from '#lib/management/group/members.ts';
import { userWithId } from '#lib/management/user/users.ts';
import { done, mark, section, test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

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
  });
}
