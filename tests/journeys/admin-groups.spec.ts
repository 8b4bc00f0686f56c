import type { Page } from '@playwright/test';
import {
  createGroup,
  deleteGroup,
  groupsOf,
  listGroups,
  showGroup,
} from '#lib/management/group/groups.ts';
import { addMembers, listMembers } from '#lib/management/group/members.ts';
import { write } from '#lib/store/engine/database.ts';
import { ageSignIn, done, mark, section, test } from '../support/dashboard.ts';
import { expect, refusal, signIn } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

const cli = { id: 'cli' };
const now = () => new Date();
const membersOf = async (id: string) =>
  (await listMembers(id)).rows.map(({ username }) => username).sort();

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a group is added, filled, found, renamed, and deleted with a warning of what that changes', async ({
      page,
      admin,
    }) => {
      const name = `Editors ${mark()}`;
      const ada = await newUser();
      const bob = await newUser();
      await page.goto('/admin');
      await page.getByRole('link', { name: 'Groups', exact: true }).click();
      await page.getByRole('link', { name: 'Add a group' }).first().click();
      await page.getByLabel('Name', { exact: true }).fill('admins, editors');
      await page.getByRole('textbox', { name: 'Description' }).fill('They write');
      await page.getByRole('button', { name: 'Add group' }).click();
      await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(
        /Leave out the comma/,
      );
      await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('They write');
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByRole('button', { name: 'Add group' }).click();
      await expect(done(page)).toContainText(`Group ${name} added.`);
      const { id } = await showGroup(name);
      await expect(page).toHaveURL(`/admin/groups/${id}`);

      const members = section(page, 'Members');
      await expect(members).toContainText('No one yet.');
      await members.getByLabel('Add people').fill(`${ada.username}, ${bob.email}`);
      await members.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(done(page)).toContainText('2 people added.');
      expect(await membersOf(id)).toEqual([ada.username, bob.username].sort());
      await members.getByRole('button', { name: `Remove ${bob.username} from this group` }).click();
      await expect(done(page)).toContainText('Removed from the group.');
      expect(await membersOf(id)).toEqual([ada.username]);
      await members.getByLabel('Add people').fill(ada.username);
      await members.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(done(page)).toContainText('Already in the group.');
      await members.getByLabel('Add people').fill(`${ada.username}, nobody-here`);
      await members.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(members.getByLabel('Add people')).toHaveAccessibleDescription(/nobody-here/);

      await page.goto(`/admin/groups?q=${encodeURIComponent(name.toLowerCase())}`);
      const row = page.getByRole('row').filter({ hasText: name });
      await expect(row).toContainText('They write');
      await expect(row.getByRole('cell').nth(0)).toContainText('1');
      await page.goto(`/admin/search?q=${encodeURIComponent(name)}`);
      await section(page, 'Groups').getByRole('link', { name }).click();

      const client = await newClient({ name: `Pottery ${mark()}` });
      const allow =
        'INSERT INTO client_groups (client_id, group_id, created_at) VALUES ($1, $2, $3)';
      await write(allow, [client.id, id, now()]);
      const other = `${name} too`;
      await page.getByLabel('Name', { exact: true }).fill(other);
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(done(page)).toContainText('Saved.');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(other);
      await expect(section(page, 'Apps limited to it')).toContainText('Pottery');
      await section(page, 'Delete this group').getByText('Delete…').click();
      await expect(section(page, 'Delete this group')).toContainText(
        `This deletes ${other}. One person is no longer in it`,
      );
      await expect(section(page, 'Delete this group')).toContainText('One app is limited to it');
      await page.getByRole('button', { name: 'Yes, delete it' }).click();
      await expect(page).toHaveURL('/admin/groups');
      await expect(done(page)).toContainText(`Group ${other} deleted.`);
      expect(await groupsOf(ada.id)).toEqual([]);
      await page.goto(`/admin/audit?actor=${admin.username}&type=group`);
      await expect(page.getByRole('table')).toContainText(
        `${admin.username} added ${ada.username} to the group ${name}`,
      );
    });

    test('a person is added to a group by the start of their name, and chosen among several matches', async ({
      page,
      admin: _,
    }) => {
      const word = mark();
      const one = await newUser({ name: `Zoe ${word}` });
      const two = await newUser({ name: `Zoe ${word}` });
      const group = await createGroup({ name: `Lookers ${word}` }, cli, now());
      await page.goto(`/admin/groups/${group.id}`);
      await page.getByLabel('Add people').fill(`zoe ${word}`);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(page.getByText(`Who do you mean by “zoe ${word}”?`)).toBeVisible();
      expect(await membersOf(group.id)).toEqual([]);
      await expect(page.getByRole('button', { name: `Add ${one.username}` })).toBeVisible();
      await page.getByRole('button', { name: `Add ${two.username}` }).click();
      await expect(done(page)).toContainText('One person added.');
      expect(await membersOf(group.id)).toEqual([two.username]);
      await page.getByLabel('Add people').fill(`nobody-${word}`);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(
        page.getByText(`No one here has a name that starts with “nobody-${word}”.`),
      ).toBeVisible();
    });

    test('the page of a person shows their groups, and adds and removes them', async ({
      page,
      admin,
    }) => {
      const word = mark();
      const user = await newUser();
      const group = await createGroup({ name: `Finance ${word}` }, cli, now());
      await ageSignIn(admin, 16);
      await page.goto(`/admin/people/${user.id}`);
      const groups = section(page, 'Groups');
      await expect(groups).toContainText('Not in any group.');
      const field = groups.getByLabel('Add to a group');
      const many = (await field.evaluate((element) => element.tagName)) === 'INPUT';
      if (many) await field.fill(group.name.toUpperCase());
      else await field.selectOption({ label: group.name });
      await groups.getByRole('button', { name: 'Add', exact: true }).click();
      // A group can make its members admins of an app, so the sign-in has to be confirmed first.
      await expect(groups.getByLabel('Your password')).toBeVisible();
      expect(await groupsOf(user.id)).toEqual([]);
      await ageSignIn(admin, 1);
      await groups.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(done(page)).toContainText(`Added to ${group.name}.`);
      expect(await groupsOf(user.id)).toEqual([{ id: group.id, name: group.name }]);
      await groups.getByRole('button', { name: `Remove from ${group.name}` }).click();
      await expect(done(page)).toContainText('Removed from the group.');
      expect(await groupsOf(user.id)).toEqual([]);
    });

    test('two admins edit a group: the second is warned, and renaming needs a fresh sign-in', async ({
      page,
      admin,
    }) => {
      const group = await createGroup({ name: `Writers ${mark()}` }, cli, now());
      await page.goto(`/admin/groups/${group.id}`);
      await write('UPDATE user_groups SET updated_at = $2, description = $3 WHERE id = $1', [
        group.id,
        now(),
        'Of somebody else',
      ]);
      await page.getByRole('textbox', { name: 'Description' }).fill('Mine');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(refusal(page)).toContainText('Someone else saved a change');
      expect((await showGroup(group.id)).description).toBe('Of somebody else');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(done(page)).toContainText('Saved.');
      expect((await showGroup(group.id)).description).toBe('Mine');
      await ageSignIn(admin, 16);
      await page.getByLabel('Name', { exact: true }).fill(`${group.name} 2`);
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByLabel('Your password')).toBeVisible();
      expect((await showGroup(group.id)).name).toBe(group.name);
    });

    test('a new person and an invitation get groups', async ({ page, admin: _, browser }) => {
      const word = mark();
      const one = await createGroup({ name: `Readers ${word}` }, cli, now());
      const gone = await createGroup({ name: `Gone ${word}` }, cli, now());
      const username = `new${word}`;
      await page.goto('/admin/people/new');
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('Email address').fill(`${username}@example.org`);
      await giveGroups(page, [one.name]);
      await page.getByRole('button', { name: 'Add person' }).click();
      await expect(page.getByText(`${username} can now sign in`)).toBeVisible();
      expect(await membersOf(one.id)).toEqual([username]);

      await page.goto('/admin/people/invite');
      const email = `invited${word}@example.org`;
      await page.getByLabel('Email address').fill(email);
      await giveGroups(page, [one.name, gone.name]);
      await page.getByRole('button', { name: 'Create link' }).click();
      const link = (await page.locator('dd').first().textContent()) ?? '';
      // It is immediately in the list below, as well as beside the link.
      await expect(page.getByRole('row').filter({ hasText: email })).toContainText(
        `Gone ${word}, Readers ${word}`,
      );
      await deleteGroup(gone.id, cli, now());
      const other = await (await browser.newContext({ javaScriptEnabled })).newPage();
      await other.goto(new URL(link).pathname + new URL(link).search);
      await other.getByLabel('Username').fill(`invited${word}`);
      await other.getByLabel('Password', { exact: true }).fill('four quiet unrelated words');
      await other.getByRole('button', { name: 'Create account' }).click();
      await expect(other).toHaveURL('/account');
      expect(await membersOf(one.id)).toEqual([`invited${word}`, username].sort());
      await other.goto('/account/profile');
      await expect(section(other, 'Your groups')).toContainText(`Readers ${word}`);
      await expect(section(other, 'Your groups').getByRole('button')).toHaveCount(0);
      await other.context().close();
    });
  });
}

