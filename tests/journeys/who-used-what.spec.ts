import { text as readText } from 'node:stream/consumers';
import { createGroup } from '#lib/management/group/groups.ts';
import { addMembers } from '#lib/management/group/members.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { write } from '#lib/store/engine/database.ts';
import { axeFindings } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

const cli = { id: 'cli' };
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600_000);

/** Somebody's approval, 200 days old and used last so many days ago. */
function approve(userId: string, clientId: string, used: number | null) {
  return write(
    `INSERT INTO grants (id, user_id, client_id, scopes, created_at, updated_at, last_used_at)
      VALUES (:id, :userId, :clientId, 'openid', :since, :since, :used)`,
    {
      id: newId(new Date()),
      ...{ userId, clientId, since: daysAgo(200), used: used === null ? null : daysAgo(used) },
    },
  );
}

async function newGroup(members: readonly string[]) {
  const name = `readers-${Date.now()}`;
  const { id } = await createGroup({ name }, cli, new Date());
  await addMembers(id, [...members], cli, new Date());
  return { id, name };
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('approvals are narrowed down to a group, and to what was or was not used, and exported so', async ({
      page,
      admin,
    }) => {
      expect(admin.username).toBeTruthy();
      const { id: app } = await newClient({ name: 'Cookbook' });
      const [here, gone, other] = [await newUser(), await newUser(), await newUser()];
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
  });
}
