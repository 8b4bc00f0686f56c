import { createGroup } from '#lib/management/group/groups.ts';
import { listProviders } from '#lib/store/providers.ts';
import { expectAccessible } from '../support/axe.ts';
import { ageSignIn, done, mark, test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';

const named = async (name: string) =>
  (await listProviders()).find((provider) => provider.name === name);

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an identity provider is chosen, added and changed, and its secret is not shown again', async ({
      page,
      admin,
    }) => {
      const name = `Work ${mark()}`;
      const group = await createGroup({ name: `Staff ${mark()}` }, { id: 'cli' }, new Date());
      await page.goto('/admin/providers');
      await page.getByRole('link', { name: 'Add a provider' }).first().click();
      await page.getByRole('link', { name: 'OpenID Connect' }).click();
      await expect(page.getByText(/\/login\/with\/openid(?:-\d+)?\/callback/)).toBeVisible();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Issuer', { exact: true }).fill('http://idp.example.com');
      await page.getByLabel('Client ID').fill('gatehouse');
      await page.getByLabel('Client secret').fill('the secret of work');
      const further = page.locator('summary', { hasText: 'Further settings' });
      await further.click();
      await page.getByLabel('Claim for groups').fill('roles');
      await page.getByRole('textbox', { name: 'Groups', exact: false }).last().fill('staff');
      await page.getByRole('button', { name: 'Add provider' }).click();
      await expect(page.getByText(/Write each line as VALUE = GROUP/).first()).toBeVisible();
      await page.locator('textarea[name=groups]').fill(`staff = ${group.name}`);
      await page.getByRole('button', { name: 'Add provider' }).click();
      await expect(page.getByLabel('Issuer', { exact: true })).toHaveAccessibleDescription(
        /has to begin with https/,
      );
      await page.getByLabel('Issuer', { exact: true }).fill('https://idp.example.com');
      await page.getByLabel('Client secret').fill('the secret of work');
      await page.getByRole('button', { name: 'Add provider' }).click();
      await expect(done(page)).toContainText(`${name} added.`);
      const made = await named(name);
      expect(made).toMatchObject({ enabled: true, mayRegister: false, groupsClaim: 'roles' });
      expect(await page.content()).not.toContain('the secret of work');
      await expect(page.locator('textarea[name=groups]')).toHaveValue(`staff = ${group.name}`);
      if (javaScriptEnabled) await expectAccessible(page);

      await further.click();
      await page.getByLabel('Text on the button').fill('Go on with work');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(done(page)).toContainText('Saved.');
      expect((await named(name))?.sealedSecret).toBe(made?.sealedSecret);

      // A change that lets more people in asks for a new sign-in, and keeps what was ticked.
      await ageSignIn(admin, 60);
      await page.getByLabel('New people can create an account with it').check();
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByLabel('New people can create an account with it')).toBeChecked();
      expect((await named(name))?.mayRegister).toBe(false);

      await page.goto('/admin/providers');
      await expect(page.getByRole('row').filter({ hasText: name })).toContainText('Sign-in');
      if (javaScriptEnabled) await expectAccessible(page);
    });
  });
}
