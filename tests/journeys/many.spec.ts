import type { Page } from '@playwright/test';
import { batches } from '#lib/management/batch/run.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { addMembers } from '#lib/management/group/members.ts';
import {
  disableUser,
  enableUser,
  requireSecondFactor,
  setRole,
  userWithId,
} from '#lib/management/user/users.ts';
import { write } from '#lib/store/engine/database.ts';
import { axeFindings } from '../support/axe.ts';
import { expect, signIn, test } from '../support/journey.ts';
import { newUser, oldUser } from '../support/seed.ts';

async function asAdmin(page: Page) {
  const admin = await newUser({ isAdmin: true });
  await signIn(page, admin.username);
  return admin;
}

const people = (count: number) => Promise.all(Array.from({ length: count }, () => newUser()));
const fact = (page: Page, name: string) =>
  page.getByRole('term').filter({ hasText: name }).locator('+ dd');

const cli = { id: 'cli' };

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a batch on many people is confirmed once, and its page shows progress and what was not done', async ({
      page,
    }) => {
      const me = await asAdmin(page);
      const some = await people(3);
      const query = [...some, me].map(({ id }) => `id=${id}`).join('&');
      await page.goto(`/admin/people/many/disable?${query}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Disable 4 people?');
      for (const { username } of some) await expect(page.getByText(username)).toBeVisible();
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Disable 4 people' }).click();
      await expect(page).toHaveURL(/\/admin\/people\/batches\/[\w-]+$/);
      await expect(page.getByText('Finished.')).toBeVisible({ timeout: 20_000 });
      await expect(fact(page, 'Done').first()).toHaveText('3');
      const notDone = page.getByRole('region', { name: 'Skipped' });
      await expect(notDone.getByRole('row').filter({ hasText: me.username })).toContainText(
        'This is you.',
      );
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
      for (const { id } of some) expect((await userWithId(id)).disabledAt).not.toBeNull();
      await page.goto('/admin/people/batches');
      await expect(page.getByRole('row').filter({ hasText: 'Disable' }).first()).toContainText('4');
    });

    test('a batch is undone in two clicks; whoever has changed since is named and left alone', async ({
      page,
    }) => {
      await asAdmin(page);
      const word = `undo${Date.now()}`;
      const some = await Promise.all(
        Array.from({ length: 21 }, () => newUser({ name: `Some ${word}` })),
      );
      await page.goto(`/admin/people/many/disable?all=on&q=Some ${word}&state=enabled`);
      await expect(page.getByText('You can undo this for 30 days.')).toBeVisible();
      await page.getByRole('button', { name: 'Disable 21 people' }).click();
      await expect(page.getByText(/a note is needed above 20/)).toBeVisible();
      await page.getByLabel('Why?').fill('Left in 2030');
      await page.getByRole('button', { name: 'Disable 21 people' }).click();
      await expect(page.getByText('Finished.')).toBeVisible({ timeout: 20_000 });
      await expect(fact(page, 'Why')).toHaveText('Left in 2030');
      await expect(fact(page, 'Chosen by')).toHaveText(`Search: Some ${word} · Disabled: No`);
      const [changed, deleted] = some;
      await enableUser(changed?.id ?? '', cli, new Date());
      await write('DELETE FROM users WHERE id = :id', { id: deleted?.id ?? '' });
      // The page that was reached without scripts refreshes itself while the work goes on.
      await page.reload();
      await page.getByRole('link', { name: 'Undo…' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        'Undo “Disable” for 19 people?',
      );
      const left = page.getByRole('region', { name: 'Left alone: 2 people' });
      await expect(left.getByRole('row').filter({ hasText: changed?.username })).toContainText(
        'changed this person since',
      );
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Undo for 19 people' }).click();
      await expect(page).toHaveURL(/\/admin\/people\/batches\/[\w-]+$/);
      await expect(page.getByText('Finished.')).toBeVisible({ timeout: 20_000 });
      await expect(fact(page, 'Done').first()).toHaveText('19');
      await expect(page.getByRole('link', { name: 'Undo…' })).toHaveCount(0);
      for (const { id } of some.slice(2)) expect((await userWithId(id)).disabledAt).toBeNull();
      await page.getByRole('link', { name: 'This bulk action' }).click();
      await expect(page.getByText('Left in 2030')).toBeVisible();
    });

    test('a batch on all people of a filter, and one that needs a group', async ({ page }) => {
      await asAdmin(page);
      const [one] = await people(1);
      await page.goto(`/admin/people/many/enable?all=on&q=${one?.username}&sort=name&page=2`);
      await page.getByRole('button', { name: 'Enable 1 person' }).click();
      await expect(fact(page, 'Already so')).toHaveText('1', { timeout: 20_000 });
      await page.goto(`/admin/people/many/add-to-group?all=on&q=${one?.username}`);
      await page.getByRole('button', { name: 'Add 1 person' }).click();
      await expect(page.getByText('Choose a group.')).toBeVisible();
      await page.goto('/admin/people/many/delete?all=on&q=nobody-is-called-so');
      await expect(page.getByText('Select at least one person.')).toBeVisible();
      await expect(page.getByRole('button', { name: /Delete/ })).toHaveCount(0);
      expect((await page.goto('/admin/people/many/delete?all=on&later=x'))?.status()).toBe(404);
      expect((await page.goto('/admin/people/many/delete?all=on&quiet=x'))?.status()).toBe(404);
      expect((await page.goto('/admin/people/many/unheard-of?id=x'))?.status()).toBe(404);
    });
  });
}

test('a batch on all that match a filter means the people whom the list shows, for every filter', async ({
  page,
}) => {
  await asAdmin(page);
  const word = `alike${Date.now()}`;
  const some = [
    await oldUser(null, `One ${word}`),
    await oldUser(100, `Two ${word}`),
    await oldUser(40, `Three ${word}`),
    await newUser({ name: `Four ${word}`, role: 'support' }),
  ];
  const [one, two, three] = some.map(({ id }) => id);
  const { id: group, name } = await createGroup({ name: `${word} group` }, cli, new Date());
  await addMembers(group, [one ?? '', two ?? ''], cli, new Date());
  await disableUser(three ?? '', cli, new Date());
  await write(
    `INSERT INTO totp_secrets (user_id, enrolment, sealed_secret, last_step, created_at)
      VALUES (:id, :id, 'sealed', 0, :now)`,
    { id: two ?? '', now: new Date() },
  );
  await requireSecondFactor(one ?? '', true, cli, new Date());
  await write(
    `INSERT INTO directory_people (directory, entry_id, user_id, dn, disabled_by_it, created_at, last_seen_at)
      VALUES ('staff', :id, :id, 'uid=three', FALSE, :now, :now)`,
    { id: three ?? '', now: new Date() },
  );
  const found: Record<string, number> = {};
  for (const filter of [
    '',
    'quiet=never',
    'quiet=days30',
    'quiet=days90',
    'quiet=days90&state=enabled',
    `group=${group}`,
    `group=${name}`,
    'step=with',
    'step=without',
    'group=nobody',
    'step=required',
    'directory=staff',
    'directory=nowhere',
    'state=enabled',
    'state=disabled',
    'state=locked',
    'role=support',
    'role=none',
  ]) {
    const whom = async (address: string) => {
      const markup = await (await page.request.get(`${address}&${filter}`)).text();
      return some.map(({ username }) => markup.includes(username));
    };
    const listed = await whom(`/admin/people?q=${word}`);
    const meant = await whom(`/admin/people/many/sign-out?all=on&q=${word}`);
    expect(meant, filter).toEqual(listed);
    found[filter] = listed.filter(Boolean).length;
  }
  expect(Object.values(found)).toEqual([4, 2, 3, 2, 2, 2, 2, 1, 3, 0, 1, 1, 0, 3, 1, 0, 1, 3]);
});

test('a batch by a support user: signing out is allowed, disabling is not found', async ({
  page,
}) => {
  const [helper, someone] = await people(2);
  await setRole(helper?.id ?? '', 'support', cli, new Date());
  await signIn(page, helper?.username ?? '');
  expect((await page.goto(`/admin/people/many/disable?id=${someone?.id}`))?.status()).toBe(404);
  await page.goto(`/admin/people/many/sign-out?id=${someone?.id}`);
  await page.getByRole('button', { name: 'Sign 1 person out' }).click();
  await expect(page.getByText('Finished.')).toBeVisible({ timeout: 20_000 });
});

test('a running batch can be stopped', async ({ page }) => {
  await asAdmin(page);
  const { startBatch } = await import('#lib/management/batch/batches.ts');
  const { actingAs } = await import('#lib/management/act.ts');
  const by = { ...actingAs('admin', { id: 'cli' }), now: new Date(), demandFresh: () => {} };
  const ids = Array.from({ length: 10_000 }, (_, index) => `nobody-${index}`);
  const { id } = await startBatch({ operation: 'disable', meant: { ids }, note: 'all' }, by);
  await page.goto(`/admin/people/batches/${id}`);
  await expect(page.getByRole('progressbar')).toHaveAccessibleName(/^[\d,]+ of 10,000$/);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText(/Someone stopped it/)).toBeVisible();
  await batches.work();
});
