import type { Page } from '@playwright/test';
import { authorizeUrl, decide, expect, signInAt, test } from '../support/journey.ts';
import { plugIn } from '../support/plug-in.ts';
import { newClient, newUser } from '../support/seed.ts';
import { set } from '../support/settings.ts';

declare global {
  var popup: Window;
  var told: Promise<string>;
}

/** Opens an address in a popup, as an app does that waits for word from its own callback. */
async function openPopup(app: Page, address: string): Promise<Page> {
  const opened = app.waitForEvent('popup');
  await app.evaluate((url) => {
    globalThis.popup = window.open(url, 'popup', 'width=500,height=700') as Window;
    globalThis.told = new Promise((resolve) => {
      window.addEventListener('message', ({ data }) => resolve(data));
    });
  }, address);
  return opened;
}

/** The app still holds its popup, and the popup its app: what libraries watch. */
async function expectBound(app: Page, popup: Page): Promise<void> {
  await expect(popup.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await app.evaluate(() => globalThis.popup.closed), popup.url()).toBe(false);
  expect(await popup.evaluate(() => window.opener !== null), popup.url()).toBe(true);
}

/** The callback tells the app its address and closes, as the pages of libraries do. */
async function reportBack(app: Page, popup: Page): Promise<URL> {
  await expectBound(app, popup);
  const closed = popup.waitForEvent('close');
  await popup.evaluate(() => {
    window.opener.postMessage(location.href, location.origin);
    window.close();
  });
  await closed;
  return new URL(await app.evaluate(() => globalThis.told));
}

test('an app that signs people in in a popup keeps it through sign-in and consent', async ({
  page: app,
  server,
  site,
}) => {
  const callback = `${site.https}/callback`;
  const user = await newUser();
  const client = await newClient({ redirectUris: [callback] });
  await app.goto(site.https);
  const asked = { redirect_uri: callback, response_mode: 'fragment', state: 'kept' };
  const popup = await openPopup(app, server.origin + authorizeUrl(client.id, asked));
  await expectBound(app, popup);
  await signInAt(popup, user.username);
  await expect(popup).toHaveURL(/\/consent/);
  await expectBound(app, popup);
  await decide(popup, 'Allow');
  await popup.waitForURL((url) => url.href.startsWith(callback));
  const { hash, search } = await reportBack(app, popup);
  expect(search).toBe('');
  expect(Object.fromEntries(new URLSearchParams(hash.slice(1)))).toEqual({
    code: expect.any(String),
    state: 'kept',
    iss: server.origin,
  });
});

test('an app keeps its popup through choosing an account, a denial and form_post', async ({
  page: app,
  server,
  site,
}) => {
  const callback = `${site.https}/callback`;
  const user = await newUser();
  const client = await newClient({ redirectUris: [callback] });
  await app.goto(site.https);
  const asked = { redirect_uri: callback, response_mode: 'form_post' };
  const first = await openPopup(app, server.origin + authorizeUrl(client.id, asked));
  await signInAt(first, user.username);
  await decide(first, 'Deny');
  await first.waitForURL(callback);
  await reportBack(app, first);
  const choose = { redirect_uri: callback, prompt: 'select_account' };
  const second = await openPopup(app, server.origin + authorizeUrl(client.id, choose));
  await expect(second).toHaveURL(/\/switch/);
  await expectBound(app, second);
  await second.getByRole('button', { name: user.email }).click();
  await expect(second).toHaveURL(/\/consent/);
  await expectBound(app, second);
  await decide(second, 'Deny');
  await second.waitForURL((url) => url.href.startsWith(callback));
  expect((await reportBack(app, second)).searchParams.get('error')).toBe('access_denied');
});

test('an app keeps its popup while somebody sets up their second step and sees recovery codes', async ({
  page: app,
  server,
  site,
}) => {
  const callback = `${site.https}/callback`;
  const user = await newUser();
  const client = await newClient({ redirectUris: [callback], firstParty: true });
  await app.goto(site.https);
  await set('REQUIRE_SECOND_FACTOR', 'everyone');
  try {
    const popup = await openPopup(app, server.origin + authorizeUrl(client.id));
    await plugIn(popup);
    await signInAt(popup, user.username);
    await expect(popup).toHaveURL(/\/login\/enrol/);
    await expectBound(app, popup);
    await popup.getByRole('button', { name: 'Create a passkey' }).click();
    await expect(popup).toHaveURL(/\/account\/security\/codes/);
    await expectBound(app, popup);
    await popup.getByRole('button', { name: 'I’ve saved these' }).click();
    await popup.waitForURL((url) => url.href.startsWith(callback));
    expect((await reportBack(app, popup)).searchParams.get('code')).toBeTruthy();
  } finally {
    await set('REQUIRE_SECOND_FACTOR', null);
  }
});
