import { textIn } from '#lib/messages/text.ts';
import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { expect, newAddress } from '../support/journey.ts';
import { set } from '../support/settings.ts';

const say = textIn('en');

const metadata = { redirect_uris: ['https://app.example/callback'] };

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a registration token is created, shown once, used, and removed', async ({
      page,
      admin,
      server,
    }) => {
      await set('CLIENT_REGISTRATION', 'token');
      const name = `Build server of ${admin.username}`;
      const card = page.locator('#registration-tokens');
      await page.goto('/admin/settings/new-apps');
      await card.getByLabel(say('registrationTokens.name')).fill(name);
      await card.getByLabel(say('registrationTokens.life')).fill('for ever');
      await card.getByRole('button', { name: say('registrationTokens.create') }).click();
      await expect(card.getByLabel(say('registrationTokens.life'))).toHaveAccessibleDescription(
        /“for” isn’t a number/,
      );
      await expect(card.getByLabel(say('registrationTokens.name'))).toHaveValue(name);
      await card.getByLabel(say('registrationTokens.life')).fill('2 hours');
      await card.getByRole('button', { name: say('registrationTokens.create') }).click();
      await expect(card.getByText(say('registrationTokens.made', { name }))).toBeVisible();
      const token = (await card.getByText(/^gh_ia_/).textContent()) ?? '';
      if (javaScriptEnabled) await expectAccessible(page);

      const send = async () =>
        fetch(`${server.origin}/oauth/register`, {
          method: 'POST',
          body: JSON.stringify(metadata),
          headers: {
            'Content-Type': 'application/json',
            Authorization: `Bearer ${token}`,
            'X-Forwarded-For': newAddress(),
          },
        });
      expect((await send()).status).toBe(201);

      await card.getByRole('link', { name: say('registrationTokens.back') }).click();
      await expect(card.getByText(/^gh_ia_/)).toHaveCount(0);
      const row = card.getByRole('row').filter({ hasText: name });
      await row.locator('summary').click();
      await row.getByRole('button', { name: say('registrationTokens.removeConfirm') }).click();
      await expect(
        page.getByRole('status').filter({ hasText: say('registrationTokens.removed', { name }) }),
      ).toBeVisible();
      expect((await send()).status).toBe(401);
      await page.setViewportSize({ width: 360, height: 800 });
      if (javaScriptEnabled) await expectAccessible(page);
    });
  });
}
