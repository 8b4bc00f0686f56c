import { randomBytes } from 'node:crypto';
import { expectAccessible } from '../support/axe.ts';
import { answerAt, expect, test } from '../support/mail-journey.ts';
import { newClient, newUser, password, type TestClient } from '../support/seed.ts';

let client: TestClient;
test.beforeEach(async ({ site }) => {
  client = await newClient({ name: 'Pottery Club', redirectUris: [`${site.https}/callback`] });
});

const asking = () =>
  `/oauth/authorize?${new URLSearchParams({ client_id: client.id, response_type: 'code', state: 'kept' })}`;

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a user resets a forgotten password, and returns to the app', async ({ page, smtp }) => {
      const user = await newUser({ name: 'Ada Lovelace' });
      await page.goto(asking());
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByLabel('Username or email').fill(user.email);
      await page.getByRole('button', { name: 'Send link' }).click();
      await expect(page.getByRole('main')).toContainText(`account for ${user.email}`);
      if (javaScriptEnabled) await expectAccessible(page);

      await page.goto((await smtp.next(user.email, /Reset your password/)).link);
      await expect(page.getByRole('main')).toContainText(user.username);
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByLabel('New password', { exact: true }).fill('password12345');
      await page.getByRole('button', { name: 'Change password' }).click();
      await expect(page.getByText('This password is easy to guess')).toBeVisible();
      await page.getByLabel('New password', { exact: true }).fill('other words than before');
      await page.getByRole('button', { name: 'Change password' }).click();

      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      expect(await answerAt(page, client.redirectUri)).toMatchObject({
        state: 'kept',
        code: expect.any(String),
      });
    });

    test('a new user registers, and returns to the app', async ({ page, smtp }) => {
      const name = `grace-${randomBytes(5).toString('hex')}`;
      const email = `${name}@example.com`;
      await page.goto(asking());
      await page.getByRole('link', { name: 'Create an account' }).click();
      await expect(page.getByRole('main')).toContainText('to continue to Pottery Club');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByLabel('Email address').fill(email);
      await page.getByRole('button', { name: 'Send email' }).click();
      await expect(page.getByRole('main')).toContainText(`If you can register with ${email}`);

      await page.goto((await smtp.next(email, /Confirm/)).link);
      await expect(page.getByRole('main')).toContainText(email);
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByLabel('Username').fill(name);
      await page.getByLabel('Your name').fill('Grace Hopper');
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Create account' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        'Allow Pottery Club to access your account?',
      );
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      expect(await answerAt(page, client.redirectUri)).toMatchObject({
        state: 'kept',
        code: expect.any(String),
      });
    });

    test('a user confirms their email address by a mailed link', async ({ page, smtp }) => {
      const user = await newUser();
      await page.goto('/login');
      await page.getByLabel('Username or email').fill(user.username);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('link', { name: 'Sign-in', exact: true }).click();
      const email = page.getByRole('listitem').filter({ hasText: user.email });
      await expect(email).toContainText('not confirmed');
      await email.getByRole('link', { name: 'Confirm: Email' }).click();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Send email', exact: true }).click();
      await expect(page.getByRole('status')).toContainText(
        `We sent a code and a link to ${user.email}.`,
      );
      await page.goto((await smtp.next(user.email, /Confirm your email/)).link);
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Confirm address' }).click();
      await expect(page.getByRole('status')).toContainText('Your email address is confirmed.');
      await page.getByRole('link', { name: 'Sign-in', exact: true }).first().click();
      await expect(email).toBeVisible();
      await expect(email).not.toContainText('not confirmed');
    });

    test('a user changes their email address, and chooses notices', async ({ page, smtp }) => {
      const user = await newUser();
      const wanted = `moved-${randomBytes(5).toString('hex')}@example.com`;
      await page.goto('/login');
      await page.getByLabel('Username or email').fill(user.username);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(page).toHaveURL('/account');
      await page.goto('/account/mail');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByLabel('New email address').fill(wanted);
      await page.getByLabel('Your password').fill(password);
      await page.getByRole('button', { name: 'Send email to the new address' }).click();
      await expect(page.getByRole('status')).toContainText(
        `We sent a code and a link to ${wanted}.`,
      );
      await page.goto((await smtp.next(wanted)).link);
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Use this address' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email address changed');
      await page.goto('/account/mail');
      await expect(page.getByRole('main')).toContainText(`Current address: ${wanted}.`);

      await page.getByLabel('New app with access').uncheck();
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByLabel('New app with access')).not.toBeChecked();
      await expect(page.getByLabel('Sign-in from a new device')).toBeChecked();
    });
  });
}
