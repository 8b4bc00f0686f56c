import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { write } from '#lib/store/engine/database.ts';
import { axeFindings } from '../support/axe.ts';
import { decide, expect, redeem, signIn, test, userOf } from '../support/journey.ts';
import { newClient, newUser, type TestClient } from '../support/seed.ts';
import type { Server as TestServer } from '../support/server.ts';

/** A relying party that others can ask to begin a sign-in (OpenID Connect Core section 4). */
class Party {
  readonly asked: { url: URL; referrer: string | undefined }[] = [];
  client: TestClient | undefined;
  readonly #gatehouse: TestServer;
  readonly #server: Server;

  constructor(server: TestServer) {
    this.#gatehouse = server;
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(({ status, location, text }) => {
        response.writeHead(status, {
          'Content-Type': 'text/html; charset=utf-8',
          ...(location && { Location: location }),
        });
        response.end(`<!doctype html><html lang="en"><title>App</title><h1>${text}</h1>`);
      });
    });
  }

  async #answer(
    request: IncomingMessage,
  ): Promise<{ status: number; location?: string; text: string }> {
    const url = new URL(request.url ?? '/', this.origin);
    if (url.pathname === '/favicon.ico') return { status: 204, text: '' };
    this.asked.push({ url, referrer: request.headers.referer });
    if (url.pathname === '/begin') return this.#begin(url.searchParams);
    if (url.pathname !== '/callback' || !this.client) return { status: 200, text: 'Home' };
    const tokens = await redeem(this.#gatehouse, this.client, url.searchParams.get('code') ?? '');
    return {
      status: 200,
      text: `Signed in as ${await userOf(this.#gatehouse, tokens.access_token)}`,
    };
  }

  /** It begins a sign-in only at an issuer that it knows. */
  #begin(asked: URLSearchParams) {
    if (asked.get('iss') !== this.#gatehouse.origin) return { status: 400, text: 'Unknown issuer' };
    const params = new URLSearchParams({
      response_type: 'code',
      client_id: this.client?.id ?? '',
      redirect_uri: this.client?.redirectUri ?? '',
      state: 'of-the-app',
      login_hint: asked.get('login_hint') ?? '',
    });
    return {
      status: 303,
      location: `${this.#gatehouse.origin}/oauth/authorize?${params}`,
      text: '',
    };
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    await new Promise<void>((settle) => this.#server.listen(0, '127.0.0.1', settle));
    return this;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an app is opened at its initiate_login_uri, and the user is signed in there', async ({
      page,
      server,
    }) => {
      const party = await new Party(server).start();
      const user = await newUser();
      const name = `Pottery ${user.username}`;
      party.client = await newClient({
        name,
        description: 'Clay and glaze',
        redirectUris: [`${party.origin}/callback`],
        initiateLoginUri: `${party.origin}/begin?tenant=a%20b`,
        homePage: 'https://elsewhere.example/',
      });
      await signIn(page, user.username);
      await page.goto('/account');
      const tile = page.getByRole('listitem').filter({ hasText: name });
      await expect(tile).toContainText('Clay and glaze');
      await expect(tile).toContainText('Never used');
      const [popup] = await Promise.all([
        page.waitForEvent('popup'),
        tile.getByRole('link', { name, exact: true }).click(),
      ]);
      await decide(popup, 'Allow');
      await expect(popup.getByRole('heading')).toHaveText(`Signed in as ${user.username}`);
      expect(await popup.evaluate(() => window.opener)).toBeNull();
      const [begin] = party.asked;
      expect(begin?.referrer).toBeUndefined();
      expect(Object.fromEntries(begin?.url.searchParams ?? [])).toEqual({
        tenant: 'a b',
        iss: server.origin,
        login_hint: user.username,
      });
      await page.reload();
      await expect(tile.getByRole('link', { name: `Manage ${name}` })).toBeVisible();
      party.stop();
    });
  });
}

test('the account shows only apps that the user may use, and fits a phone with long names', async ({
  page,
}) => {
  const user = await newUser();
  const long = `${user.username} ${'Long'.repeat(20)}`;
  const homePage = 'https://app.example/';
  const listed = await newClient({
    name: long,
    homePage,
    access: 'listed',
    description: 'x'.repeat(900),
  });
  await newClient({ name: `Closed ${user.username}`, homePage, access: 'listed' });
  await write('INSERT INTO client_users (client_id, user_id, created_at) VALUES ($1, $2, $3)', [
    listed.id,
    user.id,
    new Date(),
  ]);
  await signIn(page, user.username);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(`/account?q=${encodeURIComponent(user.username.toUpperCase())}`);
  await expect(page.getByRole('link', { name: long })).toBeVisible();
  await expect(page.getByText(`Closed ${user.username}`)).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('searchbox', { name: 'Search your apps' }).fill('no such app');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('No app matches')).toBeVisible();
  await page.getByRole('link', { name: 'Show all' }).click();
  await expect(page).toHaveURL('/account');
});

test('an admin sets the start address of an app', async ({ page }) => {
  const admin = await newUser({ isAdmin: true });
  const client = await newClient();
  await signIn(page, admin.username);
  await page.goto(`/admin/clients/${client.id}/settings`);
  const field = page.getByLabel('Start address');
  const save = () => page.getByRole('button', { name: 'Save changes' }).click();
  for (const [wrong, sentence] of [
    ['http://app.example/begin', 'must start with https'],
    ['https://app.example/begin#here', 'from # on'],
    ['https://app.example/begin?iss=x', 'Leave out iss'],
  ] as const) {
    await field.fill(wrong);
    await save();
    await expect(field).toHaveAccessibleDescription(new RegExp(sentence));
  }
  await field.fill('https://app.example/begin?a=1');
  await save();
  await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
  await expect(field).toHaveValue('https://app.example/begin?a=1');
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'arranged with scripts' : 'arranged without scripts', () => {
    test.use({ javaScriptEnabled });

    test('the user orders their apps, by buttons and by dragging', async ({ page }) => {
      const user = await newUser();
      const names = [1, 2, 3].map((number) => `Order of ${user.username} ${number}`);
      for (const name of names) await newClient({ name, homePage: 'https://app.example/' });
      await signIn(page, user.username);
      await page.goto('/account');
      await page.getByRole('link', { name: 'Change the order' }).click();
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
      const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: user.username });
      await page.getByRole('button', { name: `Move ${names[1]} up` }).click();
      await expect(page.getByRole('status')).toContainText('Order changed.');
      await expect(rows).toHaveText([/ 2$/, / 1$/, / 3$/]);
      if (javaScriptEnabled) {
        await rows.nth(2).dragTo(rows.nth(0), { targetPosition: { x: 100, y: 2 } });
        await expect(rows).toHaveText([/ 3$/, / 2$/, / 1$/]);
        await expect(page.getByRole('status')).toContainText('Order changed.');
      }
      await page.reload();
      const first = javaScriptEnabled ? / 3$/ : / 2$/;
      await expect(rows.first()).toHaveText(first);
      await page.getByRole('link', { name: 'Done' }).click();
      const tiles = page.getByRole('main').getByRole('heading', { level: 3 });
      await expect(tiles.filter({ hasText: user.username }).first()).toHaveText(first);
      await page.goto('/account/arrange');
      await page.getByRole('button', { name: 'Order by use again' }).click();
      await expect(rows).toHaveText([/ 1$/, / 2$/, / 3$/]);
    });
  });
}
