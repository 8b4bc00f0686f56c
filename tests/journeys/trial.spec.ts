import { newApi } from '../support/apis.ts';
import { expectAccessible } from '../support/axe.ts';
import { ageSignIn, test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an admin tries a sign-in to an app step by step, and sees requests, tokens and claims', async ({
      page,
      admin,
      context,
    }) => {
      // Axe checks four pages, twice.
      test.slow();
      const client = await newClient({ redirectUris: ['https://app.example/callback'] });
      await page.goto(`/admin/clients/${client.id}`);
      await page.getByRole('link', { name: 'Try it' }).click();
      await expect(page).toHaveURL(`/admin/clients/${client.id}/try`);
      const judge = async () => {
        if (javaScriptEnabled) await expectAccessible(page);
      };
      await judge();
      await page.getByRole('button', { name: 'Start' }).click();
      await expect(page).toHaveURL(/\/consent\?flow=/);
      await page.getByRole('button', { name: 'Allow' }).click();

      await expect(page).toHaveURL(/\/try\?answer=/);
      const asked = page.getByRole('region', { name: '1. Authorization request' }).first();
      await expect(asked.getByText(/^GET .*\/oauth\/authorize\?response_type=code/)).toBeVisible();
      await expect(
        asked.getByRole('row').filter({ hasText: 'code_challenge_method' }),
      ).toBeVisible();
      await judge();
      await page.getByRole('button', { name: 'Send the token request' }).click();
      await expect(page.getByText('Answer: 200')).toBeVisible();
      await expect(page.getByText('Authorization: Basic •••••')).toBeVisible();
      const tokens = page.getByRole('region', { name: '4. Tokens' });
      await expect(tokens.getByRole('row').filter({ hasText: admin.id })).toBeVisible();
      await judge();

      const next = page.getByRole('region', { name: '5. Use them' });
      const answers = async (button: string, text: string) => {
        await page.getByRole('button', { name: button, exact: true }).click();
        await expect(next.getByText(text).first()).toBeVisible();
      };
      await answers('User information', `"username": "${admin.username}"`);
      await answers('Introspection', '"active": true');
      await page.getByRole('button', { name: 'Refresh', exact: true }).click();
      await expect(page.getByText('grant_type=refresh_token')).toBeVisible();
      await answers('Revoke these tokens', 'POST /oauth/revoke');
      await answers('User information', 'Answer: 401');
      await judge();
      // No token is in an address or in a cookie.
      const cookies = JSON.stringify(await context.cookies());
      expect(cookies + page.url()).not.toMatch(/gh_(at|rt|ac)_/);

      await ageSignIn(admin, 16);
      await page.getByRole('button', { name: 'Introspection', exact: true }).click();
      await expect(page.getByText('Confirm it’s you to continue.')).toBeVisible();
      await page.goto(page.url());
      await expect(page).toHaveURL(/\/login/);
    });

    test('a trial sign-in requests an API with its scopes, and offers none that the app may not use', async ({
      page,
      admin: _,
    }) => {
      const client = await newClient({ redirectUris: ['https://app.example/callback'] });
      const api = await newApi({ name: `Orders of ${client.id}`, scopes: ['orders:read'] });
      const closed = await newApi({ access: 'listed' });
      await page.goto(`/admin/clients/${client.id}/try`);
      const apis = page.getByRole('group', { name: 'APIs' });
      await expect(apis.getByText(closed.identifier)).toHaveCount(0);
      await apis.locator(`[value="${api.identifier}#orders:read"]`).check();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Start' }).click();
      await expect(page.getByText(`Orders of ${client.id}`).first()).toBeVisible();
      await page.getByRole('button', { name: 'Allow' }).click();
      await expect(page.getByRole('row').filter({ hasText: 'resource' })).toContainText(
        api.identifier,
      );
      await page.getByRole('button', { name: 'Send the token request' }).click();
      await page.getByRole('button', { name: 'Introspection', exact: true }).click();
      await expect(page.getByText(`"aud": "${api.identifier}"`)).toBeVisible();
    });

    test('a trial sign-in that is denied shows the error of the app', async ({
      page,
      admin: _,
    }) => {
      const client = await newClient({ redirectUris: ['https://app.example/callback'] });
      await page.goto(`/admin/clients/${client.id}/try`);
      await page.getByRole('button', { name: 'Start' }).click();
      await page.getByRole('button', { name: 'Deny' }).click();
      await expect(
        page.getByText('There is no code, so there is nothing to redeem.'),
      ).toBeVisible();
      await expect(page.getByText('access_denied', { exact: true })).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
    });
  });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('the claims preview shows what an app gets about a person', async ({ page, admin: _ }) => {
      const client = await newClient();
      const person = await newUser({ name: 'Ada Preview' });
      await page.goto(`/admin/clients/${client.id}`);
      await page.getByRole('link', { name: 'Claims preview' }).click();
      await page.getByLabel('Person').fill('nobody at all');
      await page.getByRole('button', { name: 'Show' }).click();
      await expect(page.getByText(/nobody at all/).first()).toBeVisible();
      await page.getByLabel('Person').fill(person.email);
      await page.getByRole('button', { name: 'Show' }).click();
      const told = page.locator('#id-token');
      await expect(told.getByRole('row').filter({ hasText: 'Ada Preview' })).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('checkbox', { name: 'profile' }).uncheck();
      await page.getByRole('checkbox', { name: 'openid' }).uncheck();
      await page.getByRole('button', { name: 'Show' }).click();
      await expect(page.getByText('There is none without the openid scope.')).toBeVisible();
      await expect(page.getByText('Ada Preview')).toHaveCount(0);
      await expect(page.locator('#userinfo').getByText(person.email)).toBeVisible();
    });
  });
}

test('a trial sign-in that is not possible says why', async ({ page, admin: _ }) => {
  const service = await newClient({ grants: ['client_credentials'] });
  await page.goto(`/admin/clients/${service.id}/try`);
  await expect(page.getByText('This app doesn’t sign people in.')).toBeVisible();
  const open = await newClient({ redirectUris: [] });
  await page.goto(`/admin/clients/${open.id}/try`);
  await expect(page.getByText('Add a redirect URI first')).toBeVisible();
  await expectAccessible(page);
});
