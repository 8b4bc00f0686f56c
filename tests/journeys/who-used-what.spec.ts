import { text as readText } from 'node:stream/consumers';
import { createGroup } from '#lib/management/group/groups.ts';
import { addMembers } from '#lib/management/group/members.ts';
import { allow } from '#lib/store/access.ts';
import { axeFindings } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { approve } from '../support/grants.ts';
import { expect } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

const cli = { id: 'cli' };

async function newGroup(members: readonly string[]) {
  const name = `readers-${Date.now()}`;
  const { id } = await createGroup({ name }, cli, new Date());
  await addMembers(id, [...members], cli, new Date());
  return { id, name };
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('approvals are filtered by group and by last use, and exported so', async ({
      page,
      admin: _,
    }) => {
      const { id: app } = await newClient({ name: 'Cookbook' });
      const here = await newUser();
      const gone = await newUser();
      const other = await newUser();
      await approve(here.id, app, 2);
      await approve(gone.id, app, 95);
      await approve(other.id, app, 95);
      const group = await newGroup([here.id, gone.id]);
      const shown = async () => {
        const texts = await page.getByRole('rowheader').allTextContents();
        return [here, gone, other].map(({ username }) =>
          texts.some((text) => text.includes(username)),
        );
      };
      await page.goto(`/admin/approvals?client=${app}&group=${group.name}`);
      expect(await shown()).toEqual([true, true, false]);
      await page.goto(`/admin/approvals?client=${app}`);
      await page.locator('summary', { hasText: 'Filter' }).click();
      await page.getByLabel('Last used').selectOption({ label: 'In the last 30 days' });
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Apply' }).click();
      await expect(page.getByRole('rowheader')).toHaveCount(1);
      expect(await shown()).toEqual([true, false, false]);
      await page.goto(`/admin/approvals?client=${app}&group=${group.id}&used=not90`);
      expect(await shown()).toEqual([false, true, false]);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Export CSV' }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(/^approvals-\d{4}-\d\d-\d\d\.csv$/);
      const lines = (await readText(await file.createReadStream())).trim().split('\r\n');
      expect(lines).toHaveLength(2);
      expect(lines[1]).toContain(`${gone.id},${gone.username},,${app},Cookbook,openid,`);
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
    });

    test('the users of an app are two clicks from Home, and a cell leads to a user’s attempts', async ({
      page,
      admin: _,
    }) => {
      const name = `Bookkeeping ${Date.now()}`;
      const { id: app } = await newClient({ name, access: 'listed' });
      const ann = await newUser();
      const bob = await newUser();
      const other = await newUser();
      await allow(
        app,
        { groups: [(await newGroup([ann.id, bob.id])).id], people: [] },
        [],
        new Date(),
      );
      await approve(ann.id, app, 3);
      await page.goto('/admin');
      const path = [
        page.getByRole('link', { name: 'Apps', exact: true }).filter({ visible: true }).first(),
        page.getByRole('row').filter({ hasText: name }).getByRole('link', { name: '1 person' }),
      ];
      for (const link of path) await link.click();
      expect(path.length).toBeLessThanOrEqual(2);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Who may use ${name}`);
      const rows = page.getByRole('rowheader');
      await expect(rows).toHaveCount(2);
      for (const { username } of [ann, bob])
        await expect(rows.filter({ hasText: username })).toBeVisible();
      await expect(rows.filter({ hasText: other.username })).toHaveCount(0);
      const cells = (username: string) =>
        page.getByRole('row').filter({ hasText: username }).getByRole('cell');
      await expect(cells(bob.username)).toHaveText(/^✓ readers-/);
      await cells(ann.username).getByRole('link', { name: '3 days ago' }).click();
      await expect(page).toHaveURL(/\/admin\/traces\?/);
      await expect(page.getByText(ann.username).first()).toBeVisible();
      // The same from the app's page.
      await page.goto(`/admin/clients/${app}`);
      await page.getByRole('link', { name: 'Who may use it' }).click();
      await expect(rows).toHaveCount(2);
    });
  });
}

test('the matrix of people and apps keeps the names visible on a phone, and pages both', async ({
  page,
  admin: _,
}) => {
  await newClient({ name: '00 a open' });
  for (let index = 0; index < 12; index += 1)
    await newClient({ name: `00 closed ${index}`, access: 'listed' });
  const people = await Promise.all(Array.from({ length: 51 }, () => newUser()));
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/admin/approvals/matrix');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  // Only the apps that not everyone may use, unless all are asked for.
  await expect(page.getByRole('columnheader', { name: '00 closed 0', exact: true })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: '00 a open' })).toHaveCount(0);
  const first = page.getByRole('rowheader').first();
  const before = (await first.boundingBox())?.x ?? 0;
  await page
    .locator('.gh-matrix > div')
    .first()
    .evaluate((box) => box.scrollBy(300, 0));
  expect((await first.boundingBox())?.x).toBe(before);
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('link', { name: 'Next apps' }).click();
  await expect(page.getByRole('navigation', { name: 'Apps', exact: true })).toContainText(
    /Apps 7–/,
  );
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: 'Page 2' })
    .click();
  await expect(page).toHaveURL(/apps=2.*page=2|page=2.*apps=2/);
  await page.goto('/admin/approvals/matrix?which=all');
  await expect(page.getByRole('columnheader', { name: '00 a open everyone' })).toBeVisible();
  const group = await newGroup([people[0]?.id ?? '']);
  await page.goto(`/admin/approvals/matrix?group=${group.id}`);
  await expect(page.getByRole('rowheader')).toHaveCount(1);
  await page.goto('/admin/approvals/matrix?client=no-such-app');
  await expect(page.getByText('No app is called “no-such-app”.')).toBeVisible();
});
