import { randomBytes } from 'node:crypto';
import { write } from '#lib/store/engine/database.ts';
import { listIdentities } from '#lib/store/identities.ts';
import { findUserByLogin } from '#lib/store/users.ts';
import { expectAccessible } from '../support/axe.ts';
import { answerAt, authorizeUrl, decide, refusal, signInAt } from '../support/journey.ts';
import { newClient, newUser, password } from '../support/seed.ts';
import { expect, passThrough, test } from '../support/upstream-journey.ts';

const newName = () => `ada-${randomBytes(5).toString('hex')}`;

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a new user of a provider registers on the way to an app, and cannot remove the only way in', async ({
      page,
      way,
      upstream,
      site,
    }) => {
      const there = await upstream.newPerson();
      const client = await newClient({ redirectUris: [`${site.https}/callback`] });
      await page.goto(authorizeUrl(client.id, { state: 'kept' }));
      await page.getByRole('link', { name: `Continue with ${way.name}` }).click();
      await passThrough(page, upstream, there);
      await expect(page.getByRole('main')).toContainText(
        `${way.name} says that ${there.email} is yours.`,
      );
      await expect(page.getByLabel('Username')).toHaveValue(there.username);
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByLabel('Username').fill('a b');
      await page.getByRole('button', { name: 'Create account' }).click();
      await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/letters/);
      const username = newName();
      await page.getByLabel('Username').fill(username);
      await page.getByRole('button', { name: 'Create account' }).click();
      await decide(page, 'Allow');
      expect(await answerAt(page, client.redirectUri)).toMatchObject({ state: 'kept' });
      const made = await findUserByLogin(username);
      expect(made).toMatchObject({ email: there.email, passwordHash: null });
      await page.goto('/account/sign-in');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: `Remove: ${way.name}` }).click();
      await expect(refusal(page)).toContainText('This is your only way to sign in.');
      expect(await listIdentities(made?.id ?? '')).toHaveLength(1);
    });

    test('a user with an account signs in to link the provider, uses it to sign in, and removes it', async ({
      page,
      way,
      upstream,
    }) => {
      const there = await upstream.newPerson();
      const here = await newUser();
      const address = { email: there.email, id: here.id };
      await write('UPDATE users SET email = :email, email_key = :email WHERE id = :id', address);
      await page.goto('/login');
      await page.getByRole('link', { name: `Continue with ${way.name}` }).click();
      await passThrough(page, upstream, there);
      await expect(page.getByRole('main')).toContainText('You already have an account here.');
      await expect(page.getByLabel('Username or email')).toHaveValue(there.email);
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(page.getByRole('heading', { name: `Link ${way.name}?` })).toBeVisible();
      await expect(page.getByRole('main')).toContainText(`sign in as ${here.username} here`);
      if (javaScriptEnabled) await expectAccessible(page);
      expect(await listIdentities(here.id)).toEqual([]);
      await page.getByRole('button', { name: 'Link it', exact: true }).click();
      await expect(page).toHaveURL(/\/account/);
      expect(await listIdentities(here.id)).toHaveLength(1);

      await page.context().clearCookies({ domain: 'localhost' });
      await page.goto('/login');
      await page.getByRole('link', { name: `Continue with ${way.name}` }).click();
      await expect(page).toHaveURL('/account');

      await page.goto('/account/sign-in');
      await page.getByRole('button', { name: `Remove: ${way.name}` }).click();
      await expect(page.getByText(`${way.name} is no longer linked.`)).toBeVisible();
      expect(await listIdentities(here.id)).toEqual([]);
    });

    test('a user links a provider from the account, or declines', async ({
      page,
      way,
      upstream,
    }) => {
      const there = await upstream.newPerson();
      const here = await newUser();
      await page.goto('/login');
      await signInAt(page, here.username);
      await expect(page).toHaveURL('/account');
      await page.goto('/account/sign-in');
      await page.getByRole('link', { name: `Link: ${way.name}` }).click();
      await page.waitForURL((url) => url.origin === upstream.origin);
      await signInAt(page, there.username);
      await decide(page, 'Deny');
      await expect(page.getByText(`You stopped at ${way.name}.`)).toBeVisible();
      for (const choice of ['Don’t link it', 'Link it']) {
        await page.getByRole('link', { name: `Link: ${way.name}` }).click();
        if (choice !== 'Link it') await decide(page, 'Allow');
        await page.getByRole('button', { name: choice, exact: true }).click();
        await expect(page).toHaveURL('/account/sign-in');
        expect(await listIdentities(here.id)).toHaveLength(choice === 'Link it' ? 1 : 0);
      }
      await expect(page.getByText(`${way.name} is linked.`)).toBeVisible();
    });

    test('an unreachable provider is reported at sign-in, beside the password form', async ({
      page,
      way,
    }) => {
      await write('UPDATE providers SET issuer = :issuer, updated_at = :now WHERE id = :id', {
        issuer: 'http://127.0.0.1:9',
        now: new Date(),
        id: way.id,
      });
      await page.goto('/login');
      await page.getByRole('link', { name: `Continue with ${way.name}` }).click();
      await expect(refusal(page)).toContainText(`${way.name} couldn’t sign you in.`);
      await expect(page.getByLabel('Username or email')).toBeVisible();
    });
  });
}
