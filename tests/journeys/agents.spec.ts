import type { Page } from '@playwright/test';
import { listContacts, setOwner } from '#lib/management/client/contacts.ts';
import { disableUser } from '#lib/management/user/users.ts';
import { exchangeGrant } from '#lib/oauth/grant-types.ts';
import { newApi } from '../support/apis.ts';
import { axeFindings } from '../support/axe.ts';
import { test as adminTest } from '../support/dashboard.ts';
import {
  answerAt,
  authorizeUrl,
  decide,
  expect,
  openSignedIn,
  signIn,
  test,
} from '../support/journey.ts';
import { type ClientOptions, newClient, newUser, type TestClient } from '../support/seed.ts';
import type { Server } from '../support/server.ts';

const cli = { id: 'cli' };
const tokenType = 'urn:ietf:params:oauth:token-type:access_token';

type Asked = Record<string, string> | [string, string][];

async function ask(server: Server, path: string, client: TestClient, form: Asked) {
  const body = new URLSearchParams(form);
  body.append('client_id', client.id);
  body.append('client_secret', client.secret);
  const response = await fetch(server.origin + path, { method: 'POST', body });
  return (await response.json()) as Record<string, unknown>;
}

/** An agent with an owner. */
async function newAgent(owner: string, options: ClientOptions): Promise<TestClient> {
  const { id } = await newUser({ name: owner });
  const client = await newClient({ agent: true, ...options });
  await setOwner({ clientId: client.id, userId: id }, cli, new Date());
  return client;
}

/** An agent that serves an API and may exchange tokens for others. */
async function newServing(name: string, exchangeFor: string[] = []) {
  const grants = ['client_credentials', exchangeGrant];
  const client = await newAgent('Bob Babbage', { name, grants, exchangeFor });
  const options = { name: `${name} API`, scopes: ['read'], servedBy: [client.id] };
  return { client, ...(await newApi(options)) };
}

/**
 * A person's front app, whose token one agent exchanges to call another agent, which calls a third.
 */
async function newChain(callback: string) {
  const mail = await newServing('Mail agent');
  const calendar = await newServing('Calendar agent', [mail.identifier]);
  const planner = await newServing('Planner', [calendar.identifier]);
  const front = await newAgent('Ada Lovelace', {
    name: 'Travel assistant',
    redirectUris: [`${callback}/callback`],
  });
  return { front, planner, calendar, mail };
}
type Chain = Awaited<ReturnType<typeof newChain>>;

/** The front app's request, for all APIs that will be called. */
function asking({ front, planner, calendar, mail }: Chain): string {
  const url = authorizeUrl(front.id, { scope: 'openid read', state: 's' });
  const apis = [planner, calendar, mail].map(({ identifier }) => ['resource', identifier]);
  return `${url}&${new URLSearchParams(apis)}`;
}

/** Redeems the code and passes the token on from API to API. Returns everything that results. */
async function passOn(server: Server, chain: Chain, code: string) {
  const { front, planner, calendar, mail } = chain;
  const first = await ask(server, '/oauth/token', front, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: front.redirectUri,
    resource: planner.identifier,
  });
  const exchange = (client: TestClient, token: unknown, resource: string) =>
    ask(server, '/oauth/token', client, {
      grant_type: exchangeGrant,
      subject_token: String(token),
      subject_token_type: tokenType,
      resource,
    });
  const second = await exchange(planner.client, first.access_token, calendar.identifier);
  const third = await exchange(calendar.client, second.access_token, mail.identifier);
  const live = async (client: TestClient, { access_token: token }: Record<string, unknown>) =>
    (await ask(server, '/oauth/introspect', client, { token: String(token) })).active;
  return {
    exchangeAgain: () => exchange(planner.client, first.access_token, calendar.identifier),
    /** Whether each of the three tokens is active, according to introspection by its API. */
    alive: async () => [
      await live(planner.client, first),
      await live(calendar.client, second),
      await live(mail.client, third),
    ],
  };
}

