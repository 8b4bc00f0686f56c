import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { write } from '#lib/store/engine/database.ts';
import { listPasskeys } from '#lib/store/passkeys.ts';
import { inTurn } from '../lanes.ts';
import { axeFindings } from '../support/axe.ts';
import { codeOf, newUserWithApp } from '../support/factors.ts';
import {
  answerAt,
  authorizeUrl,
  expect,
  refusal,
  signIn,
  signInAt,
  test,
} from '../support/journey.ts';
import { plugIn, typePasswords } from '../support/plug-in.ts';
import { newClient, newUser } from '../support/seed.ts';
import { set } from '../support/settings.ts';

const addPasskey = (page: Page) => page.getByRole('button', { name: 'Add a passkey' }).click();

async function signOut(page: Page): Promise<void> {
  await page.goto('/logout');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible();
}

test.describe('an authenticator app, without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('is set up, asked for on the way to an app, and replaced by a recovery code', async ({
    page,
    site,
  }) => {
    const user = await newUser();
    await signIn(page, user.username);
    await page.goto('/account');
    await page.getByRole('link', { name: 'Sign-in', exact: true }).click();
    await page.getByRole('link', { name: 'Manage: Two-step sign-in' }).click();
    await expect(page.getByText('Set up two-step sign-in', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Set up an app' }).click();
    await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible();
    const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await page.getByLabel('Then enter the code it shows').fill('000000');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await expect(page.getByLabel('Then enter the code it shows')).toHaveAccessibleDescription(
      /isn’t right/,
    );
    await page.getByLabel('Then enter the code it shows').fill(codeOf(secret));
    await page.getByRole('button', { name: 'Turn on' }).click();

    await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
    const listed = page.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem');
    // The heading is there before the rest of the page has arrived.
    await expect(listed).toHaveCount(10);
    const codes = await listed.allTextContents();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as text' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('recovery-codes.txt');
    const text = readFileSync(await file.path(), 'utf8');
    for (const code of codes) expect(text).toContain(code);
    await page.getByRole('button', { name: 'I’ve saved these' }).click();
    await expect(page.getByRole('status')).toContainText(
      'Your new recovery codes are ready to use.',
    );
    await expect(page.getByText('10 of 10 left')).toBeVisible();
    await signOut(page);

    const client = await newClient({ redirectUris: [`${site.https}/callback`], firstParty: true });
    await page.goto(authorizeUrl(client.id, { state: 'kept' }));
    await signInAt(page, user.username);
    await expect(page.getByLabel('Code from your authenticator app')).toBeFocused();
    await page.getByLabel('Code from your authenticator app').fill(codeOf(secret, 1));
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await answerAt(page, site.https)).toMatchObject({
      code: expect.any(String),
      state: 'kept',
    });

    await signOut(page);
    await page.goto('/login');
    await signInAt(page, user.username);
    await page.getByText('Use a recovery code').click();
    await page.getByLabel('Recovery code', { exact: true }).fill((codes[0] ?? '').toLowerCase());
    await page.getByRole('button', { name: 'Use this code' }).click();
    await expect(page).toHaveURL('/account');
    await page.goto('/account/security');
    await expect(page.getByText('9 of 10 left')).toBeVisible();
  });

  test('refuses wrong codes with a message, and after five of them the right one too', async ({
    page,
  }) => {
    const user = await newUserWithApp();
    await page.goto('/login');
    await signInAt(page, user.username);
    const box = page.getByLabel('Code from your authenticator app');
    for (let tries = 0; tries < 5; tries += 1) {
      await box.fill('12 34');
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page).toHaveTitle(/^Error: /);
    }
    await box.fill(codeOf(user.secret));
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(box).toHaveAccessibleDescription(/Too many attempts/);
  });
});

test('a passkey is added, named, signs in without a password, and is removed', async ({ page }) => {
  const user = await newUser({ name: 'Ada Lovelace' });
  await plugIn(page);
  await signIn(page, user.username);
  await page.goto('/account/security');
  await addPasskey(page);
  await page.getByRole('button', { name: 'I’ve saved these' }).click();
  await page.getByText('Rename', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Desk key');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Desk key' })).toBeVisible();
  await addPasskey(page);
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: 'This device already has a passkey for your account.' }),
  ).toBeVisible();
  await signOut(page);

  await typePasswords(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Hello, Ada Lovelace' })).toBeVisible();
  await page.goto('/account/security');
  await page.getByText('Remove', { exact: true }).click();
  await expect(page.getByText('You’ll sign in with just your password')).toBeVisible();
  await page
    .locator('form', { hasText: 'Yes, remove it' })
    .getByRole('button', { name: 'Use a passkey' })
    .click();
  await expect(page.getByRole('status')).toContainText('Passkey removed.');
});

