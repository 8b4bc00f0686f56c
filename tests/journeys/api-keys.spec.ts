import { textIn } from '#lib/messages/text.ts';
import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';

const say = textIn('en');

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an API key is created, shown once, used, and deleted', async ({
      page,
      admin,
      server,
    }) => {
      const name = `Terraform of ${admin.username}`;
      const card = page.locator('#api-keys');
      await page.goto('/admin/settings/api');
      await card.getByLabel(say('apiKeys.name')).fill(name);
      await card.getByRole('button', { name: say('apiKeys.create') }).click();
      await expect(card.locator('#rights-error')).toContainText('Choose at least one right');
      await expect(card.getByLabel(say('apiKeys.name'))).toHaveValue(name);
      const reading = card.getByRole('radio', {
        name: `${say('apiKeys.nouns.group')}: ${say('apiKeys.levels.read')}`,
      });
      await card.getByRole('radio', { name: say('apiKeys.presets.own') }).check();
      await reading.check();
      await card.getByLabel(say('apiKeys.life')).fill('for ever');
      await card.getByRole('button', { name: say('apiKeys.create') }).click();
      await expect(card.getByLabel(say('apiKeys.life'))).toHaveAccessibleDescription(
        /“for” isn’t a number/,
      );
      await expect(reading).toBeChecked();
      await card.getByLabel(say('apiKeys.life')).fill('2 hours');
      await card.getByRole('button', { name: say('apiKeys.create') }).click();
      await expect(card.getByText(say('apiKeys.made', { name }))).toBeVisible();
      const key = (await card.getByText(/^gh_ak_/).textContent()) ?? '';
      if (javaScriptEnabled) await expectAccessible(page);

      const statusOf = async () => {
        const headers = { Authorization: `Bearer ${key}` };
        return (await fetch(`${server.origin}/api/v1/groups`, { headers })).status;
      };
      expect(await statusOf()).toBe(200);
      await card.getByRole('link', { name: say('apiKeys.back') }).click();
      await expect(card.getByText(/^gh_ak_/)).toHaveCount(0);
      const row = card.getByRole('row').filter({ hasText: name });
      await expect(row).toContainText('group:read');
      await row.locator('summary').click();
      await row.getByRole('button', { name: say('apiKeys.removeConfirm') }).click();
      await expect(
        page.getByRole('status').filter({ hasText: say('apiKeys.deleted', { name }) }),
      ).toBeVisible();
      expect(await statusOf()).toBe(401);

      // A usual set of rights takes one click, and hides the table.
      await page.goto('/admin/settings/api');
      await card.getByLabel(say('apiKeys.name')).fill(`${name}, all`);
      await card.getByRole('radio', { name: say('apiKeys.presets.read') }).check();
      await expect(reading).toBeHidden();
      await card.getByRole('button', { name: say('apiKeys.create') }).click();
      await card.getByRole('link', { name: say('apiKeys.back') }).click();
      await row.getByText(say('apiKeys.presets.read')).click();
      await expect(row.getByText('user:read')).toBeVisible();
      await page.setViewportSize({ width: 360, height: 800 });
      if (javaScriptEnabled) await expectAccessible(page);
    });
  });
}
