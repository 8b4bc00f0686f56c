import { answerAt, authorizeUrl, decide, expect, openSignedIn, test } from '../support/journey.ts';
import { newClient, newPkce, newUser } from '../support/seed.ts';

/**
 * Chrome applies `form-action` to the redirects after a form post, so every kind of address has to
 * be permitted.
 */
test('Allow redirects to a web app by https', async ({ page, site }) => {
  const client = await newClient({ redirectUris: [`${site.https}/callback?tenant=7`] });
  await openSignedIn(page, authorizeUrl(client.id), (await newUser()).username);
  await decide(page, 'Allow');
  expect(await answerAt(page, site.https)).toMatchObject({ tenant: '7', code: expect.any(String) });
});

test('Allow redirects to a program on this device, on any port', async ({ page, site }) => {
  const client = await newClient({ type: 'public', redirectUris: ['http://127.0.0.1/callback'] });
  const more = { redirect_uri: `${site.http}/callback`, ...newPkce().challenge };
  await openSignedIn(page, authorizeUrl(client.id, more), (await newUser()).username);
  await expect(page.getByRole('main')).toContainText('You’ll go back to an app on this device');
  await expect(page.getByRole('main')).toContainText('Make sure you started this');
  await decide(page, 'Allow');
  expect(await answerAt(page, site.http)).toHaveProperty('code');

  // Another program could listen there, so the person is asked each time.
  await page.goto(authorizeUrl(client.id, more));
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();
});

test('Allow redirects to an IPv6 loopback address', async ({ page, site }) => {
  // On a machine without IPv6 nothing answers there; it is enough to see where the browser goes.
  const address = `${site.httpV6 ?? 'http://[::1]:9'}/callback`;
  const client = await newClient({ redirectUris: [address] });
  await openSignedIn(page, authorizeUrl(client.id), (await newUser()).username);
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.url().startsWith(`${address}?code=`)),
    decide(page, 'Allow'),
  ]);
  expect(request.redirectedFrom()?.url()).toContain('/consent/submit');
});

test('Allow redirects to an installed app by its own scheme', async ({ page }) => {
  const client = await newClient({
    type: 'public',
    redirectUris: ['com.example.pottery:/callback'],
  });
  await openSignedIn(
    page,
    authorizeUrl(client.id, newPkce().challenge),
    (await newUser()).username,
  );
  await expect(page.getByRole('main')).toContainText(
    'You’ll go back to an app on this device com.example.pottery',
  );
  const [response] = await Promise.all([
    page.waitForResponse((answer) => answer.url().endsWith('/consent/submit')),
    decide(page, 'Allow'),
  ]);
  expect(response.headers().location).toMatch(/^com\.example\.pottery:\/callback\?code=/);
  // The browser does not complain, because the scheme is in the page's form-action.
});

test('an unregistered redirect URI is marked, and gets no redirect before the user has decided', async ({
  page,
  site,
}) => {
  const client = await newClient({ redirectUris: [] });
  const at = { redirect_uri: `${site.https}/anywhere`, state: 'u' };
  const refused = await page.goto(authorizeUrl(client.id, { ...at, scope: 'no-such-scope' }));
  expect(refused?.status()).toBe(400);
  await expect(page.getByRole('main')).toContainText('invalid_scope');

  await openSignedIn(page, authorizeUrl(client.id, at), (await newUser()).username);
  const main = page.getByRole('main');
  await expect(main).toContainText('This address isn’t registered for the app');
  await expect(main).toContainText(`Only allow this if you know ${new URL(site.https).host}`);
  await decide(page, 'Deny');
  expect(await answerAt(page, site.https)).toMatchObject({ error: 'access_denied', state: 'u' });

  await page.goto(authorizeUrl(client.id, at));
  await decide(page, 'Allow');
  expect(await answerAt(page, site.https)).toMatchObject({ code: expect.any(String), state: 'u' });
});

test('a redirect URI without encryption is marked', async ({ page }) => {
  const client = await newClient({ redirectUris: ['http://shop.invalid/callback'] });
  await openSignedIn(page, authorizeUrl(client.id), (await newUser()).username);
  await expect(page.getByRole('main')).toContainText('This address isn’t encrypted');
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.url().startsWith('http://shop.invalid/callback?code=')),
    decide(page, 'Allow'),
  ]);
  expect(request.redirectedFrom()?.method()).toBe('POST');
});

test('a redirect URI missing in form-action of the CSP is blocked by the browser, and detected here', async ({
  page,
  complaints,
  site,
}) => {
  const client = await newClient({ redirectUris: [`${site.https}/callback`] });
  await page.route('**/consent?flow=*', async (route) => {
    const response = await route.fetch();
    const policy = (response.headers()['content-security-policy'] ?? '').replace(
      ` ${site.https}`,
      '',
    );
    await route.fulfill({
      response,
      headers: { ...response.headers(), 'content-security-policy': policy },
    });
  });
  await openSignedIn(page, authorizeUrl(client.id), (await newUser()).username);
  await page.reload();
  await decide(page, 'Allow');
  await expect.poll(() => complaints.join()).toContain('form-action');
  // Waits for an answer from the page, because any further complaints about this come before it.
  await page.evaluate(() => null);
  complaints.splice(0);
});
