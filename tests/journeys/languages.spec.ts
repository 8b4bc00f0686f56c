import type { Page } from '@playwright/test';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import type { ClientSite } from '../support/client-site.ts';
import { asking, newApp } from '../support/every-page.ts';
import { codeOf, newUserWithApp } from '../support/factors.ts';
import { answerAt, expect, test } from '../support/mail-journey.ts';
import { newUser, password } from '../support/seed.ts';

/**
 * Goes from the app and back to it, with a second factor, by the texts of the pages in one
 * language.
 */
async function goThroughWholeFlow(
  page: Page,
  site: ClientSite,
  locale: Locale,
  request: Record<string, string>,
): Promise<void> {
  const text = textIn(locale);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const user = await newUserWithApp();
  const client = await newApp(`${site.https}/callback`);

  await page.goto(asking(client.id, { state: 'kept', scope: 'openid email', ...request }));
  await expect(page).toHaveTitle(
    text('page.title', { page: text('signIn.title'), product: 'Gatehouse' }),
  );
  await page.getByLabel(text('signIn.username'), { exact: true }).fill(user.username);
  await page.getByLabel(text('signIn.password'), { exact: true }).fill('a wrong password');
  await button(text('signIn.submit')).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(text('signIn.wrong'));
  await page.getByLabel(text('signIn.password'), { exact: true }).fill(password);
  await button(text('signIn.submit')).click();

  await page.getByLabel(text('factor.code'), { exact: true }).fill('000000');
  await button(text('factor.submit')).click();
  await expect(page.getByLabel(text('factor.code'), { exact: true })).toHaveAccessibleDescription(
    new RegExp(literal(text('factor.wrong'))),
  );
  await page.getByLabel(text('factor.code'), { exact: true }).fill(codeOf(user.secret));
  await button(text('factor.submit')).click();

  await expect(page.getByRole('main')).toContainText(text('scope.email'));
  await button(text('consent.switchLabel')).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(text('signIn.title'));
  await page.goBack();
  await button(text('consent.allow')).click();
  expect(await answerAt(page, client.redirectUri)).toMatchObject({
    code: expect.any(String),
    state: 'kept',
  });
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, actionTimeout: 15_000 });

  test.describe('in a German browser', () => {
    test.use({ locale: 'de-AT' });

    test('sign-in, consent, removing access and sign-out are in German', async ({ page, site }) => {
      await goThroughWholeFlow(page, site, 'de', {});
      await page.goto('/account/apps');
      await expect(page.getByRole('heading', { name: 'Verbundene Apps' })).toBeVisible();
      await page.locator('summary', { hasText: 'Zugriff entfernen' }).click();
      await page.getByRole('button', { name: 'Ja, Zugriff entfernen' }).click();
      await expect(page.getByRole('status')).toContainText(
        'Die App hat keinen Zugriff mehr auf Ihr Konto.',
      );
      await page.getByRole('link', { name: 'Abmelden' }).click();
      await page.getByRole('button', { name: 'Abmelden' }).click();
      await expect(page.getByRole('heading', { name: 'Sie sind abgemeldet' })).toBeVisible();
    });

    test('a mail is in the language of the page where it was requested, or of its recipient', async ({
      page,
      smtp,
    }) => {
      for (const [claims, subject] of [
        [{}, 'Passwort für Gatehouse zurücksetzen'],
        [{ locale: 'en' }, 'Reset your password for Gatehouse'],
      ] as const) {
        const user = await newUser({ claims });
        await page.goto('/recover');
        await page.getByLabel(textIn('de')('signIn.username')).fill(user.email);
        await page.getByRole('button', { name: 'Link senden' }).click();
        await expect(page.getByRole('main')).toContainText('Er gilt 30 Minuten.');
        expect((await smtp.next(user.email)).subject).toBe(subject);
      }
    });
  });

  test.describe('with ui_locales for the pseudo-locale', () => {
    test.use({ locale: 'en-US' });

    test('every page of sign-in and consent is in the pseudo-locale', async ({ page, site }) => {
      await goThroughWholeFlow(page, site, 'ar-XB', { ui_locales: 'ar-XB' });
    });
  });
});