test('a passkey is the second factor after a password, on the way to an app', async ({
  page,
  site,
}) => {
  const user = await newUser();
  const client = await newClient({ redirectUris: [`${site.https}/callback`], firstParty: true });
  await plugIn(page);
  await signIn(page, user.username);
  await page.goto('/account/security');
  await addPasskey(page);
  await page.getByRole('button', { name: 'I’ve saved these' }).click();
  await signOut(page);
  await typePasswords(page);
  await page.goto(authorizeUrl(client.id, { state: 'kept' }));
  await signInAt(page, user.username);
  await expect(page).toHaveURL(/\/login\/factor\?flow=/);
  await page.getByRole('button', { name: 'Use your passkey' }).click();
  expect(await answerAt(page, site.https)).toMatchObject({
    code: expect.any(String),
    state: 'kept',
  });
});

// Chromium says that it can create passkeys on its own, but its test authenticator never answers a
// conditional request (156). So the page's script makes an ordinary request here.
test('the browser upgrades to a passkey by itself after password and code, and it signs in from then on', async ({
  page,
}) => {
  const user = await newUserWithApp();
  const asked: unknown[] = [];
  await page.exposeFunction('noteMediation', (mediation: unknown) => asked.push(mediation));
  await page.addInitScript(() => {
    const create = CredentialsContainer.prototype.create;
    CredentialsContainer.prototype.create = async function (given) {
      const { mediation, ...options } = given as CredentialCreationOptions & { mediation?: string };
      await (window as unknown as { noteMediation(of?: string): Promise<void> }).noteMediation(
        mediation,
      );
      return create.call(this, options);
    };
  });
  await typePasswords(page);
  await plugIn(page);
  await page.goto('/login');
  await signInAt(page, user.username);
  const sent = page.waitForResponse(/\/account\/security\/passkey\/upgrade$/);
  await page.getByLabel('Code from your authenticator app').fill(codeOf(user.secret));
  await page.getByRole('button', { name: 'Continue' }).click();
  await sent;
  await expect.poll(() => listPasskeys(user.id)).toHaveLength(1);
  expect(asked).toEqual(['conditional']);
  await expect(page).toHaveURL('/account');
  // A person who already has a passkey is not asked for another.
  await page.reload();
  await expect(page.locator('[data-upgrade]')).toHaveCount(0);
  await signOut(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL('/account');
});

test('the sign-in page accepts a passkey from the browser’s autofill (conditional mediation)', async ({
  page,
}) => {
  const user = await newUser();
  await plugIn(page);
  await signIn(page, user.username);
  await page.goto('/account/security');
  await addPasskey(page);
  await page.getByRole('button', { name: 'I’ve saved these' }).click();
  await signOut(page);
  // The authenticator answers by itself, like a person who picks the suggestion, perhaps before the
  // whole page has arrived.
  await page.goto('/login', { waitUntil: 'commit' });
  await expect(page).toHaveURL('/account');
});

test('a passkey without user verification does not sign in alone', async ({ page }) => {
  const user = await newUser();
  const verify = await plugIn(page);
  await signIn(page, user.username);
  await page.goto('/account/security');
  await addPasskey(page);
  await page.getByRole('button', { name: 'I’ve saved these' }).click();
  await signOut(page);
  await typePasswords(page);
  await verify(false);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(refusal(page)).toHaveText('Nothing was confirmed. Try again when you’re ready.');
});

test.describe('REQUIRE_SECOND_FACTOR=everyone', () => {
  const demand = (who: string | null) => set('REQUIRE_SECOND_FACTOR', who);
  test.beforeEach(() => demand('everyone'));
  test.afterEach(() => demand(null));

  test('a passkey is created during sign-in, which then continues', async ({ page, site }) => {
    const user = await newUser();
    const client = await newClient({ redirectUris: [`${site.https}/callback`], firstParty: true });
    await plugIn(page);
    await page.goto(authorizeUrl(client.id, { state: 'kept' }));
    await signInAt(page, user.username);
    await expect(page.getByRole('heading', { name: 'Make your account safer' })).toBeVisible();
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await page.getByRole('button', { name: 'I’ve saved these' }).click();
    expect(await answerAt(page, site.https)).toMatchObject({
      code: expect.any(String),
      state: 'kept',
    });
  });
});

const looks = [
  ['light', 1440],
  ['dark', 1440],
  ['light', 320],
] as const;

test('every page about two-step sign-in passes axe in every look, and none scrolls sideways', async ({
  page,
}) => {
  test.setTimeout(300_000);
  let turn = 0;
  const judge = async (name: string) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const chosen = inTurn(turn++, looks);
    for (const look of looks) {
      const [colorScheme, width] = look;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      if (chosen.includes(look)) expect(await axeFindings(page), name).toEqual([]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `${name} scrolls sideways at ${width} px`).toBe(0);
    }
  };
  const user = await newUserWithApp();
  await typePasswords(page);
  await plugIn(page);
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
  await judge('login');
  await signInAt(page, user.username);
  await page.getByLabel('Code from your authenticator app').fill(codeOf(user.secret));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.goto('/account/security');
  await addPasskey(page);
  await expect(page.getByRole('status')).toContainText('Passkey added.');
  await page.getByText('Rename', { exact: true }).click();
  await page.getByText('Remove', { exact: true }).first().click();
  await judge('security');
  await page.goto('/account/security/totp');
  await judge('totp');
  await page.goto('/account/security');
  await page.getByText('Get new codes', { exact: true }).click();
  await page.getByRole('button', { name: 'Yes, get new codes' }).click();
  await judge('codes');
  await signOut(page);
  await page.goto('/login');
  await signInAt(page, user.username);
  await page.getByText('Use a recovery code').click();
  await judge('factor');
  await page.goto('/login');
  const fresh = await newUser();
  await set('REQUIRE_SECOND_FACTOR', 'everyone');
  await signInAt(page, fresh.username);
  await judge('enrol');
  await set('REQUIRE_SECOND_FACTOR', null);
});