const entryOf = (page: Page, name: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a user allows an agent, sees who acts through it, and removing its access revokes all of them', async ({
      page,
      server,
      site,
    }) => {
      const chain = await newChain(site.https);
      const user = await newUser({ name: 'Dora Demo' });
      await openSignedIn(page, asking(chain), user.username);
      const main = page.getByRole('main');
      await expect(main).toContainText('It acts for you by itself, even while you’re away.');
      await expect(main).toContainText('Ada Lovelace is responsible for it.');
      await decide(page, 'Allow');
      const { code = '' } = await answerAt(page, site.https);
      const passed = await passOn(server, chain, code);
      expect(await passed.alive()).toEqual([true, true, true]);

      await page.goto('/account/apps');
      const front = entryOf(page, 'Travel assistant');
      await expect(front.getByRole('heading', { level: 4 })).toHaveText(
        'Acting for you through this app',
      );
      await expect(front).toContainText('Planner, for you, via Travel assistant');
      await expect(front).toContainText('Calendar agent, for you, via Planner');
      await expect(front).not.toContainText('never used');
      const planner = entryOf(page, 'Planner');
      await expect(planner).toContainText('Bob Babbage is responsible for it.');
      await expect(planner).toContainText('Acts for you through Travel assistant');
      await expect(planner).not.toContainText('Acting for you through this app');
      // Its tokens are for an API alone, and nobody was asked about it.
      await expect(planner).toContainText('See your username');
      await expect(planner).not.toContainText('See your username and email address');
      await expect(planner).not.toContainText('Allowed');
      await expect(front).toContainText('See your username and email address');
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
      for (const width of [1100, 320]) {
        await page.setViewportSize({ width, height: 800 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide).toBeLessThanOrEqual(width);
      }

      await front.getByText('Remove access', { exact: true }).click();
      await expect(front).toContainText('Agents that act for you through it stop, too.');
      await front.getByRole('button', { name: 'Yes, remove access' }).click();
      await expect(page.getByRole('status')).toBeVisible();
      expect(await passed.alive()).toEqual([false, false, false]);
      expect(await passed.exchangeAgain()).toHaveProperty('error', 'invalid_request');
      await expect(entryOf(page, 'Travel assistant')).toHaveCount(0);
      await expect(main).not.toContainText('for you, via');
      // They were never asked to allow the agents, so nothing remains of them.
      await expect(main).toContainText('No apps yet');
    });
  });

test('removing a middle agent revokes it and those after it, and not those before it', async ({
  page,
  server,
  site,
}) => {
  const chain = await newChain(site.https);
  const { username } = await newUser();
  await openSignedIn(page, asking(chain), username);
  await decide(page, 'Allow');
  const passed = await passOn(server, chain, (await answerAt(page, site.https)).code ?? '');
  await page.goto('/account/activity');
  const activity = page.getByRole('main');
  await expect(activity).toContainText('Planner acted for you through Travel assistant');
  await expect(activity).toContainText('Calendar agent API');
  await page.goto('/account/apps');
  await entryOf(page, 'Planner').getByRole('link', { name: 'Manage Planner' }).click();
  await expect(page.getByRole('main')).toContainText('Acts for you through Travel assistant');
  const seen = page.getByRole('region', { name: 'What it sees about you' });
  await expect(seen).toContainText(username);
  await expect(seen).not.toContainText('@');
  await page.getByText('Remove access', { exact: true }).click();
  await page.getByRole('button', { name: 'Yes, remove access' }).click();
  await expect(page).toHaveURL('/account/apps');
  expect(await passed.alive()).toEqual([true, false, false]);
  await expect(entryOf(page, 'Travel assistant')).not.toContainText('for you, via');
});

