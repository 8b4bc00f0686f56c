import { showClient, updateClient } from '#lib/management/client/clients.ts';
import { createGroup, showGroup } from '#lib/management/group/groups.ts';
import { addMembers } from '#lib/management/group/members.ts';
import { allow } from '#lib/store/access.ts';
import { expectAccessible } from '../support/axe.ts';
import { ageSignIn, test } from '../support/dashboard.ts';
import { expect, refusal } from '../support/journey.ts';
import { newClient, newUser, password } from '../support/seed.ts';

const cli = { id: 'cli' };

/** Creates the group unless another journey already has, and adds a member. */
async function groupWith(name: string, member: { id: string }): Promise<void> {
  await createGroup({ name }, cli, new Date()).catch(() => null);
  await addMembers((await showGroup(name)).id, [member.id], cli, new Date());
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an admin maps groups to claims of an app, and previews the claims', async ({
      page,
      admin,
    }) => {
      test.slow();
      const client = await newClient();
      const person = await newUser();
      await groupWith('editors', person);
      await page.goto(`/admin/clients/${client.id}/access`);
      const card = page.getByRole('region', { name: 'Claims', exact: true });
      await expect(card).toContainText('For someone in editors, staff, the app gets:');
      await card.getByLabel('Claim for groups').fill('email');
      await card.getByLabel('Names this app uses').fill('editors = admin\nowners =');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(refusal(page)).toContainText('Nothing was saved');
      await expect(card.getByLabel('Claim for groups')).toHaveAccessibleDescription(
        /“email” means something else/,
      );
      await expect(card.getByLabel('Names this app uses')).toHaveAccessibleDescription(
        /Say what the app gets instead of “owners”/,
      );
      await expect(card.getByLabel('Names this app uses')).toHaveValue('editors = admin\nowners =');
      if (javaScriptEnabled) await expectAccessible(page);

      await card.getByLabel('Claim for groups').fill('https://example.org/roles');
      await card.getByLabel('Names this app uses').fill('editors = admin\nowners = admin');
      await card.getByLabel('Fixed claims').fill('plan = pro\nseats = 5');
      await ageSignIn(admin, 16);
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Confirm and continue' }).click();
      await expect(page.getByRole('status')).toContainText('Saved. Changes take effect');
      await expect(card).toContainText('No group has this exact name: owners.');
      await expect(card).toContainText('"https://example.org/roles": ["admin"]');
      const { groupsClaim, groupNames, constantClaims } = await showClient(client.id);
      expect({ groupsClaim, groupNames, constantClaims }).toEqual({
        groupsClaim: 'https://example.org/roles',
        groupNames: { editors: 'admin', owners: 'admin' },
        constantClaims: { plan: 'pro', seats: '5' },
      });

      await card.getByRole('link', { name: 'Preview' }).click();
      await expect(page).toHaveURL(`/admin/clients/${client.id}/preview`);
      await page.getByLabel('Person', { exact: true }).fill(person.username);
      await page.getByLabel('groups', { exact: true }).check();
      await page.getByRole('button', { name: 'Show' }).click();
      for (const name of ['ID token', 'User information', 'Introspection'])
        await expect(
          page.getByRole('region', { name, exact: true }).getByRole('row').filter({
            hasText: 'https://example.org/roles',
          }),
        ).toContainText('["admin"]');
      if (javaScriptEnabled) await expectAccessible(page);
    });
  });
}

test('saving the claims of an app unchanged changes nothing, whatever characters they have', async ({
  page,
  admin,
}) => {
  const { id } = await newClient();
  const change = {
    groupsClaim: 'roles',
    groupsPrefix: 'app-',
    groupNames: { 'cn=a "b" = c': 'x = y', '"quoted"': '<b>' },
    constantClaims: { tags: '["a", "b"]', 'https://example.org/a?b': 'd = "e"' },
    claimShape: 'wp-oauth-server' as const,
  };
  const before = (await updateClient(id, change, { actor: { id: admin.id }, now: new Date() }))
    .client;
  await page.goto(`/admin/clients/${id}/access`);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('status')).toContainText('Saved. Changes take effect');
  expect(await showClient(id)).toEqual(before);
});

test('the claims preview for a user in 101 groups says why the ID token has no groups', async ({
  page,
  admin,
}) => {
  test.slow();
  const client = await newClient();
  for (let index = 0; index <= 100; index += 1) await groupWith(`many-${index}`, admin);
  const query = `person=${admin.username}&chosen=1&scope-openid=on&scope-groups=on`;
  await page.goto(`/admin/clients/${client.id}/preview?${query}`);
  await expect(page.getByText('The ID token leaves groups out')).toBeVisible();
  await page.setViewportSize({ width: 360, height: 800 });
  await expectAccessible(page);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
});

test('the claims preview says that the user may not use the app', async ({ page, admin }) => {
  const client = await newClient({ access: 'listed' });
  await page.goto(`/admin/clients/${client.id}/preview?person=${admin.username}`);
  await expect(page.getByText('lists neither them nor any of their groups')).toBeVisible();
  await allow(client.id, { groups: [], people: [admin.id] }, [], new Date());
  await page.reload();
  await expect(page.getByRole('heading', { name: 'User information' })).toBeVisible();
  await expect(page.getByText('can’t use this app')).toBeHidden();
});
