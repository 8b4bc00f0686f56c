import type { Page } from '@playwright/test';
import { needToOpen, pages } from '#app/admin/pages.ts';
import { addContact } from '#lib/management/client/contacts.ts';
import { may } from '#lib/people/roles.ts';
import { write } from '#lib/store/engine/database.ts';
import { expectAccessible } from '../support/axe.ts';
import { section } from '../support/dashboard.ts';
import { expect, signIn, test } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

const sections = (page: Page) =>
  page.getByRole('navigation', { name: 'Dashboard sections' }).getByRole('link').allTextContents();

/** Blocks this person's sign-in, as wrong passwords would. */
async function lock(userId: string, username: string): Promise<void> {
  const until = new Date(Date.now() + 600_000);
  await write(
    `INSERT INTO throttles (key, failures, window_start, blocked_until, user_id)
     VALUES ($1, 10, $2, $3, $4)`,
    [`login:${username}`, new Date(), until, userId],
  );
}

/** Expects that nothing on the page is wider than a small phone. */
async function expectNarrow(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide, page.url()).toBeLessThanOrEqual(360);
  await page.setViewportSize({ width: 1280, height: 800 });
}

const checked = [
  '/admin',
  '/admin/people/[userId]',
  '/admin/clients/[clientId]/settings',
  '/admin/settings/sign-in',
];

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an admin gives the role support, whose holder finds and helps a person and sees nothing else', async ({
      page,
      browser,
    }) => {
      const boss = await newUser({ isAdmin: true, name: 'Ada Lovelace' });
      const helper = await newUser({ name: 'Hedy Lamarr' });
      const person = await newUser({ name: 'Grace Hopper' });
      await lock(person.id, person.username);
      const client = await newClient();
      await addContact(client.id, person.id, { id: 'cli' }, new Date());

      await signIn(page, boss.username);
      await page.goto(`/admin/people/${helper.id}`);
      const role = section(page, 'Access').getByRole('form', { name: 'Role' });
      await expect(role.getByLabel('No role')).toBeChecked();
      await role.getByLabel('Support').check();
      await role.getByRole('button', { name: 'Change role' }).click();
      await expect(page.getByText('This person’s role is now Support.')).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 })).toContainText('Support');
      await expect(section(page, 'Recent activity')).toContainText(
        `${boss.username} gave ${helper.username} the role Support`,
      );
      await page.goto(`/admin/people?role=support&q=${helper.username}`);
      await expect(page.getByRole('link', { name: 'Hedy Lamarr' })).toBeVisible();

      const other = await (await browser.newContext({ javaScriptEnabled })).newPage();
      await signIn(other, helper.username);
      await other.goto('/account');
      await other.getByRole('link', { name: 'Dashboard' }).click();
      await expect(other.getByText('You’re here as support')).toBeVisible();
      expect(await sections(other)).toEqual(['Home', 'People']);
      await expect(section(other, 'Needs attention')).toContainText(person.username);
      if (javaScriptEnabled) await expectAccessible(other);
      await other.getByRole('searchbox', { name: 'Search people' }).fill('grace');
      await other.getByRole('button', { name: 'Search', exact: true }).click();
      await expect(other.getByRole('link', { name: 'Add a person' })).toHaveCount(0);
      await other.goto(`/admin/people/${person.id}`);
      await expect(other.getByText('Developer of')).toBeVisible();
      await other.getByRole('button', { name: 'Unlock account' }).click();
      await expect(other.getByText('Account unlocked.')).toBeVisible();
      await expect(other.getByLabel('Username')).toBeDisabled();
      await expect(section(other, 'Profile').getByRole('button', { name: 'Save' })).toHaveCount(0);
      await expect(other.getByText('Delete…')).toHaveCount(0);
      await expect(other.getByText('Change role')).toHaveCount(0);
      if (javaScriptEnabled) await expectAccessible(other);
      await expectNarrow(other);
      await other.getByText('Reset password…').click();
      await other.getByRole('button', { name: 'Yes, reset it' }).click();
      await expect(other.getByText('Password reset')).toBeVisible();

      await other.goto(`/admin/people/${boss.id}`);
      await expect(section(other, 'Access')).toContainText('Only an admin can change');
      await expect(other.getByText('Reset password…')).toHaveCount(0);
      await expect(other.getByText('Sign out everywhere…')).toBeHidden();
      for (const path of ['/admin/clients', '/admin/audit', '/admin/settings/general'])
        expect((await other.goto(path))?.status()).toBe(404);
      await other.goto(`/admin/search?q=${client.id}`);
      await expect(other.getByText('Nothing matches')).toBeVisible();
      await other.context().close();
    });

    test('an auditor opens every page, and can change nothing there', async ({ page }) => {
      // This test visits about thirty pages.
      test.slow();
      const auditor = await newUser({ role: 'auditor' });
      const person = await newUser({ name: 'Grace Hopper' });
      const client = await newClient();
      const holes: Record<string, string> = {
        '[clientId]': client.id,
        '[userId]': person.id,
        '[name]': 'openid',
      };
      await signIn(page, auditor.username);
      await page.goto('/admin');
      await expect(page.getByText('You’re here as an auditor')).toBeVisible();
      expect(await sections(page)).toContain('Audit log');
      for (const route of Object.keys(pages)) {
        const path = route.replace(/\[\w+\]/g, (hole) => holes[hole] ?? '');
        const hasNone = /\/(\/|$)/.test(path);
        if (hasNone || /\/(export|find)$/.test(path) || !may('auditor', needToOpen(route)))
          continue;
        expect((await page.goto(path))?.status(), path).toBe(200);
        const fields = page.locator(
          'main :is(input, select, textarea, button:not([type="button"])):enabled',
        );
        const outside = fields.locator('xpath=self::*[not(ancestor::form[@role="search"])]');
        const names = await outside.evaluateAll((found) =>
          found.flatMap((field) =>
            (field as HTMLInputElement).form?.hasAttribute('action') ? [] : [field.outerHTML],
          ),
        );
        expect(
          names.filter((html) => !html.includes('type="hidden"')),
          path,
        ).toEqual([]);
        const links = await page
          .locator('main a[href^="/admin"]')
          .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
        for (const href of links)
          expect(may('auditor', needToOpen(href)), `${path}: ${href}`).toBe(true);
        // Only the pages that differ most for a person who changes nothing. journeys/pages checks
        // all pages, with more on them.
        if (!checked.includes(route)) continue;
        if (javaScriptEnabled) await expectAccessible(page);
        await expectNarrow(page);
      }
      for (const path of ['/admin/outbox', '/admin/clients/new', '/admin/people/new'])
        expect((await page.goto(path))?.status()).toBe(404);
    });
  });
}
