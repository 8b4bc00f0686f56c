import { randomBytes } from 'node:crypto';
import { expectAccessible } from '../support/axe.ts';
import { answerAt, expect, test } from '../support/mail-journey.ts';
import { codeSubject, digitsIn, notThese } from '../support/mailed-codes.ts';
import { newClient, newUser, password, type TestClient } from '../support/seed.ts';
import { set } from '../support/settings.ts';

let client: TestClient;
test.beforeEach(async ({ site, server: _ }) => {
  await set('MAIL_CODE', 'on');
  client = await newClient({ name: 'Pottery Club', redirectUris: [`${site.https}/callback`] });
});

const asking = () =>
  `/oauth/authorize?${new URLSearchParams({ client_id: client.id, response_type: 'code', state: 'kept' })}`;

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a user signs in with a mailed code, after a wrong one and a new one', async ({
      page,
      smtp,
    }) => {
      const user = await newUser({ name: 'Ada Lovelace' });
      await page.goto(asking());
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Email me a code' }).click();
      await expect(page.getByRole('main')).toContainText('Enter your username or email address.');
      await page.getByLabel('Username or email').fill(user.email);
      await page.getByRole('button', { name: 'Email me a code' }).click();
      await expect(page.getByRole('main')).toContainText(`an account for ${user.email}`);
      await expect(page.getByRole('main')).toContainText('to continue to Pottery Club');
      const field = page.getByLabel('Code from the email');
      await expect(field).toBeFocused();
      if (javaScriptEnabled) await expectAccessible(page);
      const first = digitsIn(await smtp.next(user.email, codeSubject));
      await field.fill(notThese(first));
      await page.keyboard.press('Enter');
      await expect(page.getByText('4 tries are left')).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Send a new code' }).click();
      await expect(page.getByText('A new code is on its way')).toBeVisible();
      const second = digitsIn(await smtp.next(user.email, codeSubject));
      await field.fill(`${second.slice(0, 3)} ${second.slice(3)}`);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      expect(await answerAt(page, client.redirectUri)).toMatchObject({ state: 'kept' });
    });

    test('a user who asked for a mailed code uses the password instead', async ({ page }) => {
      const user = await newUser();
      await page.goto('/login');
      await page.getByLabel('Username or email').fill(user.username);
      await page.getByRole('button', { name: 'Email me a code' }).click();
      await page.getByRole('link', { name: 'Use your password instead' }).click();
      await page.getByLabel('Username or email').fill(user.username);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL('/account');
    });

    test('a new user registers with the mailed code', async ({ page, smtp }) => {
      const name = `grace-${randomBytes(5).toString('hex')}`;
      await page.goto('/register');
      await page.getByLabel('Email address').fill(`${name}@example.com`);
      await page.getByRole('button', { name: 'Send email' }).click();
      if (javaScriptEnabled) await expectAccessible(page);
      const digits = digitsIn(await smtp.next(`${name}@example.com`, /Confirm/));
      await page.getByLabel('Code from the email').fill(digits);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('Username').fill(name);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Create account' }).click();
      await expect(page).toHaveURL('/account');
    });

    test('a user confirms their email address with the mailed code', async ({ page, smtp }) => {
      const user = await newUser();
      await page.goto('/login');
      await page.getByLabel('Username or email').fill(user.username);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(page).toHaveURL('/account');
      await page.goto('/account/mail');
      await page.getByRole('button', { name: 'Send email', exact: true }).click();
      if (javaScriptEnabled) await expectAccessible(page);
      const digits = digitsIn(await smtp.next(user.email, /Confirm your email/));
      await page.getByLabel('Code from the email').fill(digits);
      await page.getByRole('button', { name: 'Confirm address' }).click();
      await expect(page.getByRole('status')).toContainText('Your email address is confirmed.');
    });
  });
}
