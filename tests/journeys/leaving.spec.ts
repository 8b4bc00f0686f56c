import { axeFindings } from '../support/axe.ts';
import { ageSignIn } from '../support/dashboard.ts';
import { expect, refusal, signIn, signInAt, test } from '../support/journey.ts';
import { newUser, password } from '../support/seed.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a user deletes their account, is told at the next sign-in, and keeps it', async ({
      page,
    }) => {
      const user = await newUser();
      await signIn(page, user.username);
      await ageSignIn(user, 60);
      await page.goto('/account/profile');
      await page.getByRole('link', { name: 'Delete account' }).click();
      await expect(page.getByRole('main')).toContainText('What’s kept');
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
      await page.getByLabel('I want my account to be deleted').check();
      await page.getByLabel('Your password', { exact: true }).fill('not my password');
      await page.getByRole('button', { name: 'Delete my account' }).click();
      await expect(page.getByLabel('I want my account to be deleted')).toBeChecked();
      await page.getByLabel('Your password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Delete my account' }).click();
      await expect(page.getByRole('main')).toContainText('Your account will be deleted on');
      await page.context().clearCookies();
      await page.goto('/login');
      await signInAt(page, user.username);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Keep your account?');
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Continue, and delete it then' }).click();
      await expect(page).toHaveURL('/account');
      await page.getByRole('button', { name: 'Keep my account' }).click();
      await expect(page.getByRole('status')).toContainText('Your account is kept');
      await expect(refusal(page)).toHaveCount(0);
    });
  });
}
