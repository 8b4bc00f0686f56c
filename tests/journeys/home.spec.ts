import {
  answerAt,
  authorizeUrl,
  decide,
  expect,
  openSignedIn,
  redeem,
  signIn,
  signInAt,
  test,
  userOf,
} from '../support/journey.ts';
import { newClient, newUser, password } from '../support/seed.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an app whose access is removed loses it immediately', async ({ page, server, site }) => {
      const name = `Pottery Club ${Date.now()}`;
      const client = await newClient({
        redirectUris: [`${site.https}/callback`],
        name,
        homePage: site.https,
      });
      const user = await newUser();
      await openSignedIn(page, authorizeUrl(client.id), user.username);
      await decide(page, 'Allow');
      const tokens = await redeem(server, client, (await answerAt(page, site.https)).code ?? '');
      await page.goto('/account');
      const tile = page.getByRole('listitem').filter({ hasText: name });
      // Uses are stored every few seconds.
      await expect(async () => {
        await page.reload();
        await expect(tile).toContainText('Last used', { timeout: 100 });
      }).toPass();
      await expect(tile.getByRole('link', { name: `Manage ${name}` })).toBeVisible();
      await page.getByRole('link', { name: 'See what each app can do' }).click();
      const card = page.getByRole('region', { name: 'Apps with access' });
      await expect(card).toContainText(name);
      await card.getByText('Remove access', { exact: true }).click();
      await expect(card).toContainText(`${name} loses access to your account immediately.`);
      expect(await userOf(server, tokens.access_token)).toBe(user.username);
      await card.getByRole('button', { name: 'Yes, remove access' }).click();
      await expect(page.getByRole('status')).toContainText(
        'The app no longer has access to your account.',
      );
      await expect(card).toContainText('No apps yet');
      expect(await userOf(server, tokens.access_token)).toBe(401);
    });

    test('changing the password signs out the other browsers, and apps if ticked', async ({
      page,
      browser,
      server,
      site,
    }) => {
      const client = await newClient({ redirectUris: [`${site.https}/callback`] });
      const user = await newUser();
      await openSignedIn(page, authorizeUrl(client.id), user.username);
      await decide(page, 'Allow');
      const tokens = await redeem(server, client, (await answerAt(page, site.https)).code ?? '');
      const other = await (await browser.newContext({ javaScriptEnabled })).newPage();
      await signIn(other, user.username);

      await page.goto('/account/sign-in#password');
      const card = page.getByRole('region', { name: 'Change your password' });
      const change = async (from: string, to: string) => {
        await card.getByLabel('Your password').fill(from);
        await card.getByLabel('New password').fill(to);
        await card.getByRole('button', { name: 'Change password' }).click();
      };
      await change('not the password', 'another good password');
      await expect(card.getByLabel('Your password')).toHaveAccessibleDescription(
        'That’s not your password.',
      );
      await change(password, 'short');
      await expect(card.getByLabel('New password')).toHaveAccessibleDescription(
        /^Use at least 8 characters\./,
      );
      await change(password, password);
      await expect(card.getByLabel('New password')).toHaveAccessibleDescription(
        /^Choose a password that’s different/,
      );
      await card.getByLabel('Also sign out all apps').check();
      await change(password, 'another good password');
      await expect(page.getByRole('status')).toContainText(
        'Password changed. Your other devices were signed out.',
      );
      expect(await userOf(server, tokens.access_token)).toBe(401);

      await other.goto('/account');
      await expect(other).toHaveURL('/login');
      await signInAt(other, user.username);
      await expect(other.getByRole('main').getByRole('alert')).toContainText(
        'Incorrect username or password.',
      );
      await signInAt(other, user.username, 'another good password');
      await expect(other).toHaveURL('/account');
      await other.context().close();
    });

    test('signing out ends the session, also for a copy of its cookie', async ({
      page,
      context,
    }) => {
      await signIn(page, (await newUser()).username);
      await page.goto('/account');
      const cookies = await context.cookies();
      await page.getByRole('link', { name: 'Sign out' }).click();
      await page.getByRole('link', { name: 'Stay signed in' }).click();
      await expect(page).toHaveURL('/account');
      await page.getByRole('link', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re signed out');
      await context.addCookies(cookies);
      await page.goto('/account');
      await expect(page).toHaveURL('/login');
    });
  });
}

test('a form left open in a tab that is signed out changes nothing and leads to sign-in', async ({
  page,
  context,
}) => {
  await signIn(page, (await newUser()).username);
  await page.goto('/account/sign-in#password');
  const second = await context.newPage();
  await second.goto('/logout');
  await second.getByRole('button', { name: 'Sign out' }).click();
  await expect(second.getByRole('heading', { level: 1 })).toHaveText('You’re signed out');
  await page.getByRole('textbox', { name: 'Your password' }).fill(password);
  await page.getByLabel('New password').fill('another good password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
});
