import {
  answerAt,
  authorizeUrl,
  expect,
  refusal,
  signIn,
  signInAt,
  test,
} from '../support/journey.ts';
import { newClient, newUser, password } from '../support/seed.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a wrong password is refused with one neutral message, and the right one signs in', async ({
      page,
    }) => {
      const user = await newUser();
      await page.goto('/login');
      await signInAt(page, user.username, 'not the password');
      const message = refusal(page);
      await expect(message).toContainText('Incorrect username or password.');
      await expect(page.getByLabel('Username or email')).toHaveValue(user.username);
      await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
      const known = await message.textContent();

      await signInAt(page, 'nobody-of-this-name');
      await expect(page.getByLabel('Username or email')).toHaveValue('nobody-of-this-name');
      expect(await message.textContent()).toBe(known);

      await signInAt(page, user.email);
      await expect(page).toHaveURL('/account');
      await expect(page.getByRole('heading', { name: `Hello, ${user.username}` })).toBeVisible();
    });
  });
}

test('empty fields of the sign-in form get an error at the field', async ({ page }) => {
  await page.goto('/login');
  // Browsers refuse to send the empty form; if it is sent anyway, the answer says the same.
  await page
    .locator('form')
    .first()
    .evaluate((form: HTMLFormElement) => form.setAttribute('novalidate', ''));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.getByLabel('Username or email')).toHaveAccessibleDescription(
    'Enter your username or email address.',
  );
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
    'Enter your password.',
  );
  await expect(page.getByLabel('Username or email')).toBeFocused();
});

test('too many wrong passwords are throttled, and the owner signs in from a known browser', async ({
  page,
  browser,
}) => {
  const user = await newUser();
  const known = await browser.newContext();
  const owner = await known.newPage();
  await signIn(owner, user.username);
  await owner.goto('/logout');
  await owner.getByRole('button', { name: 'Sign out' }).click();

  await page.goto('/login');
  for (let tries = 0; tries < 10; tries += 1) await signInAt(page, user.username, `guess ${tries}`);
  await signInAt(page, user.username, password);
  await expect(refusal(page)).toContainText('Error: Too many attempts. Try again in 1 minute. Or ');

  await signIn(owner, user.username);
  await known.close();
});

test('the password can be shown, and hidden again', async ({ page }) => {
  await page.goto('/login');
  const box = page.getByLabel('Password', { exact: true });
  await box.fill('a typed word');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(box).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(box).toHaveAttribute('type', 'password');
});

test('a signed-in user at /login is led to the account', async ({ page }) => {
  await signIn(page, (await newUser()).username);
  await page.goto('/login');
  await expect(page).toHaveURL('/account');
});

test('Cancel on the sign-in page returns access_denied to the app', async ({ page, site }) => {
  const client = await newClient({
    redirectUris: [`${site.https}/callback`],
    name: 'Pottery Club',
  });
  await page.goto(authorizeUrl(client.id, { state: 'kept' }));
  await page.getByRole('link', { name: 'Cancel and go back to Pottery Club' }).click();
  expect(await answerAt(page, site.https)).toMatchObject({ error: 'access_denied', state: 'kept' });
});

test('login_hint is filled in at sign-in', async ({ page, site }) => {
  const client = await newClient({ redirectUris: [`${site.https}/callback`] });
  await page.goto(authorizeUrl(client.id, { login_hint: 'ada@example.org' }));
  await expect(page.getByLabel('Username or email')).toHaveValue('ada@example.org');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
});

test.describe('on a narrow screen, in German', () => {
  test.use({ locale: 'de', viewport: { width: 320, height: 700 } });

  test('the account chooser shows the whole email address', async ({ page }) => {
    const user = await newUser();
    const client = await newClient();
    await page.goto('/login');
    await page.locator('[name=username]').fill(user.username);
    await page.locator('[name=password]').fill(password);
    await page.locator('form[action="/login/submit"] button[type=submit]').click();
    await page.goto(authorizeUrl(client.id, { prompt: 'select_account' }));
    const words = page.getByText(user.email, { exact: true });
    await expect(words).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Konto auswählen' })).toBeVisible();
    const cut = (element: Element) => element.scrollWidth - element.clientWidth;
    expect(await words.evaluate(cut)).toBeLessThanOrEqual(0);
    expect(await page.locator('html').evaluate(cut)).toBeLessThanOrEqual(0);
  });
});
