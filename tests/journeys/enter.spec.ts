import { listClients } from '#lib/management/client/clients.ts';
import { test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    for (const [query, field, text] of [
      ['recipe=grafana', 'Where does Grafana run?', 'https://grafana.example.org'],
      ['kind=service', 'Name', 'Nightly job'],
    ] as const)
      test(`Enter adds the app: ${query}`, async ({ page, admin }) => {
        await page.goto(`/admin/clients/new?${query}`);
        const name = `${text.replace(/\W+/g, ' ')} of ${admin.username}`;
        await page.getByLabel('Name', { exact: true }).fill(name);
        if (field !== 'Name') await page.getByLabel(field).fill(text);
        await page.getByLabel(field, { exact: true }).press('Enter');
        await expect(page.getByRole('heading', { name: `${name} is ready` })).toBeVisible();
        expect((await listClients({ search: name })).rows).toHaveLength(1);
      });

    test('choosing a different app keeps the name that was typed', async ({ page, admin }) => {
      await page.goto('/admin/clients/new?recipe=grafana');
      const name = `Charts of ${admin.username}`;
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByRole('button', { name: /different app/ }).click();
      await page.getByRole('link', { name: /^Gitea (?!behind)/ }).click();
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name);
      expect((await listClients({ search: name })).rows).toEqual([]);
    });
  });
}
