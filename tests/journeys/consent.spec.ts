import { newPendingRequest, sealPendingRequest } from '#lib/interaction/pending-request.ts';
import { createScope } from '#lib/management/scope/scopes.ts';
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
import { newClient, newUser, password, type TestClient } from '../support/seed.ts';

const cli = { id: 'cli' };
let client: TestClient;
test.beforeEach(async ({ site }) => {
  client = await newClient({ redirectUris: [`${site.https}/callback`], name: 'Pottery Club' });
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a double click on “Sign in” and on “Allow” leads to the app with one code', async ({
      page,
      server,
      site,
    }) => {
      const user = await newUser();
      await page.goto(authorizeUrl(client.id, { state: 'S' }));
      await page.getByLabel('Username or email').fill(user.username);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page
        .getByRole('button', { name: 'Sign in', exact: true })
        .dblclick({ noWaitAfter: true });
      await page.waitForURL(/\/consent/);
      await page.getByRole('button', { name: 'Allow' }).dblclick({ noWaitAfter: true });
      const { code = '' } = await answerAt(page, site.https);
      const tokens = await redeem(server, client, code);
      expect(await userOf(server, tokens.access_token)).toBe(user.username);
    });

    test('a user allows an app, and the app gets its tokens', async ({ page, server, site }) => {
      const user = await newUser({ name: 'Ada Lovelace' });
      await openSignedIn(
        page,
        authorizeUrl(client.id, { state: 'a b&c', scope: 'profile email' }),
        user.username,
      );
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        'Allow Pottery Club to access your account?',
      );
      const main = page.getByRole('main');
      await expect(main).toContainText('Ada Lovelace');
      await expect(main).toContainText(`${user.username} and ${user.email}`);
      await expect(main).toContainText('See your profile, such as your name, picture and language');
      await expect(main).toContainText(`You’ll go back to ${new URL(site.https).host}`);
      await decide(page, 'Allow');
      const answer = await answerAt(page, site.https);
      expect(answer).toEqual({ code: expect.any(String), state: 'a b&c', iss: server.origin });
      const tokens = await redeem(server, client, answer.code ?? '');
      expect(await userOf(server, tokens.access_token)).toBe(user.username);

      // The consent is remembered, so the second request does not ask.
      await page.goto(authorizeUrl(client.id));
      expect(await answerAt(page, site.https)).toHaveProperty('code');
    });

    test('a user denies an app, and is asked again the next time', async ({ page, site }) => {
      await openSignedIn(page, authorizeUrl(client.id, { state: 's' }), (await newUser()).username);
      await decide(page, 'Deny');
      expect(await answerAt(page, site.https)).toMatchObject({
        error: 'access_denied',
        state: 's',
      });
      await page.goto(authorizeUrl(client.id));
      await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();
    });

    test('"Not you?" on the consent page changes the account and keeps the request', async ({
      page,
      server,
      site,
    }) => {
      const first = await newUser();
      const second = await newUser();
      await openSignedIn(page, authorizeUrl(client.id, { state: 'kept' }), first.username);
      await page.getByRole('button', { name: 'Not you?' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
      await expect(page.getByRole('main')).toContainText('to continue to Pottery Club');
      await signInAt(page, second.username);
      await expect(page.getByRole('main')).toContainText(second.email);
      await decide(page, 'Allow');
      const answer = await answerAt(page, site.https);
      expect(answer.state).toBe('kept');
      const tokens = await redeem(server, client, answer.code ?? '');
      expect(await userOf(server, tokens.access_token)).toBe(second.username);
    });
  });
}

test('consent: reload and the back button keep the request', async ({ page, server, site }) => {
  const user = await newUser();
  await page.goto(authorizeUrl(client.id));
  await page.reload();
  await signInAt(page, user.username);
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();
  await page.reload();
  await page.goBack();
  await expect(page.getByRole('main')).toContainText('Pottery Club');
  await page.goForward();
  await decide(page, 'Allow');
  const { code = '' } = await answerAt(page, site.https);
  expect(await redeem(server, client, code)).toHaveProperty('access_token');

  await page.goBack();
  await decide(page, 'Allow');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'This request was already answered',
  );
});

test('consent: after Deny, the back button and Allow give no code', async ({ page, site }) => {
  const user = await newUser();
  await openSignedIn(page, authorizeUrl(client.id, { state: 's' }), user.username);
  await decide(page, 'Deny');
  expect(await answerAt(page, site.https)).toMatchObject({ error: 'access_denied', state: 's' });
  await page.goBack();
  await decide(page, 'Allow');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'This request was already answered',
  );
  await expect(page.getByRole('main')).toContainText('or you said no');
});

test('consent: authorization requests in several tabs are independent', async ({
  page,
  context,
  server,
  site,
}) => {
  const user = await newUser();
  const other = await newClient({ redirectUris: [`${site.https}/other`], name: 'Book Shelf' });
  const second = await context.newPage();
  await page.goto(authorizeUrl(client.id, { state: 'one' }));
  await second.goto(authorizeUrl(other.id, { state: 'two' }));
  await signInAt(page, user.username);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Pottery Club');
  // The second tab still shows its sign-in page, and that works too.
  await signInAt(second, user.username);
  await decide(second, 'Allow');
  const two = await answerAt(second, site.https);
  expect(two.state).toBe('two');
  // The second sign-in continued the same session, so the first page is still valid.
  await decide(page, 'Allow');
  const one = await answerAt(page, site.https);
  expect(one.state).toBe('one');
  expect(await redeem(server, client, one.code ?? '')).toHaveProperty('access_token');
  expect(await redeem(server, other, two.code ?? '')).toHaveProperty('access_token');
});

