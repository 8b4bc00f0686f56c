import type { Page } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { authorizeUrl, decide, expect, openSignedIn, signIn, test } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

async function expectClean(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 800 });
  const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await wider()).toBe(0);
  const found = await axeFindings(page);
  expect(found).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 720 });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a custom field is added, filled in by admin and user, found, given to apps, and deleted', async ({
      page,
      browser,
      site,
    }) => {
      const admin = await newUser({ isAdmin: true });
      const user = await newUser();
      const mark = `${Date.now()}${javaScriptEnabled}`;
      const [kept, theirs] = [`department${mark}`, `https://example.org/size${mark}`];
      await signIn(page, admin.username);
      await page.goto('/admin/people');
      await page.getByRole('link', { name: 'Fields' }).click();
      await page.getByRole('link', { name: 'Add a field' }).click();
      if (javaScriptEnabled) await expectClean(page);
      await page.getByLabel('Claim').fill('email');
      await page.getByLabel('Label').fill(`Department ${mark}`);
      await page.getByRole('button', { name: 'Add field' }).click();
      await expect(page.getByLabel('Claim')).toHaveAccessibleDescription(/already means something/);
      await page.getByLabel('Claim').fill(kept);
      await page.getByRole('button', { name: 'Add field' }).click();
      await expect(page.getByRole('status')).toContainText(`Field “Department ${mark}” added`);
      await page.getByRole('link', { name: 'Add a field' }).click();
      await page.getByLabel('Claim').fill(theirs);
      await page.getByLabel('Label').fill(`Size ${mark}`);
      await page.getByLabel('A number', { exact: true }).check();
      await page.getByLabel('The person and admins').check();
      await page.getByRole('button', { name: 'Add field' }).click();
      await expect(page.getByRole('status')).toContainText(`Field “Size ${mark}” added`);
      if (javaScriptEnabled) await expectClean(page);

      await page.goto(`/admin/people/${user.id}`);
      const profile = page.getByRole('region', { name: 'Profile' });
      const save = () => profile.getByRole('button', { name: 'Save' }).click();
      await profile.getByLabel(`Department ${mark}`).fill('Research');
      await profile.getByLabel(`Size ${mark}`).fill('large');
      await save();
      await expect(profile.getByLabel(`Size ${mark}`)).toHaveAccessibleDescription(
        /^Enter a number/,
      );
      await profile.getByLabel(`Size ${mark}`).fill('');
      await save();
      await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
      await expect(profile.getByLabel(`Department ${mark}`)).toHaveValue('Research');
      await page.goto(`/admin/people?q=${kept}:rese`);
      await expect(page.getByText(user.username, { exact: true })).toBeVisible();
      await expect(page.getByText('1 person', { exact: true })).toBeVisible();

      const other = await (await browser.newContext({ javaScriptEnabled })).newPage();
      await signIn(other, user.username);
      await other.goto('/account/profile');
      await expect(other.getByRole('region', { name: 'Kept about you' })).toContainText('Research');
      await expect(other.getByLabel(`Department ${mark}`)).toHaveCount(0);
      const own = other.getByRole('region', { name: 'More about you' });
      await own.getByLabel(`Size ${mark}`).fill('huge');
      await own.getByRole('button', { name: 'Save' }).click();
      await expect(own.getByLabel(`Size ${mark}`)).toHaveAccessibleDescription(/^Enter a number/);
      await expect(own.getByLabel(`Size ${mark}`)).toHaveValue('huge');
      if (javaScriptEnabled) await expectClean(other);
      await own.getByLabel(`Size ${mark}`).fill('42');
      await own.getByRole('button', { name: 'Save' }).click();
      await expect(other.getByRole('status')).toContainText('Profile saved.');
      await expect(own.getByLabel(`Size ${mark}`)).toHaveValue('42');

      const client = await newClient({ redirectUris: [`${site.https}/callback`] });
      await other.goto(authorizeUrl(client.id, { scope: 'openid profile' }));
      const line = other.getByRole('listitem').filter({ hasText: 'See your profile' });
      await expect(line).toContainText(/Also: .*Department/);
      await expect(line).toContainText(`Size ${mark}`);
      if (javaScriptEnabled) await expectClean(other);
      await decide(other, 'Deny');
      await other.context().close();

      await page.goto('/admin/fields');
      await page.getByRole('link', { name: `Department ${mark}` }).click();
      await expect(page.getByRole('main')).toContainText('This can’t change any more');
      if (javaScriptEnabled) await expectClean(page);
      await page.getByText('Delete…', { exact: true }).click();
      await expect(page.getByRole('main')).toContainText('the value of one person');
      await page.getByRole('button', { name: 'Yes, delete it' }).click();
      await expect(page.getByRole('status')).toContainText(`Field “Department ${mark}” deleted.`);
      await page.goto(`/admin/fields/${encodeURIComponent(theirs)}`);
      await page.getByText('Delete…', { exact: true }).click();
      await page.getByRole('button', { name: 'Yes, delete it' }).click();
      await expect(page.getByRole('status')).toContainText(`Field “Size ${mark}” deleted.`);
    });
  });
}

test('a custom field added to a scope during consent is shown before it is allowed', async ({
  page,
  site,
}) => {
  const { createField, deleteField } = await import('#lib/management/field/user-fields.ts');
  const user = await newUser();
  const name = `meanwhile${Date.now()}`;
  const client = await newClient({ redirectUris: [`${site.https}/callback`] });
  await openSignedIn(page, authorizeUrl(client.id, { scope: 'phone' }), user.username);
  await createField({ name, label: 'Pager', scope: 'phone' }, { id: 'cli' }, new Date());
  await decide(page, 'Allow');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Also: Pager');
  await decide(page, 'Allow');
  await page.waitForURL((url) => url.href.startsWith(site.https));
  await deleteField(name, { id: 'cli' }, new Date());
});
