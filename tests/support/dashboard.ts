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
