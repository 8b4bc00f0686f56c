import { axeFindings } from '../support/axe.ts';
import { signIn } from '../support/journey.ts';
import { expect, test } from '../support/mail-journey.ts';
import { newUser } from '../support/seed.ts';
import { tables } from '../world/files.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('pasted email addresses become invitations', async ({ page }) => {
      const { username } = await newUser({ isAdmin: true });
      await signIn(page, username);
      await page.goto('/admin');
      const word = `guest${Date.now()}`;
      const addresses = Array.from({ length: 20 }, (_, index) => `${word}-${index}@example.org`);
      await page
        .getByRole('link', { name: 'People', exact: true })
        .filter({ visible: true })
        .first()
        .click();
      await page.getByRole('link', { name: 'Import' }).click();
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('textbox', { name: 'Paste email addresses' }).fill(addresses.join('\n'));
      await page.getByRole('button', { name: 'Continue' }).first().click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check the list');
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Invite 20 people' }).click();
      await expect(page.getByText('Finished.')).toBeVisible({ timeout: 30_000 });
      await page.goto('/admin/people/invite');
      for (const email of addresses) await expect(page.getByText(email).first()).toBeVisible();
    });

    test('selected invitations are sent again', async ({ page }) => {
      const { username } = await newUser({ isAdmin: true });
      await signIn(page, username);
      const addresses = [1, 2].map((number) => `again${Date.now()}-${number}@example.org`);
      for (const email of addresses) {
        await page.goto('/admin/people/invite');
        await page.getByLabel('Email address').fill(email);
        await page.getByRole('button', { name: 'Create link' }).click();
        await expect(page.getByRole('row').filter({ hasText: email })).toBeVisible();
      }
      await page.goto('/admin/people/invite');
      for (const email of addresses)
        await page.getByRole('checkbox', { name: `Select ${email}` }).check();
      await page.getByRole('button', { name: 'Send invitation again' }).click();
      const heading = page.getByRole('heading', { level: 1 });
      await expect(heading).toHaveText('Send 2 invitations again?');
      await page.getByRole('button', { name: 'Send 2 invitations' }).click();
      await expect(page.getByText('Finished.')).toBeVisible({ timeout: 30_000 });
      await expect(page.getByRole('definition').first()).toHaveText('2');
    });

    test('lists of people in the encodings of other programs are uploaded, and read', async ({
      page,
    }) => {
      test.skip(!javaScriptEnabled, 'The same form.');
      const { username } = await newUser({ isAdmin: true });
      await signIn(page, username);
      // Every list is tried with the act behind this form, which gets text: tests/world/files.test.ts.
      const encoded = tables.filter(
        ({ bytes }) => typeof bytes !== 'string' || /^\ufeff/.test(bytes),
      );
      expect(encoded.length).toBeGreaterThan(3);
      for (const { what, bytes, people } of encoded) {
        await page.goto('/admin/people/import');
        const buffer = Buffer.from(bytes);
        const file = { name: 'people.csv', mimeType: 'text/csv', buffer };
        await page.locator('input[type=file]').setInputFiles(file);
        await page.getByRole('button', { name: 'Continue' }).last().click();
        const count = people.length === 1 ? '1 person' : `${people.length} people`;
        await expect(page.getByRole('button', { name: `Invite ${count}` }), what).toBeVisible();
        await expect(page.getByRole('table', { name: 'Invalid lines' }), what).toHaveCount(0);
      }
    });

    test('an import file: columns are chosen, wrong lines are shown, and left out only if ticked', async ({
      page,
    }) => {
      const { username } = await newUser({ isAdmin: true });
      await signIn(page, username);
      await page.goto('/admin/people/import');
      const email = `kim${Date.now()}@example.org`;
      const text = `who;called\n${email};Kim\nnobody;No\n`;
      await page.locator('input[type=file]').setInputFiles({
        name: 'people.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(text),
      });
      await page.getByRole('button', { name: 'Continue' }).last().click();
      const wrong = page.getByRole('table', { name: 'Invalid lines' });
      await expect(wrong.getByRole('row')).toHaveCount(2);
      await page.getByLabel('called').selectOption({ label: 'Full name' });
      await page.getByRole('button', { name: 'Check again' }).click();
      await expect(page.getByLabel('called')).toHaveValue('name');
      await expect(wrong).toContainText('is not an email address');
      await page.getByRole('button', { name: 'Invite 1 person' }).click();
      await expect(
        page.getByRole('alert').filter({ hasText: 'Error: 1 line is invalid' }),
      ).toBeVisible();
      await page.getByLabel('Skip 1 invalid line').check();
      await page.getByRole('button', { name: 'Invite 1 person' }).click();
      await expect(page.getByText('Finished.')).toBeVisible({ timeout: 30_000 });
    });
  });
}
