import type { Page } from '@playwright/test';
import { write } from '#lib/store/engine/database.ts';
import { test as journey, signIn } from './journey.ts';
import { newUser, type TestUser } from './seed.ts';

/** A journey with somebody signed in at `page` who may do everything; `admin: _` where who that is does not matter. */
export const test = journey.extend<{ admin: TestUser }>({
  admin: async ({ page }, use) => {
    const admin = await newUser({ isAdmin: true });
    await signIn(page, admin.username);
    await use(admin);
  },
});

/** As if the person had signed in so long ago. */
export async function ageSignIn(user: TestUser, minutes: number): Promise<void> {
  const then = new Date(Date.now() - minutes * 60_000);
  await write('UPDATE sessions SET auth_time = $2 WHERE user_id = $1', [user.id, then]);
}

/** What no other thing is called by. */
export const mark = () => `${Date.now()}${Math.random().toString(36).slice(2, 6)}`;

/** A part of a page, by its heading. */
export const section = (page: Page, name: string) =>
  page.getByRole('region', { name, exact: true });

/** What the page says has been done. */
export const done = (page: Page) => page.getByRole('status').first();
