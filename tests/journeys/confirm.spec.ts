import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { ageSignIn } from '../support/dashboard.ts';
import { expect, signIn, test } from '../support/journey.ts';
import { plugIn } from '../support/plug-in.ts';
import { newUser, password, type TestUser } from '../support/seed.ts';

/** Signs in a user with a passkey in this browser, then makes the sign-in an hour old. */
async function withPasskey(page: Page, user: TestUser): Promise<void> {
  await plugIn(page);
  await signIn(page, user.username);
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'I’ve saved these' }).click();
  await expect(page).toHaveURL('/account/security');
  await ageSignIn(user, 60);
}

const passkeyIn = (page: Page, form: string) =>
  page.locator(form).getByRole('button', { name: 'Use a passkey' });

test('an account form is confirmed with a passkey and carried out', async ({ page }) => {
  const user = await newUser();
  await withPasskey(page, user);
  await page.goto('/account/sign-in#username-card');
  await expectAccessible(page);
  const name = page.getByRole('textbox', { name: 'Username' });
  // Missing fields are asked for before the passkey.
  await name.fill('');
  await passkeyIn(page, '#username-card').click();
  await expect(name).toBeFocused();
  await name.fill(`new-${user.username}`);
  await passkeyIn(page, '#username-card').click();
  await expect(page.getByRole('status')).toContainText('Username changed.');
  await expect(passkeyIn(page, '#username-card')).toHaveCount(0);

  await ageSignIn(user, 60);
  await page.goto('/account/security');
  await page.getByText('Rename', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Desk key');
  await page.getByText('Get new codes', { exact: true }).click();
  await page.getByText('Remove', { exact: true }).click();
  await page.getByText('Add a passkey', { exact: true }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  const asked = page.locator('form', { hasText: 'Save' }).getByLabel('Your password');
  await expect(asked).toHaveAccessibleDescription('Enter your password.');
  await expect(asked).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Desk key');
  await passkeyIn(page, 'form:has-text("Save")').click();
  await expect(page.getByRole('heading', { name: 'Desk key' })).toBeVisible();
});

test('a passkey is added after a confirmation on the same page', async ({ page }) => {
  const user = await newUser();
  await plugIn(page);
  await signIn(page, user.username);
  await ageSignIn(user, 60);
  await page.goto('/account/security');
  await page.getByText('Add a passkey', { exact: true }).click();
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Confirm and continue' }).click();
  await expect(page.getByRole('status')).toContainText('Confirmed.');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page).toHaveURL('/account/security/codes');
});

test('setting up an authenticator app after an old sign-in is confirmed in its own form', async ({
  page,
}) => {
  const user = await newUser();
  await withPasskey(page, user);
  await page.goto('/account/security');
  await page.getByRole('link', { name: 'Set up an app' }).click();
  await expectAccessible(page);
  await page.getByLabel('Then enter the code it shows').fill('000000');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  // The passkey was right; only the code is wrong.
  await expect(page.getByLabel('Then enter the code it shows')).toHaveAccessibleDescription(
    /isn’t right/,
  );
  await expect(page.getByLabel('Your password')).toHaveCount(0);
});

test('a dashboard form is confirmed with a passkey and carried out with what was typed', async ({
  page,
}) => {
  const user = await newUser({ isAdmin: true });
  await withPasskey(page, user);
  await page.goto('/admin/clients/new?kind=web');
  await page.getByLabel('Name', { exact: true }).fill('Pottery Club');
  await page.getByRole('textbox', { name: /^Redirect/ }).fill('https://pottery.example/cb');
  await page.getByRole('button', { name: 'Add app' }).click();
  await expect(page.getByText('Confirm it’s you to continue.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('gh_cs_').first()).toBeVisible();
});

test('the set-up steps ask for the password after an old sign-in, and then offer a passkey on the same page', async ({
  page,
}) => {
  const user = await newUser({ isAdmin: true });
  await signIn(page, user.username);
  await ageSignIn(user, 60);
  await page.goto('/admin/set-up/you');
  await page.getByLabel('Your password').fill('not mine');
  await page.getByRole('button', { name: 'Confirm and continue' }).click();
  await expect(page.getByLabel('Your password')).toHaveAccessibleDescription(
    'That’s not your password.',
  );
  await expectAccessible(page);
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Confirm and continue' }).click();
  await expect(page).toHaveURL('/admin/set-up/you');
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeVisible();
});
