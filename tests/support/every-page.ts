import type { Page } from '@playwright/test';
import { newPendingRequest, sealPendingRequest } from '#lib/interaction/pending-request.ts';
import { makeLink } from '#lib/mail/links.ts';
import { languages } from '#lib/messages/locales.ts';
import { findUser } from '#lib/store/users.ts';
import { inTurn } from '../lanes.ts';
import { axeFindings } from './axe.ts';
import type { ClientSite } from './client-site.ts';
import { unseenControls } from './controls.ts';
import { codeOf, newUserWithApp } from './factors.ts';
import { answerAt, expect } from './mail-journey.ts';
import { newClient, newUser, password } from './seed.ts';
import { set } from './settings.ts';

const long = 'Wolfeschlegelsteinhausenbergerdorff';

export const newApp = (redirectUri: string, name = 'Töpferei & Keramikfreunde') =>
  newClient({ name, redirectUris: [redirectUri] });

export const asking = (clientId: string, more: Record<string, string> = {}) =>
  `/oauth/authorize?${new URLSearchParams({ client_id: clientId, response_type: 'code', ...more })}`;

async function signIn(page: Page, username: string, word = password): Promise<void> {
  await page.locator('[name=username]').fill(username);
  await page.locator('[name=password]').fill(word);
  await page.locator('form[action="/login/submit"] button[type=submit]').click();
}

/**
 * Submits a form by its button and waits for the resulting page, because the old page is still
 * there at first.
 */
const press = (page: Page, action: string) =>
  Promise.all([
    page.waitForEvent('load'),
    page.locator(`form[action="${action}"] button[type=submit]`).first().click(),
  ]);

/** Submits a form that the browser's own checks would stop, and waits for the resulting page. */
const sendUnchecked = (page: Page, form: string) =>
  Promise.all([
    page.waitForEvent('load'),
    page.locator(form).evaluate((element: HTMLFormElement) => element.submit()),
  ]);

