import { test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled, viewport: { width: 360, height: 740 } });

    test('the dashboard menu on a phone names the current section, and leads to every other', async ({
      page,
      admin: _,
    }) => {
      await page.goto('/admin/audit');
      const menu = page.getByRole('navigation', { name: 'Dashboard sections' });
      await menu.getByText('Menu: Audit log').click();
      await expect(menu.getByRole('link')).toHaveCount(11);
      for (const link of await menu.getByRole('link').all()) await expect(link).toBeInViewport();
      await menu.getByRole('link', { name: 'Groups' }).click();
      await expect(page).toHaveURL('/admin/groups');
      await expect(menu.getByText('Menu: Groups')).toBeVisible();
      await expect(menu.getByRole('link', { name: 'People' })).toBeHidden();
      await page.goto('/admin/people/invite');
      await expect(menu.getByText('Menu: People')).toBeVisible();
    });
  });
}
