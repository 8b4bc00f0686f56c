import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { createClient } from '#lib/management/clients.ts';
import { clientOf, fillRecipe } from '#lib/recipes/fill.ts';
import { findRecipe } from '#lib/recipes/list.ts';
import { actor } from '../management/people.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { newUser, password } from '../support/seed.ts';
import { type Server, startServer } from '../support/server.ts';
import { workOn } from '../support/work-on.ts';

/** What a bundler does: it finds packages by their names. */
const packages = {
  'oidc-client-ts': 'node_modules/oidc-client-ts/dist/esm/oidc-client-ts.js',
  'jwt-decode': 'node_modules/jwt-decode/build/esm/index.js',
};
const imports = Object.fromEntries(Object.keys(packages).map((name) => [name, `/${name}.js`]));
const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;

let server: Server;
let site: HttpServer;
let address: string;
const files = new Map<string, [type: string, text: string]>();

test.beforeAll(async () => {
  const databaseUrl = await createDatabase('sqlite');
  server = await startServer({ mount: 'direct', databaseUrl, logFile: newLogFile('recipe-spa') });
  workOn(databaseUrl);
  process.env.ISSUER = server.origin;
  site = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    const [type, text] = files.get(path) ?? ['text/plain', ''];
    response.setHeader('Content-Type', `${type}; charset=utf-8`).end(text);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  address = `http://localhost:${(site.address() as AddressInfo).port}`;
});

test.afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await server.stop();
});

test('the recipe for a single-page app signs in and out', async ({ page: tab }) => {
  const recipe = findRecipe('single-page-app');
  if (!recipe) throw new Error('There is no such recipe.');
  const { client } = await createClient(
    { ...clientOf(recipe, { address }), name: 'App' },
    actor,
    new Date(),
  );
  const credentials = { issuer: server.origin, clientId: client.id, clientSecret: null };
  const text = (title: string) =>
    fillRecipe(recipe, { address }, credentials).find((block) => block.title === title)?.text ?? '';
  for (const [name, file] of Object.entries(packages))
    files.set(`/${name}.js`, ['text/javascript', readFileSync(file, 'utf8')]);
  files.set('/main.js', ['text/javascript', text('main.js')]);
  files.set('/', ['text/html', text('index.html').replace('<title>', `${map}<title>`)]);

  const user = await newUser();
  await tab.goto(address);
  await expect(tab.getByText('Nobody')).toBeVisible();
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.locator('input[name=username]').fill(user.username);
  await tab.locator('input[name=password]').fill(password);
  await tab.locator('input[name=password]').press('Enter');
  await tab.locator('button[name=decision][value=allow]').click();
  await expect(tab.getByText(user.username)).toBeVisible();
  expect(tab.url()).toBe(`${address}/`);

  await tab.getByRole('button', { name: 'Sign out' }).click();
  await expect(tab.getByText('Nobody')).toBeVisible();
});
