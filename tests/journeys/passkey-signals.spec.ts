import type { Page } from '@playwright/test';
import { write } from '#lib/store/engine/database.ts';
import { expect, signIn, test } from '../support/journey.ts';
import { plugInOpen, typePasswords } from '../support/plug-in.ts';
import { newUser } from '../support/seed.ts';

async function addPasskey(page: Page): Promise<void> {
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByRole('button', { name: 'I’ve saved these' })).toBeVisible();
}

test('passkey signals: the browser learns the new name of the user, and drops deleted passkeys', async ({
  page,
}) => {
  const user = await newUser({ name: 'Ada Byron' });
  const held = await plugInOpen(page);
  await signIn(page, user.username);
  await addPasskey(page);
  expect(await held()).toMatchObject([{ userName: user.username, userDisplayName: 'Ada Byron' }]);

  await write('UPDATE users SET name = $2 WHERE id = $1', [user.id, 'Ada Lovelace']);
  await page.goto('/account/profile');
  await expect.poll(held).toMatchObject([{ userDisplayName: 'Ada Lovelace' }]);

  await write('DELETE FROM passkeys WHERE user_id = $1', [user.id]);
  await page.goto('/account/security');
  await expect.poll(held).toEqual([]);
});

test('passkey signals: the sign-in page makes the browser drop a passkey that is unknown', async ({
  page,
}) => {
  const user = await newUser();
  const held = await plugInOpen(page);
  await signIn(page, user.username);
  await addPasskey(page);
  await write('DELETE FROM passkeys WHERE user_id = $1', [user.id]);
  await page.context().clearCookies();
  await typePasswords(page);
  await page.goto('/login');
  expect(await held()).toHaveLength(1);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect.poll(held).toEqual([]);
});
