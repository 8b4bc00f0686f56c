import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, type Page, test } from '@playwright/test';
import { createClient } from '#lib/management/client/clients.ts';
import { revokeGrants } from '#lib/management/grant/grants.ts';
import { disableUser } from '#lib/management/user/users.ts';
import { clientOf, fillRecipe } from '#lib/recipes/fill.ts';
import { findRecipe } from '#lib/recipes/list.ts';
import { actor } from '../management/people.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { prisma } from '../support/prisma.ts';
import { newUser, type TestUser } from '../support/seed.ts';
import { type Server, startServer } from '../support/server.ts';
import { workOn } from '../support/work-on.ts';
import { folderFromNpm } from './npm-packages.ts';
import { signInAt } from './stage.ts';

let server: Server;
let address: string;
let clientId: string;
const results = resolve(import.meta.dirname, '../../test-results');
mkdirSync(results, { recursive: true });
const vite = resolve(import.meta.dirname, '../../node_modules/vite/bin/vite.js');

test.beforeAll(async () => {
  const databaseUrl = await createDatabase('sqlite');
  server = await startServer({ mount: 'direct', databaseUrl, logFile: newLogFile('recipe-spa') });
  workOn(databaseUrl);
  process.env.ISSUER = server.origin;
});

test.afterAll(() => server.stop());

/** What the project of a framework has besides the recipe's files. */
type Project = {
  files: Record<string, string>;
  /** A package, its version, and what else it needs. */
  packages?: [name: string, version: string, peers: string[]];
};

const page = (root: string, main: string) =>
  `<!doctype html><html lang="en"><title>App</title>${root}<script type="module" src="${main}"></script></html>`;

const projects: Record<string, Project> = {
  'single-page-app': { files: {} },
  vue: {
    packages: ['vue', '3.5.45', ['@vitejs/plugin-vue@6.0.11']],
    files: {
      'index.html': page('<div id="app"></div>', '/src/main.js'),
      'src/main.js':
        "import { createApp } from 'vue';\nimport App from './App.vue';\ncreateApp(App).mount('#app');\n",
      'vite.config.mjs':
        "import vue from '@vitejs/plugin-vue';\nexport default { plugins: [vue()] };\n",
    },
  },
  angular: {
    packages: [
      '@angular/core',
      '22.2.6',
      [
        ...['common', 'compiler', 'platform-browser'].map((part) => `@angular/${part}@22.2.6`),
        'rxjs@7',
      ],
    ],
    files: {
      'index.html': page('<app-root></app-root>', '/src/main.ts'),
      'src/main.ts':
        "import '@angular/compiler';\nimport { bootstrapApplication } from '@angular/platform-browser';\nimport { App } from './app/app';\nbootstrapApplication(App);\n",
      'tsconfig.json': '{ "compilerOptions": { "experimentalDecorators": true } }',
    },
  },
};

/** The app of a recipe, until `stop`. */
type Running = { stop: () => Promise<void> };

/**
 * Creates the client and the files, and starts Vite. Packages that a framework does not bring are
 * this project's. Null if the framework cannot be had.
 */
async function followRecipe(id: string): Promise<Running | null> {
  const recipe = findRecipe(id);
  const { files, packages } = projects[id] ?? { files: {} };
  if (!recipe) throw new Error('There is no such recipe.');
  const found = packages && (await folderFromNpm(...packages));
  if (found === null) return null;
  address = `http://localhost:${await freePort()}`;
  const asked = { ...clientOf(recipe, { address }), name: 'App' };
  const { client } = await createClient(asked, actor, new Date());
  clientId = client.id;
  const credentials = { issuer: server.origin, clientId, clientSecret: null };
  const folder = mkdtempSync(resolve(results, `${id}-`));
  const texts = fillRecipe(recipe, { address }, credentials).slice(1);
  const all = Object.fromEntries(texts.map(({ title, text }) => [title, text]));
  for (const [name, text] of Object.entries({ ...all, ...files })) {
    mkdirSync(dirname(resolve(folder, name)), { recursive: true });
    writeFileSync(resolve(folder, name), text);
  }
  if (found && packages) {
    const up = packages[0].split('/').map(() => '..');
    symlinkSync(resolve(found, ...up), resolve(folder, 'node_modules'));
  }
  const child = await serve(folder);
  return {
    async stop() {
      const ended = once(child, 'exit');
      if (child.pid) process.kill(-child.pid);
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function serve(folder: string): Promise<ChildProcess> {
  const args = [vite, '--port', new URL(address).port, '--strictPort'];
  const child = spawn(process.execPath, args, { cwd: folder, detached: true });
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

for (const id of ['single-page-app', 'vue', 'angular'])
  test.describe(id, () => {
    let app: Running | null;
    test.beforeAll(async () => {
      app = await followRecipe(id);
    });
    test.beforeEach(() => test.skip(app === null, 'The framework cannot be had.'));
    test.afterAll(() => app?.stop());

    test('the recipe handles access_denied, signs in, refreshes and signs out', async ({
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

    test('the recipe refuses an answer that its own browser did not ask for', async ({
      page: tab,
      browser,
    }) => {
      const stranger = await browser.newPage();
      await stranger.goto(address);
      await stranger.getByRole('button', { name: 'Sign in' }).click();
      // The stranger keeps the answer for somebody else.
      await stranger.route(/\/main\.[jt]s/, (route) => route.abort());
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

    test('the recipe: an ended access ends the sign-in, and the next one works', async ({
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

    test('the recipe: a page that stays open says so, too', async ({ page: tab }) => {
      await tab.clock.install();
      const user = await enter(tab);
      await end(user);
      await tab.clock.runFor(day);
      await expectNobody(tab, 'Your sign-in has ended. Sign in again.');
    });

    test('the recipe: a server that is away costs nobody their sign-in', async ({ page: tab }) => {
      const user = await enter(tab);
      const token = `${server.origin}/oauth/token`;
      await tab.route(token, (route) => route.abort());
      await comeBack(tab, 1);
      await expectNobody(tab, 'That didn’t work. Reload the page in a minute.');
      await tab.unroute(token);
      await tab.route(token, (route) =>
        route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }),
      );
      await tab.reload();
      await expectNobody(tab, 'That didn’t work. Reload the page in a minute.');
      await tab.unroute(token);
      await tab.reload();
      await expect(tab.locator('#who')).toHaveText(user.username);
    });
  });