/**
 * Records what a page tells the browser about passkeys, in place of a browser that passes it on to
 * authenticators.
 */
async function recordSignals(page: Page): Promise<() => Promise<Record<string, unknown>[]>> {
  const told: Record<string, unknown>[] = [];
  await page.exposeFunction('recordSignal', (signal: Record<string, unknown>) => {
    told.push(signal);
  });
  await page.addInitScript(() => {
    const methods = ['UnknownCredential', 'AllAcceptedCredentials', 'CurrentUserDetails'];
    for (const method of methods)
      Object.assign(PublicKeyCredential, {
        [`signal${method}`]: async (told: object) =>
          Reflect.get(window, 'recordSignal')({ method, ...told }),
      });
  });
  return async () => {
    await page.waitForLoadState('networkidle');
    return told.splice(0);
  };
}

test('the browser is signalled the accepted passkeys, the account’s name, and an unknown passkey', async ({
  page,
}) => {
  const user = await newUser({ name: 'Ada Lovelace' });
  await plugIn(page);
  const signals = await recordSignals(page);
  await signIn(page, user.username);
  await page.goto('/account/security');
  const userId = Buffer.from(user.id).toString('base64url');
  const known = { rpId: 'localhost', userId };
  const details = { ...known, name: user.username, displayName: 'Ada Lovelace' };
  expect(await signals()).toEqual([
    { method: 'AllAcceptedCredentials', ...known, allAcceptedCredentialIds: [] },
    { method: 'CurrentUserDetails', ...details },
  ]);
  await addPasskey(page);
  await page.getByRole('button', { name: 'I’ve saved these' }).click();
  const [passkey] = await listPasskeys(user.id);
  expect(await signals()).toContainEqual({
    method: 'AllAcceptedCredentials',
    ...known,
    allAcceptedCredentialIds: [passkey?.id],
  });
  await write('DELETE FROM passkeys WHERE user_id = :id', { id: user.id });
  await signOut(page);
  await typePasswords(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(refusal(page)).toBeVisible();
  expect(await signals()).toEqual([
    { method: 'UnknownCredential', rpId: 'localhost', credentialId: passkey?.id },
  ]);
});
