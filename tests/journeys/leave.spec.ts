import { createApiKey, listApiKeys } from '#lib/management/api-key/keys.ts';
import { addContact, listContacts } from '#lib/management/client/contacts.ts';
import { userWithId } from '#lib/management/user/users.ts';
import { axeFindings } from '../support/axe.ts';
import { ageSignIn } from '../support/dashboard.ts';
import { expect, signIn, test } from '../support/journey.ts';
import { newClient, newUser, password } from '../support/seed.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an admin sees what a leaving person owns, names a successor and closes the account', async ({
      page,
    }) => {
      const admin = await newUser({ isAdmin: true });
      const leaver = await newUser({ isAdmin: true });
      const successor = await newUser();
      const app = await newClient({ name: `Payroll ${leaver.username}` });
      await addContact(app.id, leaver.id, { id: 'cli' }, new Date());
      const key = { name: `key of ${leaver.username}`, rights: ['group:read'] };
      const { id: keyId } = await createApiKey(key, { id: leaver.id }, new Date());
      await signIn(page, admin.username);
      await page.goto(`/admin/people/${leaver.id}`);
      await page.getByRole('link', { name: 'Offboard…' }).click();
      const owned = page.getByRole('region', { name: 'What they own' });
      await expect(owned).toContainText(`Payroll ${leaver.username}`);
      await expect(owned).toContainText('No one else is responsible for it');
      await expect(owned).toContainText('group:read');
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);

      await page.getByLabel('Who takes over').fill('nobody-here');
      await page.getByRole('button', { name: 'Hand over and close' }).click();
      await expect(page.getByLabel('Who takes over')).toHaveAccessibleDescription(/No one here/);
      await expect(page.getByLabel('Who takes over')).toHaveValue('nobody-here');

      await ageSignIn(admin, 60);
      await page.getByLabel('Who takes over').fill(successor.email);
      await page.getByRole('button', { name: 'Hand over and close' }).click();
      await page.getByLabel('Your password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Hand over and close' }).click();
      await expect(page.getByRole('status')).toContainText('1 app handed over, 1 API key ended');
      await expect(page).toHaveURL(`/admin/people/${leaver.id}`);

      expect((await userWithId(leaver.id)).disabledAt).not.toBeNull();
      expect((await listContacts(app.id)).map(({ userId }) => userId)).toEqual([successor.id]);
      expect((await listApiKeys()).map(({ id }) => id)).not.toContain(keyId);
    });
  });
}