test('an error in one tab is not shown in another', async ({ page, context }) => {
  const second = await context.newPage();
  await page.goto(authorizeUrl(client.id));
  await second.goto('/login');
  await signInAt(page, 'nobody', 'wrong wrong wrong');
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await second.reload();
  await expect(second.getByRole('main').getByRole('alert')).toHaveCount(0);
});

test('consent: a request that waited for more than an hour can be tried again', async ({
  page,
  context,
  server,
  site,
}) => {
  const user = await newUser();
  await signIn(page, user.username);
  const browser = (await context.cookies()).find(({ name }) => name === 'gh_browser')?.value ?? '';
  const params = new Map([
    ['client_id', [client.id]],
    ['response_type', ['code']],
    ['state', ['still here']],
  ]);
  const longAgo = new Date(Date.now() - 61 * 60_000);
  const flow = await sealPendingRequest(
    newPendingRequest({ params, redirectUri: client.redirectUri, browser }, longAgo),
  );
  for (const at of ['/login', '/consent', '/oauth/continue', '/oauth/cancel']) {
    await page.goto(`${at}?flow=${flow}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('That took a little too long');
    await expect(page.getByRole('main')).toContainText('Nothing was shared with Pottery Club.');
  }
  await page.getByRole('link', { name: 'Try again' }).click();
  await decide(page, 'Allow');
  const answer = await answerAt(page, site.https);
  expect(answer.state).toBe('still here');
  expect(await redeem(server, client, answer.code ?? '')).toHaveProperty('access_token');
});

test('consent: a request begun in another browser is refused', async ({ page, browser }) => {
  const elsewhere = await browser.newContext();
  const outsider = await elsewhere.newPage();
  await outsider.goto(authorizeUrl(client.id));
  const theirs = new URL(outsider.url()).search;
  await elsewhere.close();

  await signIn(page, (await newUser()).username);
  for (const at of ['/login', '/consent', '/oauth/continue', '/oauth/cancel']) {
    const response = await page.goto(at + theirs);
    expect(response?.status()).toBe(400);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'This page belongs to another browser',
    );
  }
  await page.goto('/consent?flow=something');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link is incomplete');
});

test('consent for more scopes later lists the new ones first', async ({ page, site }) => {
  await openSignedIn(page, authorizeUrl(client.id, { scope: 'email' }), (await newUser()).username);
  await decide(page, 'Allow');
  await answerAt(page, site.https);
  await page.goto(authorizeUrl(client.id, { scope: 'email phone' }));
  await expect(
    page.getByRole('heading', { name: 'New: Pottery Club will also be able to' }),
  ).toBeVisible();
  await expect(page.getByRole('listitem').first()).toHaveText('See your phone number');
  // What was allowed before is collapsed.
  const before = page.getByText('See whether your email address is verified');
  await expect(before).toBeHidden();
  await page.getByText('What you’ve already allowed').click();
  await expect(before).toBeVisible();
  await expect(page.getByText('See your username and email address')).toBeVisible();
});

test.describe('in German', () => {
  test.use({ locale: 'de-DE' });

  test('a scope is shown in German or else untranslated, and a sensitive one stands out', async ({
    page,
    site,
  }) => {
    const names = ['read', 'write'].map((each) => `notes.${each}.${Date.now()}`) as [
      string,
      string,
    ];
    await createScope(
      {
        name: names[0],
        description: 'Read your notes',
        translations: { de: 'Ihre Notizen lesen' },
        sensitive: true,
      },
      cli,
      new Date(),
    );
    await createScope({ name: names[1], description: 'Write notes' }, cli, new Date());
    const app = await newClient({
      redirectUris: [`${site.https}/callback`],
      name: 'Notizbuch',
      scopes: names,
    });
    const user = await newUser();
    await page.goto(authorizeUrl(app.id, { scope: names.join(' ') }));
    await page.locator('[name=username]').fill(user.username);
    await page.locator('[name=password]').fill(password);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Notizbuch darf', exact: true })).toBeVisible();
    const lines = page.getByRole('listitem');
    await expect(lines.first()).toHaveText('Ihre Notizen lesen weitreichend');
    await expect(lines.nth(1)).toHaveText('Write notes');
    const weight = (at: number) =>
      lines.nth(at).evaluate((line) => Number(getComputedStyle(line).fontWeight));
    expect(await weight(0)).toBeGreaterThan(await weight(1));
  });
});

test('form_post: the code is posted to the app after consent', async ({ page, site }) => {
  await openSignedIn(
    page,
    authorizeUrl(client.id, { response_mode: 'form_post', state: 'p' }),
    (await newUser()).username,
  );
  const posted = page.waitForRequest((request) => request.url().startsWith(site.https));
  await decide(page, 'Allow');
  const request = await posted;
  expect(request.method()).toBe('POST');
  expect(Object.fromEntries(new URLSearchParams(request.postData() ?? ''))).toMatchObject({
    state: 'p',
    code: expect.any(String),
  });
  await expect(page.getByRole('heading')).toHaveText('POST');
});
