import { textIn } from '#lib/messages/text.ts';
import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { expect, signIn } from '../support/journey.ts';
import { newUser } from '../support/seed.ts';

const say = textIn('en');

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('doctor in the settings: an admin runs the check, and reads what to fix and how', async ({
      page,
      admin: _,
    }) => {
      await page.goto('/admin/settings/general');
      const card = page.getByRole('region', { name: say('doctor.title') });
      await expect(card.getByRole('listitem')).toHaveCount(0);
      await card.getByRole('button', { name: say('doctor.check') }).click();
      await expect(card.getByRole('status')).toContainText(/points? of \d+ to look at/, {
        timeout: 30_000,
      });
      const backups = card.getByRole('listitem').filter({ hasText: 'makes no backups' });
      await expect(backups).toContainText(say('doctor.is.warning'));
      await expect(backups).toContainText('Set BACKUP_DIR');
      await expect(card).not.toContainText('could not be checked');
      await expect(card).not.toContainText('Nothing answers');
      await expect(card.getByRole('button', { name: say('doctor.again') })).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
    });
  });

test('doctor in the settings is not shown to an auditor', async ({ page }) => {
  const auditor = await newUser({ role: 'auditor' });
  await signIn(page, auditor.username);
  await page.goto('/admin/settings/general');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: say('doctor.check') })).toHaveCount(0);
});
