import { axeFindings } from '../support/axe.ts';
import { ageSignIn } from '../support/dashboard.ts';
import { expect, openSignedIn, test } from '../support/journey.ts';
import { newClient, newUser, password } from '../support/seed.ts';

const address = '/account/app-passwords';
const secret = /ghap(-[0-9a-z]{4}){7}/;

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled, viewport: { width: 320, height: 800 } });

    test('a person makes an app password on a phone, sees it once, and ends it', async ({
      page,
    }) => {
      const user = await newUser({ name: 'Ada King' });
      await newClient({ appPasswords: true, name: 'Photo shelf' });
      await openSignedIn(page, '/account/sign-in', user.username);
      await page.getByRole('link', { name: 'App passwords' }).click();
      await ageSignIn(user, 60);
      await page.goto(address);
      const make = page.getByRole('button', { name: 'Make an app password' });
      await page.getByLabel('App', { exact: true }).selectOption({ label: 'Photo shelf' });
      await page.getByLabel('Name').fill('Kitchen tablet');
      await page.getByLabel('How long?').selectOption('90');
      await page.locator('[name=confirm_password]').fill(password);
      await make.click();
      const shown = page.getByRole('main');
      await expect(shown).toContainText(secret);
      await expect(shown).toContainText(user.username);
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
      const { width } = (await shown.boundingBox()) ?? { width: 0 };
      expect(width).toBeLessThanOrEqual(320);
      await shown.getByRole('button', { name: 'I’ve entered it' }).click();
      await expect(page.getByRole('main')).not.toContainText(secret);
      await page.getByRole('button', { name: 'End Kitchen tablet' }).click();
      await expect(page.getByRole('status')).toContainText('The app password has ended.');
      await expect(page.getByRole('main')).not.toContainText('Kitchen tablet');
    });
  });
}
