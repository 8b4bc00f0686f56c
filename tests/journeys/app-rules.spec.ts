import type { Page } from '@playwright/test';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { createClient, showClient } from '#lib/management/client/clients.ts';
import { expectAccessible } from '../support/axe.ts';
import { ageSignIn, test } from '../support/dashboard.ts';
import { answerAt, authorizeUrl, expect, signIn, signInAt } from '../support/journey.ts';
import { plugIn, typePasswords } from '../support/plug-in.ts';
import { newClient, newUser } from '../support/seed.ts';

const phone = { width: 360, height: 800 };
const networks = ['198.51.100.0/24'];

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an admin saves access, rules and claims of an app as one change; an error keeps all that was typed', async ({
      page,
      admin,
    }) => {
      const app = { name: 'Payroll', redirectUris: ['https://app.example/cb'] };
      const { client } = await createClient(app, { id: admin.id }, new Date());
      await page.goto(`/admin/clients/${client.id}/access`);
      const card = page.locator('#rules');
      await expect(card).toContainText(/You’re at 10\.\d+\.\d+\.\d+ now\./);
      await card.getByLabel('Require two-step sign-in').check();
      await card.getByLabel('Ask to sign in again after').fill('30 minutes');
      await card.getByLabel('Sign out of the app after').fill('12 hours');
      await card.getByLabel('Networks').fill('198.51.100.7/24\n2001:db8:12::/48');
      await page.getByLabel('Only the groups and people listed').check();
      await page.getByLabel('Only groups that start with').fill('app-');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(card.getByLabel('Networks')).toHaveAccessibleDescription(
        /isn’t where a network begins: 198\.51\.100\.0\/24/,
      );
      await expect(card.getByLabel('Ask to sign in again after')).toHaveValue('30 minutes');
      await expect(page.getByLabel('Only the groups and people listed')).toBeChecked();
      await expect(page.getByLabel('Only groups that start with')).toHaveValue('app-');
      expect((await showClient(client.id)).access).toBe('everybody');
      await card.getByLabel('Networks').fill('198.51.100.0/24\n2001:db8:12::/48');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByText('Saved. Changes take effect')).toBeVisible();
      expect(await showClient(client.id)).toMatchObject({
        requireSecondFactor: true,
        access: 'listed',
        groupsPrefix: 'app-',
        maxSignInAge: 1800,
        signInLife: 43_200,
        networks: ['198.51.100.0/24', '2001:db8:12::/48'],
        redirectUris: app.redirectUris,
      });
      await expect(card.getByLabel('Sign out of the app after')).toHaveValue('12 hours');
      await expect(page.getByRole('heading', { level: 1 })).toContainText('Rules');
      const { rows } = await listAudit({ clientId: client.id, type: 'client.updated' });
      expect(rows).toHaveLength(1);
    });

    test('a user in another network is told so, and returns to the app', async ({ page, site }) => {
      const uri = `${site.https}/cb`;
      const client = await newClient({ name: 'Intranet', networks, redirectUris: [uri] });
      await page.goto(authorizeUrl(client.id, { state: 's' }));
      await expect(page.getByRole('heading', { name: 'You can’t use Intranet' })).toBeVisible();
      await expect(page.getByText(/from certain networks, and you’re at 10\./)).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.setViewportSize(phone);
      expect(await overflowOf(page)).toBe(0);
      await page.getByRole('link', { name: 'Go back to Intranet' }).click();
      expect(await answerAt(page, uri)).toMatchObject({ error: 'access_denied', state: 's' });
    });

    test('“Keep me signed in” unticked: the session cookie ends with the browser', async ({
      page,
    }) => {
      const user = await newUser();
      await page.goto('/login');
      await page.getByLabel('Keep me signed in').uncheck();
      await signInAt(page, user.username);
      await expect(page).toHaveURL('/account');
      const cookies = await page.context().cookies();
      const names = cookies.map(({ name }) => name);
      expect(cookies.find(({ name }) => name.endsWith('gh_session'))?.expires).toBe(-1);
      expect(names.some((name) => name.endsWith('gh_device'))).toBe(false);
      await page.goto('/account/sessions');
      await expect(page.getByText('until the browser is closed')).toBeVisible();
    });
  });
}

const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('“Keep me signed in” unticked: the session cookie after a passkey ends with the browser, too', async ({
  page,
}) => {
  await typePasswords(page);
  await plugIn(page);
  const user = await newUser();
  await signIn(page, user.username);
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
  await page.context().clearCookies();
  await page.goto('/login');
  await page.getByLabel('Keep me signed in').uncheck();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL('/account');
  const cookies = await page.context().cookies();
  expect(cookies.find(({ name }) => name.endsWith('gh_session'))?.expires).toBe(-1);
});

test('maxSignInAge: a user who signed in too long ago is told which app asks again, and why', async ({
  page,
  site,
}) => {
  const uri = `${site.https}/cb`;
  const client = await newClient({
    name: 'Ledger',
    firstParty: true,
    redirectUris: [uri],
    maxSignInAge: 1800,
  });
  const user = await newUser();
  await signIn(page, user.username);
  await ageSignIn(user, 31);
  await page.goto(authorizeUrl(client.id));
  await expect(page.getByText('Ledger asks you to sign in again')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(phone);
  expect(await overflowOf(page)).toBe(0);
  await signInAt(page, user.username);
  expect((await answerAt(page, uri)).code).toBeTruthy();
});
