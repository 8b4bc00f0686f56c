import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, type Page, test } from '@playwright/test';
import { createClient } from '#lib/management/client/clients.ts';
import { clientOf, fillRecipe } from '#lib/recipes/fill.ts';
import { findRecipe } from '#lib/recipes/list.ts';
import { actor } from '../management/people.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { prisma } from '../support/prisma.ts';
import { newUser, password } from '../support/seed.ts';
import { freePort, type Server, startServer } from '../support/server.ts';
import { workOn } from '../support/work-on.ts';

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

async function signIn(tab: Page, username: string, decision: 'allow' | 'deny') {
  await tab.getByRole('button', { name: 'Sign in' }).click();
  if (decision === 'deny') {
    await tab.locator('input[name=username]').fill(username);
    await tab.locator('input[name=password]').fill(password);
    await tab.locator('input[name=password]').press('Enter');
  }
  await tab.locator(`button[name=decision][value=${decision}]`).click();
}

test('the recipe for a single-page app handles access_denied, signs in, refreshes and signs out', async ({
  page: tab,
}) => {
  const user = await newUser();
  await tab.goto(address);
  await expect(tab.getByText('Nobody')).toBeVisible();
  await signIn(tab, user.username, 'deny');
  await expect(tab.getByText('You said no. Try again.')).toBeVisible();
  await signIn(tab, user.username, 'allow');
  await expect(tab.getByText(user.username)).toBeVisible();
  expect(tab.url()).toBe(`${address}/`);

  const rotations = async () => {
    const { authorization } = await prisma();
    return (await authorization.findFirst({ where: { clientId } }))?.rotation;
  };
  expect(await rotations()).toBe(0);
  // The browser comes back the next day.
  await tab.clock.setFixedTime(Date.now() + 86_400_000);
  await tab.reload();
  await expect.poll(rotations).toBe(1);
  await expect(tab.getByText(user.username)).toBeVisible();

  await tab.getByRole('button', { name: 'Sign out' }).click();
  await expect(tab.getByText('Nobody')).toBeVisible();
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await expect(tab.locator('input[name=password]')).toBeVisible();
});
