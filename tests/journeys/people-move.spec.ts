import { files } from '../import/files.ts';
import { expect, signIn, test } from '../support/journey.ts';
import { newUser } from '../support/seed.ts';

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('people are imported from another program’s file, and the colliding ones are left out if ticked', async ({
      page,
    }) => {
      const { username } = await newUser({ isAdmin: true });
      const mark = `m${Date.now()}`;
      const text = files.authelia
        .replaceAll('ada', `ada${mark}`)
        .replaceAll('grace', `grace${mark}`);
      await signIn(page, username);
      await page.goto('/admin/people/import');
      await page.getByRole('link', { name: 'Import people from another program' }).click();
      await page.getByLabel('Exported by').selectOption('authelia');
      await page.getByLabel('File', { exact: true }).setInputFiles({
        name: 'users_database.yml',
        mimeType: 'text/yaml',
        buffer: Buffer.from(`${text}  nobody:\n    displayname: Nobody\n`),
      });
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByRole('table', { name: 'Invalid' })).toContainText('nobody');
      await page.getByRole('button', { name: 'Import 2 people' }).click();
      await expect(page.getByRole('alert').filter({ hasText: '1 entry conflicts' })).toBeVisible();
      await page.getByLabel('Skip 1 conflicting or invalid entry').check();
      await page.getByRole('button', { name: 'Import 2 people' }).click();
      await expect(page.getByText('2 people imported.')).toBeVisible();
      await page.goto(`/admin/people?search=ada${mark}`);
      await expect(page.getByRole('table')).toContainText(`ada${mark}@example.org`);
    });
  });
