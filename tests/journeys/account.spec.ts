import type { Page } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { ageSignIn } from '../support/dashboard.ts';
import {
  answerAt,
  authorizeUrl,
  decide,
  expect,
  newAddress,
  openSignedIn,
  redeem,
  signIn,
  test,
  userOf,
} from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

const sections = ['Your apps', 'Sign-in', 'Profile'];

async function expectClean(page: Page): Promise<void> {
  const found = await axeFindings(page);
  expect(found).toEqual([]);
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('the page of an app shows its claims; removing one permission changes them and revokes its tokens', async ({
      page,
      server,
      site,
    }) => {
      const client = await newClient({
        redirectUris: [`${site.https}/callback`],
        name: 'Pottery Club',
      });
      const user = await newUser({ name: 'Ada King', claims: { address: { locality: 'London' } } });
      await openSignedIn(
        page,
        authorizeUrl(client.id, { scope: 'profile address' }),
        user.username,
      );
      await decide(page, 'Allow');
      const tokens = await redeem(server, client, (await answerAt(page, site.https)).code ?? '');
      await page.goto('/account/apps');
      await expect(page.getByRole('main')).toContainText('one active sign-in');
      await page.getByRole('link', { name: 'Manage Pottery Club' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pottery Club');
      await expect(
        page.getByRole('navigation').getByRole('link', { name: 'Your apps' }),
      ).toHaveAttribute('aria-current', 'true');
      const sees = page.getByRole('region', { name: 'What it sees about you' });
      await expect(sees).toContainText('London');
      await page.getByText('Remove single permissions').click();
      await page
        .getByRole('button', { name: 'Remove from Pottery Club: See your postal address' })
        .click();
      await expect(page.getByRole('status')).toContainText('Permission removed.');
      await expect(sees).toContainText('Ada King');
      await expect(sees).not.toContainText('London');
      expect(await userOf(server, tokens.access_token)).toBe(401);
      if (javaScriptEnabled) await expectClean(page);
      await page.getByText('Remove access', { exact: true }).click();
      await page.getByRole('button', { name: 'Yes, remove access' }).click();
      await expect(page).toHaveURL('/account/apps');
      await expect(page.getByRole('main')).toContainText('No apps yet');
    });

    test('the username is changed after a recent sign-in; a refused one stays in the field', async ({
      page,
    }) => {
      const user = await newUser();
      const other = await newUser();
      await signIn(page, user.username);
      await page.goto('/account/sign-in');
      const field = page.getByRole('textbox', { name: 'Username' });
      const change = async (to: string) => {
        // What was refused is unfolded already.
        if (await field.isHidden()) await page.locator('summary', { hasText: 'Username' }).click();
        await field.fill(to);
        await page.getByRole('button', { name: 'Change username' }).click();
      };
      await change(other.username);
      await expect(field).toHaveAccessibleDescription('That username is taken.');
      await expect(field).toHaveValue(other.username);
      await change(`new-${user.username}`);
      await expect(page.getByRole('status')).toContainText('Username changed.');
      await ageSignIn(user, 60);
      await page.reload();
      if (javaScriptEnabled) await expectClean(page);
      const password = page
        .locator('form', { hasText: 'Change username' })
        .getByRole('textbox', { name: 'Your password' });
      await page.locator('summary', { hasText: 'Username' }).click();
      await password.fill('not mine');
      await change(`late-${user.username}`);
      await expect(password).toHaveAccessibleDescription('That’s not your password.');
      await expect(password).toBeFocused();
      await expect(field).toHaveValue(`late-${user.username}`);
      if (javaScriptEnabled) await expectClean(page);
      await password.fill('correct horse battery staple');
      await page.getByRole('button', { name: 'Change username' }).click();
      await expect(page.getByRole('status')).toContainText('Username changed.');
      await expect(password).toHaveCount(0);
    });

    test('the profile shows an error at its field, and keeps what was typed', async ({ page }) => {
      await signIn(page, (await newUser()).username);
      await page.goto('/account/profile');
      await page.getByText('More details').click();
      await page.getByLabel('First name').fill('Ada');
      await page.getByLabel('Time zone').selectOption('Europe/London');
      await page.getByLabel('Birthday').fill('in December');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByLabel('Birthday')).toHaveAccessibleDescription(
        /^Enter a date like 1990-12-31/,
      );
      await expect(page.getByLabel('First name')).toHaveValue('Ada');
      await page.getByLabel('Birthday').fill('1815-12-10');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('status')).toContainText('Profile saved.');
      await expect(page.getByLabel('Time zone')).toHaveValue('Europe/London');
      await expect(page).toHaveTitle(/^Profile/);
    });

    test('another browser of the user is listed by its name, and can be signed out', async ({
      page,
      browser,
    }) => {
      const user = await newUser();
      const userAgent =
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1';
      const phone = await (
        await browser.newContext({
          javaScriptEnabled,
          userAgent,
          extraHTTPHeaders: { 'X-Forwarded-For': newAddress() },
        })
      ).newPage();
      await signIn(phone, user.username);
      await signIn(page, user.username);
      await page.goto('/account/sessions');
      const line = page.getByRole('listitem').filter({ hasText: 'Safari on iPhone' });
      await expect(line).toContainText('active recently');
      await expect(line).toContainText(/IP address 10\./);
      await expect(page.getByRole('listitem').filter({ hasText: 'this device' })).toContainText(
        'active now',
      );
      if (javaScriptEnabled) await expectClean(page);
      await line.getByRole('button', { name: 'Sign out Safari on iPhone' }).click();
      await expect(page.getByRole('status')).toContainText('Device signed out.');
      await phone.goto('/account');
      await expect(phone).toHaveURL(/\/login/);
      await phone.context().close();
    });

    test('browsers that read alike are one line, which unfolds to each of them', async ({
      page,
      browser,
    }) => {
      const user = await newUser();
      await signIn(page, user.username);
      const extraHTTPHeaders = { 'X-Forwarded-For': newAddress() };
      for (let count = 0; count < 3; count += 1) {
        const context = await browser.newContext({ extraHTTPHeaders });
        await signIn(await context.newPage(), user.username);
        await context.close();
      }
      await page.goto('/account/sessions');
      const ends = page.getByRole('button', { name: /^Sign out .+ on / });
      await expect(ends).toHaveCount(0);
      await page.locator('summary', { hasText: 'signed in 3 times' }).click();
      await expect(ends).toHaveCount(3);
      if (javaScriptEnabled) await expectClean(page);
      await ends.first().click();
      await expect(page.locator('summary', { hasText: 'signed in 2 times' })).toBeVisible();
    });
  });
}

