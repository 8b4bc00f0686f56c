import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, type Page, test } from '@playwright/test';
import { createClient } from '#lib/management/client/clients.ts';
import { revokeGrants } from '#lib/management/grant/grants.ts';
import { disableUser } from '#lib/management/user/users.ts';
import { clientOf, fillRecipe } from '#lib/recipes/fill.ts';
import { findRecipe } from '#lib/recipes/list.ts';
import { actor } from '../management/people.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { prisma } from '../support/prisma.ts';
import { newUser, type TestUser } from '../support/seed.ts';
import { freePort, type Server, startServer } from '../support/server.ts';
import { workOn } from '../support/work-on.ts';
import { signInAt } from './stage.ts';

let server: Server;
let vite: ChildProcess;
let address: string;
let clientId: string;
const results = resolve(import.meta.dirname, '../../test-results');
mkdirSync(results, { recursive: true });
const folder = mkdtempSync(resolve(results, 'single-page-app-'));

test.beforeAll(async () => {
  const databaseUrl = await createDatabase('sqlite');
  server = await startServer({ mount: 'direct', databaseUrl, logFile: newLogFile('recipe-spa') });
  workOn(databaseUrl);
  process.env.ISSUER = server.origin;
  address = `http://localhost:${await freePort()}`;
  vite = await followRecipe();
});

test.afterAll(async () => {
  const ended = once(vite, 'exit');
  if (vite.pid) process.kill(-vite.pid);
  await ended;
  rmSync(folder, { recursive: true });
  await server.stop();
});

/**
 * Creates the client and the files, and starts Vite as the text says. The packages are this
 * project's.
 */
async function followRecipe(): Promise<ChildProcess> {
  const recipe = findRecipe('single-page-app');
  if (!recipe) throw new Error('There is no such recipe.');
  const asked = { ...clientOf(recipe, { address }), name: 'App' };
  const { client } = await createClient(asked, actor, new Date());
  clientId = client.id;
  const credentials = { issuer: server.origin, clientId, clientSecret: null };
  const [commands, ...files] = fillRecipe(recipe, { address }, credentials);
  for (const { title, text } of files) writeFileSync(resolve(folder, title), text);
  const command = commands?.text.split('\n').find((line) => line.startsWith('npm exec')) ?? '';
  const child = spawn('sh', ['-ec', command], { cwd: folder, detached: true });
  for await (const line of createInterface(child.stdout)) if (line.includes('Local')) break;
  return child;
}

const day = 86_400_000;

/** Opens the app, and signs a new user in. */
async function enter(tab: Page): Promise<TestUser> {
  const user = await newUser();
  await tab.goto(address);
  await signIn(tab, user, 'Allow');
  await expect(tab.locator('#who')).toHaveText(user.username);
  return user;
}

async function signIn(tab: Page, user: TestUser, press: 'Allow' | 'Deny') {
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await signInAt(tab, user, press);
}

/** Comes back to the app so many days later. */
async function comeBack(tab: Page, days: number) {
  await tab.clock.setFixedTime(Date.now() + days * day);
  await tab.reload();
}

async function expectNobody(tab: Page, note: string) {
  await expect(tab.locator('#note')).toHaveText(note);
  await expect(tab.locator('#who')).toHaveText('Nobody');
}

const end = (user: TestUser) =>
  revokeGrants({ user: user.id, client: clientId }, actor, new Date());

test('the recipe for a single-page app handles access_denied, signs in, refreshes and signs out', async ({
  page: tab,
}) => {
  const user = await newUser();
  await tab.goto(address);
  await expectNobody(tab, '');
  await signIn(tab, user, 'Deny');
  await expectNobody(tab, 'You said no. Try again.');
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.getByRole('button', { name: 'Allow' }).click();
  await expect(tab.getByText(user.username)).toBeVisible();
  expect(tab.url()).toBe(`${address}/`);

  const rotations = async () => {
    const { authorization } = await prisma();
    return (await authorization.findFirst({ where: { clientId, userId: user.id } }))?.rotation;
  };
  expect(await rotations()).toBe(0);
  await comeBack(tab, 1);
  await expect.poll(rotations).toBe(1);
  await expect(tab.getByText(user.username)).toBeVisible();

  await tab.getByRole('button', { name: 'Sign out' }).click();
  await expectNobody(tab, '');
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await expect(tab.locator('input[name=password]')).toBeVisible();
});

test('the recipe for a single-page app refuses an answer that its own browser did not ask for', async ({
  page: tab,
  browser,
}) => {
  const stranger = await browser.newPage();
  await stranger.goto(address);
  await stranger.getByRole('button', { name: 'Sign in' }).click();
  // The stranger keeps the answer for somebody else.
  await stranger.route('**/main.js', (route) => route.abort());
  await signInAt(stranger, await newUser(), 'Allow');
  await stranger.waitForURL(`${address}/?code=*`);
  const answer = stranger.url();
  await stranger.close();

  const own = new URL(answer).searchParams.get('state') ?? '';
  for (const forged of [answer, answer.replace(own, 'undefined')]) {
    await tab.goto(forged);
    await expectNobody(tab, 'No matching state found in storage');
  }
  await tab.goto(answer.replace(own, ''));
  await expect(tab.locator('#who')).toHaveText('Nobody');
});

test('the recipe for a single-page app: an ended access ends the sign-in, and the next one works', async ({
  page: tab,
}) => {
  const user = await enter(tab);
  await end(user);
  await comeBack(tab, 1);
  await expectNobody(tab, 'Your sign-in has ended. Sign in again.');
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.getByRole('button', { name: 'Allow' }).click();
  await expect(tab.getByText(user.username)).toBeVisible();

  await disableUser(user.id, actor, new Date());
  await comeBack(tab, 2);
  await expectNobody(tab, 'Your sign-in has ended. Sign in again.');
});

test('the recipe for a single-page app: a page that stays open says so, too', async ({
  page: tab,
}) => {
  await tab.clock.install();
  const user = await enter(tab);
  await end(user);
  await tab.clock.runFor(day);
  await expectNobody(tab, 'Your sign-in has ended. Sign in again.');
});

test('the recipe for a single-page app: a server that is away costs nobody their sign-in', async ({
  page: tab,
}) => {
  const user = await enter(tab);
  const token = `${server.origin}/oauth/token`;
  await tab.route(token, (route) => route.abort());
  await comeBack(tab, 1);
  await expectNobody(tab, 'That didn’t work. Reload the page in a minute.');
  await tab.unroute(token);
  await tab.route(token, (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }));
  await tab.reload();
  await expectNobody(tab, 'That didn’t work. Reload the page in a minute.');
  await tab.unroute(token);
  await tab.reload();
  await expect(tab.locator('#who')).toHaveText(user.username);
});
