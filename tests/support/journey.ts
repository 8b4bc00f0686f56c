import { randomInt } from 'node:crypto';
import {
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';
import { type ClientSite, startClientSite } from './client-site.ts';
import { createDatabase, newLogFile } from './database.ts';
import { formsOf } from './html.ts';
import { password, type TestClient } from './seed.ts';
import { type Server, startServer } from './server.ts';
import { sharedEnv } from './shared-env.ts';

export { expect } from '@playwright/test';

/** `serverEnv`: further settings of the server. */
type WorkerFixtures = { serverEnv: Record<string, string>; server: Server; site: ClientSite };
type TestFixtures = { complaints: string[] };

/**
 * A test with a server, sites of clients, and a browser. Anything the browser complains about fails
 * the test.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
  serverEnv: [({}, use) => use({}), { scope: 'worker' }],
  server: [
    async ({ serverEnv }, use) => {
      const databaseUrl = await createDatabase('sqlite');
      const server = await startServer({
        mount: 'direct',
        databaseUrl,
        logFile: newLogFile('journeys'),
        env: serverEnv,
      });
      // What the tests store through lib/store is visible to the server.
      Object.assign(process.env, sharedEnv, {
        DATABASE_URL: databaseUrl,
        ISSUER: server.origin,
        LOG_LEVEL: 'silent',
      });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const site = await startClientSite();
      await use(site);
      site.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ server }, use) => use(server.origin),
  ignoreHTTPSErrors: true,
  // Each test has its own address, so that wrong passwords in one do not slow another down.
  // biome-ignore lint/correctness/noEmptyPattern: as above
  extraHTTPHeaders: ({}, use) => use({ 'X-Forwarded-For': newAddress() }),
  complaints: [
    async ({ context }, use) => {
      const complaints = listen(context);
      await use(complaints);
      expect(complaints, 'what the browser complained about').toEqual([]);
    },
    { auto: true },
  ],
});

/** An address that is not used anywhere else. */
export const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

/** Collects console errors, warnings about the content security policy, and script failures. */
function listen(context: BrowserContext): string[] {
  const complaints: string[] = [];
  context.on('console', (message) => {
    const { url } = message.location();
    // It is fine for a page itself to answer 400 or 404, but not for a file that the page loads.
    if (message.text().startsWith('Failed to load resource') && message.page()?.url() === url)
      return;
    if (message.type() === 'error' || /content security policy/i.test(message.text()))
      complaints.push(message.text());
  });
  context.on('weberror', (failure) => complaints.push(String(failure.error())));
  return complaints;
}

/** Fills in the sign-in page. */
export async function signInAt(page: Page, username: string, word = password): Promise<void> {
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(word);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/**
 * Signs in with the requests of the sign-in page, which has its own journeys. The browser stays
 * where it was.
 */
export async function signIn(page: Page, username: string, word = password): Promise<void> {
  const { request } = page.context();
  const opened = await request.get('/login');
  const form = formsOf(await opened.text()).find(({ action }) => action === '/login/submit');
  const answer = await request.post('/login/submit', {
    form: { ...form?.fields, username, password: word },
    headers: { Origin: new URL(opened.url()).origin },
    maxRedirects: 0,
  });
  expect(answer.headers().location).toBe('/account');
}

/** The message of a refused form. (Next.js has its own alert, outside `main`.) */
export const refusal = (page: Page): Locator => page.getByRole('main').getByRole('alert');

/** Opens an address that asks for a sign-in, and signs in. */
export async function openSignedIn(page: Page, address: string, username: string): Promise<void> {
  await page.goto(address);
  await signInAt(page, username);
}

export async function decide(page: Page, decision: 'Allow' | 'Deny'): Promise<void> {
  await page.getByRole('button', { name: decision, exact: true }).click();
}

/** The address of an authorization request. */
export function authorizeUrl(clientId: string, more: Record<string, string> = {}): string {
  return `/oauth/authorize?${new URLSearchParams({ client_id: clientId, response_type: 'code', ...more })}`;
}

/** Redeems a code as a client does, and returns the JSON answer. */
export async function redeem(
  server: Server,
  client: TestClient,
  code: string,
): Promise<Record<string, unknown>> {
  const body = {
    grant_type: 'authorization_code',
    code,
    client_id: client.id,
    client_secret: client.secret,
  };
  const sent = { ...body, redirect_uri: client.redirectUri };
  const response = await fetch(`${server.origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(sent),
  });
  return (await response.json()) as Record<string, unknown>;
}

/** The user name behind an access token, or the status of the refusal. */
export async function userOf(server: Server, accessToken: unknown): Promise<string | number> {
  const response = await fetch(`${server.origin}/oauth/me`, {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  return response.ok ? ((await response.json()) as { username: string }).username : response.status;
}

/** The parameters that the client has received, once the browser is there. */
export async function answerAt(page: Page, origin: string): Promise<Record<string, string>> {
  await page.waitForURL((url) => url.href.startsWith(origin));
  return Object.fromEntries(new URL(page.url()).searchParams);
}
