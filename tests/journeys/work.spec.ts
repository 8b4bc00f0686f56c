import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { expect, test } from '../support/mail-journey.ts';
import { newUser } from '../support/seed.ts';
import { set } from '../support/settings.ts';

test.beforeEach(async ({ server: _ }) => {
  for (const [name, value] of [
    ['PROOF_OF_WORK', 'always'],
    ['MAIL_CODE', 'on'],
  ] as const)
    await set(name, value);
});

/**
 * Delays the browser's first calculation until the returned function is called, because some finish
 * before a text can be read.
 */
async function holdCalculations(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.exposeFunction('untilSeen', () => promise);
  await page.addInitScript(() => {
    const { deriveBits } = SubtleCrypto.prototype;
    let seen: Promise<void> | undefined;
    SubtleCrypto.prototype.deriveBits = async function (...how) {
      // Called only once, because each call leaves the browser and there are hundreds of
      // calculations.
      seen ??= Reflect.get(window, 'untilSeen')();
      await seen;
      return deriveBits.apply(this, how);
    };
  });
  return resolve;
}

const someone = () => `new-${randomBytes(6).toString('hex')}@example.com`;

test('proof of work: the browser computes, says so, and sends the form by itself', async ({
  page,
  smtp,
}) => {
  const email = someone();
  const go = await holdCalculations(page);
  await page.goto('/register');
  await expectAccessible(page);
  await page.getByLabel('Email address').fill(email);
  await page.keyboard.press('Enter');
  await expect(page.getByText('your browser is doing a short calculation')).toBeVisible();
  await expect(page).toHaveURL('/register');
  go();
  await expect(page).toHaveURL('/register/sent', { timeout: 30_000 });
  await smtp.next(email, /Confirm/);
});

test('proof of work is done for each mailed code, and not for a password', async ({
  page,
  smtp,
}) => {
  const user = await newUser();
  await page.goto('/login');
  await page.getByLabel('Username or email').fill(user.username);
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await expect(page).toHaveURL('/login/code');
  await smtp.next(user.email, /Your code/);
  await page.getByRole('button', { name: 'Send a new code' }).click();
  await expect(page.getByText('A new code is on its way')).toBeVisible();
  await page.goBack();
  await page.goto('/login');
  await page.getByLabel('Username or email').fill(user.username);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Incorrect username or password.')).toBeVisible();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('proof of work without JavaScript: the user is told to wait, and the field keeps its text', async ({
    page,
  }) => {
    const email = someone();
    await page.goto('/register');
    // Chromium does not render <noscript> when Playwright turns scripts off.
    expect(await page.content()).toContain('wait for 30 seconds on this page');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send email' }).click();
    await expect(page.getByText(/send it again in \d+ seconds/)).toBeVisible();
    await expect(page.getByLabel('Email address')).toHaveValue(email);
  });
});