/** Leads through the pages that people see, stopping at each. */
async function* everyPage(page: Page, site: ClientSite): AsyncGenerator<string> {
  const open = async (address: string, name = address) => {
    await page.goto(address);
    return name;
  };
  yield open('/');
  yield open('/login');
  await signIn(page, 'nobody', 'a wrong password');
  yield 'sign-in, refused';
  yield open('/recover');
  await page.locator('[name=username]').fill('somebody@example.org');
  await press(page, '/recover/submit');
  yield 'recovery, sent';
  yield open('/register');
  await page.locator('[name=email]').fill('nonsense');
  await press(page, '/register/submit');
  yield 'registration, refused';
  await page.locator('[name=email]').fill(`${long}-${long}@example.org`);
  await press(page, '/register/submit');
  yield 'registration, sent';
  yield open('/no/such/page');
  yield open('/setup');
  yield open('/recover/reset?token=none');
  yield open('/register/finish?token=none');
  yield open('/oauth/continue?flow=none', 'an incomplete address');
  yield open('/oauth/authorize?client_id=none', 'a refused request');

  const now = new Date();
  const { id, username, email } = await newUserWithApp();
  const user = await findUser(id);
  yield open(hrefOf(await makeLink({ purpose: 'reset', user, email }, now)), 'reset');
  await page.locator('[name=new_password]').fill('iloveyou1');
  await press(page, '/recover/reset/submit');
  yield 'reset, refused';
  const registration = { purpose: 'register', user: null, email: `new-${email}` } as const;
  yield open(hrefOf(await makeLink(registration, now)), 'finish');
  await page.locator('[name=username]').fill('a b');
  await page.locator('[name=password]').fill('short');
  await sendUnchecked(page, 'form');
  yield 'finish, refused';

  const app = await newApp(`${site.https}/callback`);
  yield open(asking(app.id), 'sign-in for an app');
  const browser =
    (await page.context().cookies()).find(({ name }) => name === 'gh_browser')?.value ?? '';
  const params = new Map([['client_id', [app.id]]]);
  yield open(
    `/oauth/continue?flow=${await sealPendingRequest(newPendingRequest({ params, redirectUri: app.redirectUri, browser }, new Date(0)))}`,
    'expired',
  );
  await page.goto(asking(app.id, { scope: 'openid profile email address phone offline_access' }));
  await signIn(page, username);
  yield 'factor';
  await page.locator('[name=code]').fill('000000');
  await press(page, '/login/factor/submit');
  await page.locator('summary').click();
  yield 'factor, refused';

  const person = await newUser({
    name: `Ada ${long}`,
    claims: { nickname: 'Ada', zoneinfo: 'Europe/Berlin', phone_number: '+49 30 1234567' },
  });
  await page.goto(asking(app.id, { scope: 'openid profile email address phone offline_access' }));
  await signIn(page, person.username);
  yield 'consent';
  await page.locator('button[value=allow]').click();
  await answerAt(page, app.redirectUri);
  const risky = await newApp('http://unknown.example/callback', `${long} ${long}`);
  yield open(asking(risky.id), 'consent, plain http');
  const device = await newApp('org.example.app:/callback');
  yield open(asking(device.id), 'consent, on this device');
  await press(page, '/switch/submit');
  yield 'another account';
  yield open('/account');
  yield open('/account/sign-in#password', '/account/sign-in');
  await page.locator('#password [name=confirm_password]').fill('wrong');
  await page.locator('[name=new_password]').fill('wrong');
  await sendUnchecked(page, 'form[action="/account/password/submit"]');
  yield 'account, refused';
  yield open('/account/apps');
  yield open(`/account/apps/${app.id}`, 'one app');
  yield open('/account/profile');
  await page.locator('main summary').click();
  yield 'profile, all';
  await press(page, '/account/profile/submit');
  yield 'profile, saved';
  yield open('/account/sessions');
  yield open('/account/app-passwords');
  yield open('/account/security');
  yield open('/account/security/totp');
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
  await page.locator('[name=code]').fill('000000');
  await press(page, '/account/security/totp/submit');
  yield 'authenticator app, refused';
  await page.locator('[name=code]').fill(codeOf(secret));
  await press(page, '/account/security/totp/submit');
  yield 'recovery codes';
  await press(page, '/account/security/codes/kept');
  yield 'security, on';
  yield open('/account/mail');
  const { id: personId } = person;
  const change = {
    purpose: 'email',
    user: await findUser(personId),
    email: `moved-${person.email}`,
  } as const;
  yield open(hrefOf(await makeLink({ ...change, email: person.email }, now)), 'own address');
  yield open(hrefOf(await makeLink(change, now)), 'another address');
  await press(page, '/account/email/confirm/submit');
  yield 'another address, done';
  yield open('/account/email/confirm?token=none');
  yield open('/logout');
  await press(page, '/logout/submit');
  yield 'signed out';

  await set('REQUIRE_SECOND_FACTOR', 'admins');
  const admin = await newUser({ isAdmin: true });
  await page.goto(asking(app.id));
  await signIn(page, admin.username);
  yield 'enrolment';
  await set('REQUIRE_SECOND_FACTOR', null);
}

const hrefOf = ({ href }: { href: string }) => href;

/** The languages in which every page is checked. */
export const tags = ['de', 'ar-XB'] as const;

/**
 * Leads through the pages that people see. Expects that each is in the right language, breaks no
 * accessibility rule, and fits a narrow screen.
 */
export async function lookAtEveryPage(
  page: Page,
  site: ClientSite,
  tag: (typeof tags)[number],
): Promise<void> {
  let dark = false;
  let at = 0;
  for await (const name of everyPage(page, site)) {
    await page.waitForLoadState();
    await expect.soft(page.locator('html'), name).toHaveAttribute('lang', tag);
    await expect.soft(page.locator('html'), name).toHaveAttribute('dir', languages[tag].direction);
    dark = !dark;
    const colorScheme = dark ? 'dark' : 'light';
    await page.emulateMedia({ colorScheme });
    expect.soft(await unseenControls(page), `${name}, ${colorScheme}: controls`).toEqual([]);
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect.soft(overflow, `${name}, ${width} px`).toBeLessThanOrEqual(0);
    }
    // Axe looks at the markup, which is the same in all languages, so one language per page is
    // enough.
    if (!inTurn(at++, tags).includes(tag)) continue;
    const found = await axeFindings(page);
    expect.soft(found, `${name}, ${colorScheme}`).toEqual([]);
  }
}
