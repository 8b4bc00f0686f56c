import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import sharp from 'sharp';
import { setScene } from '#lib/demo/agents/scene.ts';
import { serveAgent } from '#lib/demo/agents/serve.ts';
import { type Served, serveClient } from '#lib/demo/client-server.ts';
import { type Instance, startInstance } from '#lib/demo/instance.ts';
import { sizeSaid } from '#lib/demo/size.ts';
import { findOrInstallBrowser } from '#lib/tooling/browser.ts';

// The pictures of README.md, taken from the demo: `npm run pictures`.
const folder = resolve(import.meta.dirname, '../../.readme');
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
const desk = { viewport: { width: 1100, height: 690 }, deviceScaleFactor: 1.5 };

/** Signs in the demo's person, where a page asks for it. */
async function signIn(page: Page, { person }: Instance): Promise<void> {
  await page.getByLabel('Username').first().fill(person.username);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function keep(page: Page, name: string): Promise<void> {
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const small = await sharp(picture).webp({ quality: 88 }).toBuffer();
  writeFileSync(resolve(folder, `${name}.webp`), small);
  console.log(`${name}.webp: ${Math.round(small.length / 1024)} KB`);
}

const instance = await startInstance(new AbortController().signal, sizeSaid({}));
const served = await serveClient(instance);
const browser = await chromium.launch({
  executablePath: await findOrInstallBrowser(),
  args: ['--no-sandbox'],
});
mkdirSync(folder, { recursive: true });
try {
  for (const draw of [consent, adminPages, acting]) await draw(browser, instance, served);
} finally {
  await browser.close();
  served.close();
  await instance.end();
}
process.exit();

/** A page in a new browser context. */
async function pageIn(given: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await given.newContext({ locale: 'en-GB', ...options });
  return context.newPage();
}

/**
 * The consent page: which app asks, for which account, what it may see, and where it leads back to.
 */
async function consent(given: Browser, server: Instance): Promise<void> {
  const redirectUri = 'https://pottery.example.org/callback';
  const { id } = await server.createClient([
    '--name',
    'Pottery Club',
    '--redirect-uri',
    redirectUri,
  ]);
  const page = await pageIn(given, phone);
  await page.goto(
    `${server.origin}/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: id, state: 's' })}`,
  );
  await signIn(page, server);
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  await keep(page, 'consent');
}

/**
 * A failed attempt with the click that fixes it, then the admin's own account, and Home on a phone
 * at night.
 */
async function adminPages(given: Browser, server: Instance, served: Served): Promise<void> {
  const { app, adminLink } = served;
  const page = await pageIn(given, desk);
  await (await pageIn(given, desk)).goto(`${app.origin}/start/wrong-address`);
  await page.goto(adminLink);
  await page.goto(`${server.origin}/admin/clients/${app.client.id}/activity`);
  await page.locator('a[href^="/admin/traces/"]').first().click();
  await page.locator('summary', { hasText: 'Add this redirect URI' }).click();
  await keep(page, 'fixed');
  await page.goto(`${server.origin}/account`);
  await keep(page, 'account');
  await page.setViewportSize(phone.viewport);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${server.origin}/admin`);
  await keep(page, 'dark');
}

/**
 * The agents that act for a person through one that they allowed, and the single way to stop them.
 */
async function acting(given: Browser, server: Instance): Promise<void> {
  const scene = await setScene(server, new AbortController().signal);
  try {
    serveAgent(scene);
    const page = await pageIn(given, desk);
    await page.goto(`${scene.agent.origin}/start`);
    await signIn(page, server);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('button', { name: 'Act', exact: true }).waitFor();
    await scene.act();
    await page.goto(`${server.origin}/account/apps`);
    const agent = page.getByRole('listitem').filter({
      has: page.getByRole('heading', { name: 'Trip agent', exact: true }),
    });
    await agent.getByText('Remove access', { exact: true }).click();
    await agent.scrollIntoViewIfNeeded();
    await keep(page, 'acting');
  } finally {
    await scene.end();
  }
}
