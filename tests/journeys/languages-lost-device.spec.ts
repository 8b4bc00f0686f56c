import type { Page } from '@playwright/test';
import { invite } from '#lib/management/invitation/invitations.ts';
import { attributesOf, type Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { asking, newApp } from '../support/every-page.ts';
import { codeOf } from '../support/factors.ts';
import { answerAt, expect, newAddress } from '../support/journey.ts';
import { test } from '../support/mail-journey.ts';
import { password } from '../support/seed.ts';

/** A text without the marks that keep the direction of names, for which pages have elements. */
const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '');

/** A page as it is used in one language: by the texts on it. */
function inWords(page: Page, locale: Locale) {
  const text = textIn(locale);
  return {
    text,
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    type: (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value),
    isTitled: (title: string) =>
      expect(
        page.getByRole('heading', { level: 1, name: plain(title), exact: true }),
      ).toBeVisible(),
  };
}

/** An invited person creates an account, allows an app, and adds a second step. */
async function settleIn(page: Page, locale: Locale, redirectUri: string): Promise<string> {
  const { text, button, type, isTitled } = inWords(page, locale);
  await isTitled(text('finish.title'));
  const html = page.locator('html');
  for (const [name, value] of Object.entries(attributesOf(locale)))
    await expect(html).toHaveAttribute(name, value);
  await type(text('finish.username'), `first-${locale}`);
  await type(text('setup.password'), password);
  await button(text('finish.submit')).click();
  await page.waitForURL('/account');

  const app = await newApp(redirectUri);
  await page.goto(asking(app.id, { scope: 'openid email' }));
  await expect(page.getByRole('main')).toContainText(text('scope.email'));
  await button(text('consent.allow')).click();
  expect(await answerAt(page, redirectUri)).toMatchObject({ code: expect.any(String) });

  await page.goto('/account/security');
  await page.getByRole('link', { name: text('security.appSetUp') }).click();
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
  await type(text('totp.code'), codeOf(secret));
  await button(text('totp.submit')).click();
  await button(text('codes.done')).click();
  await expect(page.getByRole('status')).toContainText(text('security.doneCodes'));
  return secret;
}

for (const [locale, name] of [
  ['ar', 'ليلى حسن'],
  ['ja', '山田 花子'],
] as const)
  test.describe(locale, () => {
    test.use({ locale, actionTimeout: 15_000 });

    test(`an invited person loses a device, in ${locale}`, async ({
      page,
      browser,
      baseURL,
      site,
      smtp,
    }) => {
      test.setTimeout(90_000);
      const { text } = inWords(page, locale);
      const email = `invited-${locale}@example.org`;
      const { link } = await invite(email, { id: 'an-admin' }, new Date(), [], {
        name,
        language: locale,
      });
      await page.goto(link);
      const secret = await settleIn(page, locale, `${site.https}/callback`);

      const extraHTTPHeaders = { 'X-Forwarded-For': newAddress() };
      const away = await browser.newContext({ locale, baseURL, extraHTTPHeaders });
      const phone = await away.newPage();
      const onPhone = inWords(phone, locale);
      await phone.goto('/login');
      await onPhone.type(text('signIn.username'), email);
      await onPhone.type(text('signIn.password'), password);
      await onPhone.button(text('signIn.submit')).click();
      await onPhone.type(text('factor.code'), codeOf(secret, 1));
      await onPhone.button(text('factor.submit')).click();
      await onPhone.isTitled(text('home.hello', { name }));
      await smtp.next(
        email,
        new RegExp(plain(text('mail.newDevice.subject', { product: 'Gatehouse' }))),
      );

      await page.goto('/account/sessions');
      await page.getByRole('main').getByText(text('sessions.end'), { exact: true }).click();
      await expect(page.getByRole('status')).toContainText(text('sessions.ended'));
      await phone.goto('/account');
      await onPhone.isTitled(text('signIn.title'));
      await away.close();
    });
  });
