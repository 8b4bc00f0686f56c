import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { write } from '#lib/store/database.ts';
import { createDatabase, newLogFile } from './database.ts';
import { newUser, password, type TestUser } from './seed.ts';
import { type Server, sharedEnv, startServer } from './server.ts';

export { expect } from '@playwright/test';

type WorkerFixtures = { house: Server };
type TestFixtures = {
  complaints: string[];
  /** Somebody who is signed in at `page` and may do everything. */
  admin: TestUser;
};

/** A test of the dashboard: a server of its own, an admin at the page, and a browser whose every complaint fails it. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  house: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      const databaseUrl = await createDatabase('sqlite');
      const env = { ENFORCE_STATE: 'off' };
      const server = await startServer({ mount: 'direct', databaseUrl, logFile: newLogFile('dashboard'), env });
      Object.assign(process.env, sharedEnv, env, { DATABASE_URL: databaseUrl, ISSUER: server.origin, LOG_LEVEL: 'silent' });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ house }, use) => use(house.origin),
  admin: async ({ page }, use) => {
    const admin = await newUser({ isAdmin: true });
    await signIn(page, admin.username);
    await use(admin);
  },
  complaints: [
    async ({ context }, use) => {
      const complaints: string[] = [];
      context.on('console', (message) => {
        if (message.text().startsWith('Failed to load resource') && message.page()?.url() === message.location().url) return;
        if (message.type() === 'error' || /content security policy/i.test(message.text())) complaints.push(message.text());
      });
      context.on('weberror', (failure) => complaints.push(String(failure.error())));
      await use(complaints);
      expect(complaints, 'what the browser complained about').toEqual([]);
    },
    { auto: true },
  ],
});

export async function signIn(page: Page, username: string): Promise<void> {
  await page.goto('/login');
  await signInHere(page, username);
  await expect(page).toHaveURL('/account');
}

/** Fills in the sign-in page that the browser is at. */
export async function signInHere(page: Page, username: string): Promise<void> {
  await page.getByLabel('User name or email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** What a form says that was refused. (Next.js has an alert of its own, for screen readers.) */
export const refusalOn = (page: Page) => page.locator('[data-refusal]').getByRole('alert');

/** As if the person had signed in so long ago. */
export async function ageSignIn(user: TestUser, minutes: number): Promise<void> {
  const then = new Date(Date.now() - minutes * 60_000);
  await write('UPDATE sessions SET auth_time = $2 WHERE user_id = $1', [user.id, then]);
}

/** What axe has against the page, in light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
    expect(found, `${page.url()} ${colorScheme}`).toEqual([]);
  }
}
