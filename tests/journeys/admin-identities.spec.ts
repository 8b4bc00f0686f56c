import { write } from '#lib/store/engine/database.ts';
import { listIdentities, noteIdentityUse } from '#lib/store/identities.ts';
import { expectAccessible } from '../support/axe.ts';
import { ageSignIn, test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';
import { giveIdentity, newProvider } from '../support/providers.ts';
import { newUser } from '../support/seed.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an admin sees the linked accounts of a person, is warned of the only way to sign in, and unlinks them', async ({
      page,
      admin,
    }) => {
      const person = await newUser();
      const mark = person.username.slice(-6);
      const [work, school] = [`Work ${mark}`, `School ${mark}`];
      for (const name of [work, school]) await giveIdentity(person.id, await newProvider({ name }));
      const [first] = await listIdentities(person.id);
      await noteIdentityUse(first?.id ?? '', 'ada@work.example', new Date());

      await page.goto(`/admin/people/${person.id}`);
      const card = page.getByRole('region', { name: 'Other accounts' });
      const row = (name: string) => card.getByRole('row').filter({ hasText: name });
      await expect(row(work)).toContainText('ada@work.example');
      await expect(row(school)).toBeVisible();
      await expect(card).not.toContainText('only way to sign in');
      if (javaScriptEnabled) await expectAccessible(page);

      // Unlinking requires a fresh sign-in, and nothing is unlinked before that.
      await ageSignIn(admin, 60);
      await card.getByRole('button', { name: `Unlink ${school}` }).click();
      await expect(page.locator('body')).toContainText(/sign in again|password/i);
      expect(await listIdentities(person.id)).toHaveLength(2);
      await ageSignIn(admin, 0);

      await page.goto(`/admin/people/${person.id}`);
      await card.getByRole('button', { name: `Unlink ${school}` }).click();
      await expect(page.getByRole('status').first()).toContainText(`${school} is unlinked`);
      expect((await listIdentities(person.id)).map(({ provider }) => provider.name)).toEqual([
        work,
      ]);

      await write('UPDATE users SET password_hash = NULL WHERE id = :id', { id: person.id });
      await page.goto(`/admin/people/${person.id}`);
      await expect(card).toContainText(`${work} is their only way to sign in.`);
      if (javaScriptEnabled) await expectAccessible(page);
      await card.getByRole('button', { name: `Unlink ${work}` }).click();
      await expect(page.getByRole('status').first()).toContainText(`${work} is unlinked`);
      await expect(card).toHaveCount(0);
    });
  });
}
