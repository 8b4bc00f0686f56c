import { axeFindings } from '../support/axe.ts';
import { expect, signIn, test } from '../support/journey.ts';
import { newUser } from '../support/seed.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a deleted person is put back in two clicks, and another is deleted for good', async ({
      page,
    }) => {
      const admin = await newUser({ isAdmin: true });
      const [one, other] = await Promise.all([newUser(), newUser()]);
      await signIn(page, admin.username);
      for (const { id } of [one, other]) {
        await page.goto(`/admin/people/${id}`);
        await page.getByText('Delete…', { exact: true }).click();
        await expect(
          page.getByText(/You can put it back for 14 days, under Deleted/),
        ).toBeVisible();
        await page.getByRole('button', { name: 'Yes, delete' }).click();
        await expect(page).toHaveURL(/\/admin\/people$/);
        expect((await page.goto(`/admin/people/${id}`))?.status()).toBe(404);
      }
      await page.goto('/admin/people');
      await page.getByRole('link', { name: 'Deleted' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Deleted');
      const row = (name: string) => page.getByRole('row').filter({ hasText: name });
      await expect(row(one.username)).toContainText(admin.username);
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 700 });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(320);
      await row(one.username).getByRole('button', { name: 'Put back' }).click();
      await expect(page).toHaveURL(new RegExp(`/admin/people/${one.id}$`));
      await expect(page.getByText(`${one.username} is back.`)).toBeVisible();
      await page.goto('/admin/deleted');
      await row(other.username).getByText('Delete for good…').click();
      await row(other.username).getByRole('button', { name: 'Yes, delete for good' }).click();
      await expect(page.getByText(`${other.username} is deleted for good.`)).toBeVisible();
      await expect(row(other.username)).toHaveCount(0);
    });
  });
}
