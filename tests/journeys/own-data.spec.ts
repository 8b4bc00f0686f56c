import { readFile } from 'node:fs/promises';
import { axeFindings } from '../support/axe.ts';
import { expect, signIn, test } from '../support/journey.ts';
import { newUser } from '../support/seed.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled, timezoneId: 'Pacific/Auckland' });

    test('a user sees the activity of their account, and downloads their data', async ({
      page,
    }) => {
      const user = await newUser();
      await signIn(page, user.username);
      await page.goto('/account/profile');
      await page.getByRole('link', { name: 'Activity' }).click();
      const first = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Signed in' });
      await expect(first).toHaveCount(1);
      // Without scripts times are in UTC; with scripts they are in the reader's time zone.
      const time = first.locator('time');
      if (javaScriptEnabled) await expect(time).not.toContainText('UTC');
      else await expect(time).toContainText('UTC');
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('link', { name: 'Changes' }).click();
      await expect(page.getByRole('main')).toContainText('Nothing here');
      await page.goto('/account/your-data');
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
      await page.getByLabel('JSON, for programs').check();
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download my data' }).click();
      const file = await downloading;
      expect(file.suggestedFilename()).toMatch(/^account-.*\.json$/);
      const data = JSON.parse(await readFile(await file.path(), 'utf8'));
      expect(data.profile.username).toBe(user.username);
      // The page is still there, and offers the other format.
      await page.getByLabel('A page to read').check();
      const again = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download my data' }).click();
      await page.goto(`file://${await (await again).path()}`);
    });
  });
}