test('an agent whose owner is disabled is shown without an owner', async ({ page, site }) => {
  const owner = await newUser({ name: 'Ada Lovelace' });
  const name = 'An assistant with a name that goes on and on for longer than any line';
  const redirectUris = [`${site.https}/callback`];
  const client = await newClient({ agent: true, name, redirectUris });
  await setOwner({ clientId: client.id, userId: owner.id }, cli, new Date());
  await disableUser(owner.id, cli, new Date());
  await page.setViewportSize({ width: 320, height: 800 });
  await openSignedIn(page, authorizeUrl(client.id), (await newUser()).username);
  const main = page.getByRole('main');
  await expect(main).toContainText('No one is responsible for it at the moment.');
  await expect(main).not.toContainText('Ada Lovelace');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await decide(page, 'Allow');
  await answerAt(page, site.https);
  await page.goto('/account/apps');
  await expect(main).toContainText('No one is responsible for it at the moment.');
  // No agent acts through it.
  await expect(main).not.toContainText('Acting for you');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test.describe('in German', () => {
  test.use({ locale: 'de-DE' });

  test('the pages about agents are in German', async ({ page, server, site }) => {
    const chain = await newChain(site.https);
    const { username } = await newUser();
    await signIn(page, username);
    await page.goto(asking(chain));
    const main = page.getByRole('main');
    await expect(main).toContainText('Er handelt selbstständig für Sie');
    await expect(main).toContainText('Verantwortlich ist Ada Lovelace.');
    await page.getByRole('button', { name: 'Erlauben', exact: true }).click();
    await passOn(server, chain, (await answerAt(page, site.https)).code ?? '');
    await page.goto('/account/apps');
    await expect(main).toContainText('Über diese App handeln für Sie');
    await expect(main).toContainText('Planner, in Ihrem Namen, über Travel assistant');
    await expect(main).toContainText('Handelt in Ihrem Namen über Travel assistant');
  });
});

for (const javaScriptEnabled of [true, false])
  adminTest.describe(`dashboard, with${javaScriptEnabled ? '' : 'out'} scripts`, () => {
    adminTest.use({ javaScriptEnabled });

    adminTest(
      'an admin makes an app an agent, and names its owner, who can be changed',
      async ({ page, admin: _ }) => {
        const client = await newClient({ name: 'Mail agent' });
        const ann = await newUser();
        const bob = await newUser();
        const main = page.getByRole('main');
        const save = async (owner: string) => {
          await page.getByLabel('Who is responsible for it').fill(owner);
          await page.getByRole('button', { name: 'Save changes' }).click();
        };
        await page.goto(`/admin/clients/${client.id}/settings`);
        await page.locator('summary', { hasText: 'Advanced' }).click();
        await page.getByLabel('This app is an agent').check();
        await save('');
        await expect(main).toContainText(
          'An agent needs an owner, a person who is responsible for it.',
        );
        await save('nobody-here');
        await expect(main).toContainText('No one here has the username or email “nobody-here”.');
        await save(ann.email);
        await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
        await expect(main.getByText('agent', { exact: true }).first()).toBeVisible();
        await expect(page.getByLabel('Who is responsible for it')).toHaveValue(ann.username);
        await page.goto(`/admin/clients/${client.id}/access`);
        const contacts = page.getByRole('region', { name: 'Developer contacts' });
        await expect(contacts).toContainText(ann.username);
        await page.goto(`/admin/clients/${client.id}/settings`);
        await page.locator('summary', { hasText: 'Advanced' }).click();
        await save(bob.username);
        await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
        const owners = (await listContacts(client.id)).filter(({ owner }) => owner);
        expect(owners.map(({ username }) => username)).toEqual([bob.username]);
        await page.goto('/admin/clients?q=Mail+agent');
        await expect(main.getByText('agent', { exact: true }).first()).toBeVisible();
      },
    );
  });

adminTest(
  'the owner of an agent is not deleted, and the page says what to do first',
  async ({ page, admin: _ }) => {
    const ann = await newUser();
    const client = await newClient({ agent: true, name: 'Mail agent of Ann' });
    await setOwner({ clientId: client.id, userId: ann.id }, cli, new Date());
    await page.goto(`/admin/people/${ann.id}`);
    await page.getByText('Delete…', { exact: true }).click();
    await page.getByRole('button', { name: 'Yes, delete' }).click();
    await expect(page.getByRole('alert')).toContainText(
      `${ann.username} is responsible for an agent: “Mail agent of Ann”. Hand it over first`,
    );
    await page.getByRole('link', { name: 'Offboard…' }).click();
    await expect(page.getByRole('main')).toContainText('Mail agent of Ann');
  },
);