/** Ticks the groups, or types their names where there are many. */
async function giveGroups(page: Page, names: readonly string[]): Promise<void> {
  const { next } = await listGroups({ limit: 30 });
  if (next) await page.getByLabel(/^Groups/).fill(names.join(', '));
  else for (const name of names) await page.getByLabel(name, { exact: true }).check();
}

test('with more than 30 groups they are typed instead of chosen from a list', async ({
  page,
  admin: _,
}) => {
  const word = mark();
  await Promise.all(
    Array.from({ length: 31 }, (_, index) => createGroup({ name: `${word} ${index}` }, cli, now())),
  );
  const user = await newUser();
  await page.goto(`/admin/people/${user.id}`);
  const groups = section(page, 'Groups');
  await groups.getByLabel('Add to a group').fill('no such group');
  await groups.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(groups.getByLabel('Add to a group')).toHaveAccessibleDescription(
    /There is no group "no such group"/,
  );
  await groups.getByLabel('Add to a group').fill(`${word} 7`);
  await groups.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(done(page)).toContainText(`Added to ${word} 7.`);
  await page.goto(`/admin/groups?person=${user.id}`);
  await expect(page.getByText(`The groups ${user.username} is in.`)).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(2);
});

test('a group with many members is paged and searched', async ({ page, admin: _ }) => {
  const word = mark();
  const group = await createGroup({ name: `Crowd ${word}` }, cli, now());
  const users = [];
  for (let index = 0; index < 27; index += 1) users.push(await newUser());
  await addMembers(
    group.id,
    users.map(({ id }) => id),
    cli,
    now(),
  );
  await page.goto(`/admin/groups/${group.id}`);
  const members = section(page, 'Members');
  await expect(members).toContainText('27 members');
  await expect(members.getByRole('row')).toHaveCount(26);
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(members.getByRole('row')).toHaveCount(3);
  const sought = users[3]?.username ?? '';
  await page.getByRole('searchbox', { name: 'Search members' }).fill(sought);
  await members.getByRole('button', { name: 'Search' }).click();
  await expect(members.getByRole('row')).toHaveCount(2);
  await expect(members).toContainText(sought);
});

test('the groups of the dashboard are not found by a user who is no admin', async ({ page }) => {
  const user = await newUser();
  const group = await createGroup({ name: `Secret ${mark()}` }, cli, now());
  await signIn(page, user.username);
  for (const path of ['/admin/groups', `/admin/groups/${group.id}`, '/admin/groups/new'])
    expect((await page.goto(path))?.status()).toBe(404);
  await page.goto('/account/profile');
  await expect(section(page, 'Your groups')).toHaveCount(0);
});
