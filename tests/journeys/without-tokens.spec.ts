import type { Page } from '@playwright/test';
import { Client } from 'ldapts';
import { expectAccessible } from '../support/axe.ts';
import { test as dashboard, mark } from '../support/dashboard.ts';
import { freePort } from '../support/free-port.ts';
import { byMouse, type Hand } from '../support/hands.ts';
import { startHeaderApp } from '../support/header-app.ts';
import { expect, openSignedIn, signInAt } from '../support/journey.ts';
import { startNginx } from '../support/nginx.ts';
import { newClient, newUser } from '../support/seed.ts';

const test = dashboard.extend<object, { serverEnv: Record<string, string> }>({
  serverEnv: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      const port = await freePort();
      await use({ LDAP_PORT: String(port), BACKCHANNEL_TO_PRIVATE_ADDRESSES: 'on' });
    },
    { scope: 'worker' },
  ],
});

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const value = (page: Page, label: string) =>
  page
    .locator('dt')
    .filter({ hasText: new RegExp(`^${label.replace(/[()]/g, '\\$&')}$`) })
    .locator('xpath=following-sibling::dd/code');

/** Begins to add an app of this kind at Home. */
async function addApp(page: Page, hand: Hand, kind: RegExp): Promise<void> {
  await page.goto('/admin');
  const sections = page.getByRole('navigation').getByRole('link', { name: /^Apps/ });
  await hand.press(sections.filter({ visible: true }).first());
  await hand.press(page.getByRole('link', { name: 'Add an app' }).first());
  await hand.press(page.getByRole('link', { name: kind }));
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('nginx guards a program with the text of its page, in 8 presses from Home', async ({
      page,
      admin: _,
      server,
    }) => {
      const hand = byMouse(page);
      const port = await freePort();
      const program = await startHeaderApp();
      const site = `http://localhost:${port}`;
      await addApp(page, hand, /^Behind a proxy/);
      await hand.type(page.getByLabel('Name', { exact: true }), `Wiki ${port}`);
      await hand.type(page.getByLabel('Sites'), site);
      await hand.press(page.getByRole('button', { name: 'Add app' }));
      await expect(page.getByRole('status').first()).toContainText(`Wiki ${port} is added.`);
      await hand.press(card(page, 'For your proxy').getByRole('link', { name: 'nginx' }));
      await hand.type(page.getByLabel('The program'), `127.0.0.1:${program.port}`);
      await hand.type(page.getByLabel('This server'), `127.0.0.1:${server.port}`);
      await hand.press(page.getByRole('button', { name: 'Fill in' }));
      if (javaScriptEnabled) await expectAccessible(page);
      const pasted = (await page.locator('#proxy pre').textContent()) ?? '';
      expect(pasted).toContain('server_name localhost;');
      await expect(page.getByText(`${site} is something else`)).toBeVisible();
      const changed = pasted
        .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
        .replace(/ssl_certificate\w* .*;/g, '');
      const nginx = await startNginx(changed, port);
      try {
        await hand.press(page.getByRole('button', { name: 'Check it' }));
        await expect(page.getByText('Everything is as it should be.')).toBeVisible();
        expect(hand.pressed()).toBeLessThanOrEqual(8);
        if (javaScriptEnabled) await expectAccessible(page);
        const address = page.url().replace(/[?#].*/, '');
        const person = await newUser();
        const visitor = await page.context().browser()?.newContext({ javaScriptEnabled });
        const theirs = await visitor?.newPage();
        if (!theirs) throw new Error('There is no browser.');
        await theirs.goto(`${site}/deep/page?x=1`);
        await signInAt(theirs, person.username);
        await expect(theirs).toHaveURL(`${site}/deep/page?x=1`);
        await expect(theirs.locator('body')).toContainText(person.username);
        await visitor?.close();
        await expect(async () => {
          await page.goto(address);
          await expect(card(page, 'Live attempts')).toContainText('It works', { timeout: 1000 });
        }).toPass();
        await expect(card(page, 'Live attempts')).toContainText(
          `${person.username} signed in, and the proxy let them through.`,
        );
      } finally {
        await nginx.stop();
        program.server.close();
      }
    });

    test('a program finds people with the values of its page, in 5 presses from Home', async ({
      page,
      admin: _,
    }) => {
      const [hand, name] = [byMouse(page), `NAS ${mark()}`];
      const person = await newUser();
      await addApp(page, hand, /^Over LDAP/);
      await hand.type(page.getByLabel('Name', { exact: true }), name);
      await hand.press(page.getByRole('button', { name: 'Add app' }));
      await expect(page.getByRole('heading', { name: `${name} is ready` })).toBeVisible();
      await expect(page.getByRole('main')).not.toContainText('OAUTH_');
      if (javaScriptEnabled) await expectAccessible(page);
      const read = async (label: string) => (await value(page, label).textContent()) ?? '';
      const client = new Client({ url: await read('Server'), timeout: 20_000 });
      try {
        await client.bind(await read('Bind DN'), await read('Bind password (client secret)'));
        const login = await read('Attribute to sign in with');
        const filter = await read('Filter for people');
        const found = await client.search(await read('Base DN of people'), {
          filter: `(&${filter}(${login}=${person.username}))`,
        });
        expect(found.searchEntries).toHaveLength(1);
      } finally {
        await client.unbind();
      }
      await hand.press(page.getByRole('link', { name: 'I’ve saved it' }));
      expect(hand.pressed()).toBeLessThanOrEqual(5);
      await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
      await expect(value(page, 'Base DN of groups')).toContainText('ou=groups,');
      const address = page.url();
      await expect(async () => {
        await page.goto(address);
        await expect(card(page, 'Live attempts')).toContainText('It works', { timeout: 1000 });
      }).toPass();
      await expect(card(page, 'Live attempts')).toContainText(
        'Nobody has signed in through it yet.',
      );
      await expect(card(page, 'Live attempts')).toContainText(`(uid=${person.username})`);
      if (javaScriptEnabled) await expectAccessible(page);
    });

    test('an admin makes an app password for a person, who can end it', async ({
      page,
      admin: _,
    }) => {
      const hand = byMouse(page);
      const person = await newUser({ name: 'Ada King' });
      await newClient({ appPasswords: true, name: `Photos ${person.username}` });
      await page.goto(`/admin/people/${person.id}`);
      const made = card(page, 'App passwords');
      await hand.press(made.locator('summary'));
      await made
        .getByLabel('App', { exact: true })
        .selectOption({ label: `Photos ${person.username}` });
      await hand.type(made.getByLabel('Name'), 'Kitchen tablet');
      await hand.type(made.getByLabel('Expires in'), 'soon');
      await hand.press(made.getByRole('button', { name: 'Make an app password' }));
      await expect(made.getByLabel('Expires in')).toHaveAccessibleDescription(/soon/);
      await hand.type(made.getByLabel('Expires in'), '90 days');
      await hand.press(made.getByRole('button', { name: 'Make an app password' }));
      await expect(made).toContainText(/ghap(-[0-9a-z]{4}){7}/);
      await expect(made.getByRole('row').filter({ hasText: 'Kitchen tablet' })).toHaveCount(1);
      if (javaScriptEnabled) await expectAccessible(page);
      await hand.press(made.getByRole('link', { name: 'Done' }));
      await expect(made).not.toContainText(/ghap-/);
      await page.context().clearCookies();
      await openSignedIn(page, '/account/app-passwords', person.username);
      await hand.press(page.getByRole('button', { name: 'End Kitchen tablet' }));
      await expect(page.getByRole('status')).toContainText('The app password has ended.');
    });
  });
}
