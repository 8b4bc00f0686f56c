import type { Page } from '@playwright/test';
import { write } from '#lib/store/engine/database.ts';
import { test as journey, signIn } from './journey.ts';
import { newUser, type TestUser } from './seed.ts';

/**
 * A journey in which an admin with every right is signed in at `page`. Where it does not matter who
 * that is, write `admin: _`.
 */
export const test = journey.extend<{ admin: TestUser }>({
  admin: async ({ page }, use) => {
    const admin = await newUser({ isAdmin: true });
    await signIn(page, admin.username);
    await use(admin);
  },
});

/** Makes the user's sign-in look this many minutes old. */
export async function ageSignIn(user: TestUser, minutes: number): Promise<void> {
  const then = new Date(Date.now() - minutes * 60_000);
  await write('UPDATE sessions SET auth_time = $2 WHERE user_id = $1', [user.id, then]);
}

/** A name that is not used anywhere else. */
export const mark = () => `${Date.now()}${Math.random().toString(36).slice(2, 6)}`;

/** A section of a page, found by its heading. */
export const section = (page: Page, name: string) =>
  page.getByRole('region', { name, exact: true });

/** The page's message about what was done. */
export const done = (page: Page) => page.getByRole('status').first();
