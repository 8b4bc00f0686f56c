import { listIdentities } from '#lib/store/identities.ts';
import { findUserByLogin } from '#lib/store/users.ts';
import { expectAccessible } from '../support/axe.ts';
import { signIn } from '../support/journey.ts';
import { newUser } from '../support/seed.ts';
import { expect, passThrough, test } from '../support/upstream-journey.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an admin tries a sign-in with a provider, sees each step, and stays signed in as before', async ({
      page,
      way,
      upstream,
    }) => {
      const admin = await newUser({ isAdmin: true });
      const there = await upstream.newPerson();
      await signIn(page, admin.username);
      await page.goto(`/admin/providers/${way.id}`);
      await page.getByRole('region', { name: 'Try a sign-in' }).getByRole('link').click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Try ${way.name}`);
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('link', { name: `Sign in with ${way.name}` }).click();
      await passThrough(page, upstream, there);
      await expect(page.getByRole('main')).toContainText('and get an account');
      const last = page.getByRole('listitem').filter({ hasText: 'Who that is here' });
      await expect(last).toContainText(there.email);
      await expect(
        page.getByRole('listitem').filter({ hasText: 'What the ID token says' }),
      ).toContainText(upstream.origin);
      if (javaScriptEnabled) await expectAccessible(page);
      expect(await findUserByLogin(there.email)).toBeNull();
      expect(await listIdentities(admin.id)).toEqual([]);
      await page.goto('/account');
      await expect(page.locator('body')).toContainText(admin.username);
    });
  });
}