test('every account page has the main navigation, visible at 320 px, with the page marked, usable by keyboard', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await signIn(page, (await newUser({ isAdmin: true })).username);
  await page.goto('/account');
  for (const [index, name] of sections.entries()) {
    const nav = page.getByRole('navigation', { name: 'Main' });
    await expect(nav.getByRole('link')).toHaveText([...sections, 'Dashboard']);
    for (const link of await nav.getByRole('link').all())
      await expect(link).toBeInViewport({ ratio: 1 });
    await expect(nav.locator('[aria-current=page]')).toHaveText([name]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0);
    const next = sections[index + 1];
    if (!next) break;
    await nav.getByRole('link', { name, exact: true }).focus();
    await page.keyboard.press('Tab');
    await expect(nav.getByRole('link', { name: next, exact: true })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(
      page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]'),
    ).toHaveText([next]);
  }
});

test('the hint at a new password tells while typing what will be refused', async ({ page }) => {
  const user = await newUser();
  await signIn(page, user.username);
  await page.goto('/account/sign-in#password');
  const field = page.locator('[name=new_password]');
  const saying = (words: RegExp) => expect(field).toHaveAccessibleDescription(words);
  await saying(/At least \d+ characters/);
  for (const [typed, words] of [
    ['short', /^Use at least \d+ characters/],
    ['aaaaaaaaaaaaaaaa', /easy to guess/],
    ['several unrelated words', /At least \d+ characters/],
    ['', /At least \d+ characters/],
  ] as const) {
    await field.fill(typed);
    await saying(words);
  }
});
