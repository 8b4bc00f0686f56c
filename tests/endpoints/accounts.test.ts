import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { mostKept } from '#lib/identity/kept-accounts.ts';
import { disableUser } from '#lib/management/user/users.ts';
import { cookieName } from '#lib/sealed/cookies.ts';
import { asking, openIdTokens, readIdToken } from '../openid/sign-in.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, type Page, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser, password, type TestUser } from '../support/seed.ts';

const server = await openServer();
const cli = { id: 'cli' };

type Owner = Awaited<ReturnType<typeof newPerson>>;

/** Signs in one more person in the same browser. */
async function add(browser: Person, user?: TestUser): Promise<TestUser> {
  const other = user ?? (await newUser());
  const done = await browser.signInAt(await browser.open('/login?account=another'), other.username);
  expect(done.at).toBe('/account');
  return other;
}

/** A browser in which a second person has signed in after the first. */
async function shared(): Promise<{ browser: Owner; first: TestUser; second: TestUser }> {
  const browser = await newPerson(server);
  return { browser, first: browser.user, second: await add(browser) };
}

/** Presses an account's button in the list, or with `forget` the button that removes it. */
function press(browser: Person, page: Page, { id }: TestUser, more?: 'forget'): Promise<Page> {
  const form = page.forms.find(
    ({ action, fields }) =>
      action === '/switch/submit' &&
      fields.account === id &&
      (fields.forget === 'yes') === (more === 'forget'),
  );
  if (!form) throw new Error(`No button for ${id} at ${page.at}`);
  return browser.submit({ ...page, forms: [form] }, '/switch/submit');
}

const choose = async (browser: Person, user: TestUser) =>
  press(browser, await browser.open('/switch'), user);

const sessionCookie = (browser: Person) => browser.cookies.get(cookieName('session')) ?? '';
const isActive = async (browser: Person, user: TestUser) =>
  textOf((await browser.open('/account')).html).includes(user.email);
const sessionsOf = async (user: TestUser) =>
  (await prisma()).session.count({ where: { userId: user.id } });

test('a second account in a browser keeps the first, and switching back takes no password', async () => {
  const { browser, first, second } = await shared();
  expect(await isActive(browser, second)).toBe(true);
  const page = await browser.open('/switch');
  expect(textOf(page.html)).toContain(first.email);
  expect(textOf(page.html)).toContain(second.email);
  expect((await press(browser, page, first)).at).toBe('/account');
  expect(await isActive(browser, first)).toBe(true);
  expect([await sessionsOf(first), await sessionsOf(second)]).toEqual([1, 1]);
});

test('switching accounts changes the session cookie; copies of the old cookies find no session', async () => {
  const { browser, first, second } = await shared();
  const before = new Map(browser.cookies);
  await choose(browser, first);
  expect(sessionCookie(browser)).not.toBe(before.get(cookieName('session')));
  // A copy of the browser with its earlier cookies: none of them leads to a session any longer.
  const copy = new Person(server);
  for (const [name, value] of before) copy.cookies.set(name, value);
  expect((await copy.open('/account')).at).toMatch(/^\/(login|switch)/);
  expect((await choose(copy, first)).at).toMatch(/^\/login\?account=another/);
  expect(await isActive(browser, first)).toBe(true);
  await choose(browser, second);
  expect(await isActive(browser, second)).toBe(true);
});

test('signing in again to a kept account goes on with its session', async () => {
  const { browser, first, second } = await shared();
  await add(browser, first);
  expect([await sessionsOf(first), await sessionsOf(second)]).toEqual([1, 1]);
  expect(await isActive(browser, first)).toBe(true);
});

test('an accounts cookie of another browser, forged or malformed offers no account', async () => {
  const { browser, first } = await shared();
  const kept = browser.cookies.get(cookieName('accounts')) ?? '';
  expect(kept).not.toBe('');
  for (const value of [kept, `${kept.slice(0, -3)}AAA`, 'x'.repeat(9000), '....', '']) {
    const thief = await newPerson(server);
    thief.cookies.set(cookieName('accounts'), value);
    const page = await thief.open('/switch');
    expect(textOf(page.html)).not.toContain(first.username);
    await thief.submit(page, '/switch/submit', { account: first.id });
    expect(await isActive(thief, thief.user)).toBe(true);
  }
});

test('another user’s account cannot be chosen or removed by its id', async () => {
  const stranger = await newPerson(server);
  const browser = await newPerson(server);
  const page = await browser.open('/switch');
  const ways: Record<string, string>[] = [{}, { forget: 'yes' }];
  for (const more of ways)
    await browser.submit(page, '/switch/submit', { account: stranger.user.id, ...more });
  expect(await isActive(browser, browser.user)).toBe(true);
  expect(await isActive(stranger, stranger.user)).toBe(true);
});

test('switching accounts requires the browser’s CSRF value', async () => {
  const { browser, first, second } = await shared();
  const page = await browser.open('/switch');
  for (const csrf of ['', 'x', randomBytes(32).toString('base64url')])
    expect((await browser.submit(page, '/switch/submit', { account: first.id, csrf })).status).toBe(
      403,
    );
  expect(await isActive(browser, second)).toBe(true);
});

test('an account whose session ended elsewhere is listed by username alone, and asks for sign-in', async () => {
  const { browser, first } = await shared();
  await (await prisma()).session.deleteMany({ where: { userId: first.id } });
  await (await prisma()).user.update({ where: { id: first.id }, data: { email: 'new@b.example' } });
  const page = await browser.open('/switch');
  expect(textOf(page.html)).toContain('Sign in again');
  expect(textOf(page.html)).not.toContain('new@b.example');
  const form = await press(browser, page, first);
  expect(form.at).toMatch(/^\/login\?account=another/);
  expect(form.forms.find(({ action }) => action === '/login/submit')?.fields.username).toBe(
    first.username,
  );
});

test.each<[string, (user: TestUser) => Promise<unknown>]>([
  ['is disabled', ({ id }) => disableUser(id, cli, new Date())],
  [
    'has a new password',
    async ({ id }) =>
      (await prisma()).user.update({ where: { id }, data: { epoch: { increment: 1 } } }),
  ],
])('switching to an account that %s asks for sign-in', async (_, change) => {
  const { browser, first, second } = await shared();
  const page = await browser.open('/switch');
  await change(first);
  expect((await press(browser, page, first)).at).toMatch(/^\/login\?account=another/);
  expect(await isActive(browser, second)).toBe(true);
});

test('a browser keeps five accounts beside the active one, and ends the oldest session', async () => {
  const browser = await newPerson(server);
  const users = [browser.user];
  for (let more = 0; more <= mostKept; more += 1) users.push(await add(browser));
  const left = await Promise.all(users.map(sessionsOf));
  expect(left).toEqual([0, ...Array.from({ length: mostKept + 1 }, () => 1)]);
  const size = browser.cookies.get(cookieName('accounts'))?.length ?? 0;
  expect(size).toBeGreaterThan(0);
  expect(size).toBeLessThan(4000);
});

test('removing an account from the list ends its session', async () => {
  const { browser, first, second } = await shared();
  const page = await press(browser, await browser.open('/switch'), first, 'forget');
  expect(textOf(page.html)).not.toContain(first.email);
  expect([await sessionsOf(first), await sessionsOf(second)]).toEqual([0, 1]);
});

test('signing out ends one account’s session and offers the others, or ends all', async () => {
  const one = await shared();
  const page = await one.browser.signOut();
  expect([await sessionsOf(one.first), await sessionsOf(one.second)]).toEqual([1, 0]);
  expect(page.html).toContain('href="/switch"');
  expect((await choose(one.browser, one.first)).at).toBe('/account');
  const all = await shared();
  const asked = await all.browser.open('/logout');
  expect(textOf(asked.html)).toContain('all accounts in this browser');
  await all.browser.submit(asked, '/logout/submit', { all: 'yes' });
  expect([await sessionsOf(all.first), await sessionsOf(all.second)]).toEqual([0, 0]);
  expect(all.browser.cookies.has(cookieName('accounts'))).toBe(false);
});

test('RP-initiated logout ends the session of the account in id_token_hint, and no other', async () => {
  const backchannelLogoutUri = 'http://127.0.0.1:9/bye';
  const browser = await newPerson(server);
  const client = await newClient({ backchannelLogoutUri });
  const { id_token } = await openIdTokens(server, browser, client);
  const second = await add(browser);
  await browser.open(`/oauth/logout?id_token_hint=${id_token}`);
  expect([await sessionsOf(browser.user), await sessionsOf(second)]).toEqual([0, 1]);
  expect(await isActive(browser, second)).toBe(true);
  const told = await (await prisma()).logoutDelivery.count({ where: { userId: browser.user.id } });
  expect(told).toBe(1);
});

test('prompt=none answers for the account of id_token_hint, and does not switch accounts', async () => {
  const browser = await newPerson(server);
  const client = await newClient();
  const mine = await openIdTokens(server, browser, client);
  const { sid } = (await readIdToken(server, client, mine.id_token)).payload;
  const second = await add(browser);
  const silent = { prompt: 'none', nonce: 'n' };
  const unnamed = await browser.open(authorizePath(asking(client, silent)));
  expect(answerOf(unnamed)).toMatchObject({ error: 'consent_required' });
  const named = { ...silent, id_token_hint: mine.id_token };
  const again = await openIdTokens(server, browser, client, named);
  const { payload } = await readIdToken(server, client, again.id_token);
  expect([payload.sub, payload.sid]).toEqual([browser.user.id, sid]);
  expect(await isActive(browser, second)).toBe(true);
  await (await prisma()).session.deleteMany({ where: { userId: browser.user.id } });
  expect(answerOf(await browser.open(authorizePath(asking(client, named))))).toMatchObject({
    error: 'login_required',
  });
});

test('prompt=select_account lists all accounts, that of login_hint first; the chosen one goes on', async () => {
  const { browser, first } = await shared();
  const client = await newClient();
  const asked = { prompt: 'select_account', login_hint: first.email.toUpperCase() };
  const page = await browser.open(authorizePath(asking(client, asked)));
  const buttons = page.forms.filter(({ fields }) => fields.account && !fields.forget);
  expect(buttons.map(({ fields }) => fields.account)[0]).toBe(first.id);
  const consent = await press(browser, page, first);
  expect(consent.at).toMatch(/^\/consent/);
  expect(textOf(consent.html)).toContain(first.email);
  expect(answerOf(await browser.decide(consent, 'allow'))).toHaveProperty('code');
});

test('a chosen account whose sign-in is older than max_age is asked for its password', async () => {
  const { browser, first } = await shared();
  await (await prisma()).session.updateMany({
    where: { userId: first.id },
    data: { authTime: new Date(Date.now() - 100_000) },
  });
  const client = await newClient();
  const asked = asking(client, { prompt: 'select_account', max_age: '50' });
  const page = await press(browser, await browser.open(authorizePath(asked)), first);
  expect(page.at).toMatch(/^\/login\?flow=/);
  expect(page.forms.find(({ action }) => action === '/login/submit')?.fields.username).toBe(
    first.username,
  );
});

test('consent page: after a switch of accounts the decision is not taken, and the page is shown again', async () => {
  const { browser, first, second } = await shared();
  const client = await newClient();
  const shown = await browser.open(authorizePath(asking(client)));
  expect(textOf(shown.html)).toContain(second.email);
  await choose(browser, first);
  const again = await browser.decide(shown, 'allow');
  expect(again.at).toMatch(/^\/consent/);
  expect(textOf(again.html)).toContain(first.email);
  expect(await (await prisma()).grant.count({ where: { clientId: client.id } })).toBe(0);
});

test('a form of the account page is refused after a switch of accounts', async () => {
  const { browser, first, second } = await shared();
  const shown = await browser.open('/account/profile');
  await choose(browser, first);
  const late = await browser.submit(shown, '/account/profile/submit', { name: 'Somebody Else' });
  expect(late.status).toBe(403);
  expect(textOf(late.html)).toContain('This form is from an earlier sign-in');
  for (const { id } of [first, second])
    expect((await (await prisma()).user.findUnique({ where: { id } }))?.name).not.toBe(
      'Somebody Else',
    );
  const now = await browser.open('/account/profile');
  expect((await browser.submit(now, '/account/profile/submit', { name: 'Ada' })).status).toBe(200);
});

test('a form of the account page is refused after another user has signed in', async () => {
  const browser = await newPerson(server);
  const shown = await browser.open('/account/profile');
  const page = await browser.open('/oauth/logout');
  await browser.submit(page, '/logout/submit');
  const next = await newUser();
  await browser.signInAt(await browser.open('/login'), next.username);
  expect(await isActive(browser, next)).toBe(true);
  const late = await browser.submit(shown, '/account/profile/submit', { name: 'Somebody Else' });
  expect(late.status).toBe(403);
  expect(textOf(late.html)).toContain('This form is from an earlier sign-in');
  const now = await browser.open('/account/profile');
  expect((await browser.submit(now, '/account/profile/submit', { name: 'Ada' })).status).toBe(200);
});

test('of two windows that switch accounts at the same time one wins, the other is asked for sign-in', async () => {
  const { browser, first } = await shared();
  const windows = [new Person(server), new Person(server)];
  const posts: ReturnType<Person['postOf']>[] = [];
  for (const window of windows) {
    for (const [name, value] of browser.cookies) window.cookies.set(name, value);
    const page = await window.open('/switch');
    const form = page.forms.find(
      ({ fields }) => fields.account === first.id && fields.forget !== 'yes',
    );
    posts.push(window.postOf({ ...page, forms: form ? [form] : [] }, '/switch/submit'));
  }
  const answers = await Promise.all(
    windows.map((window, index) =>
      window.request('/switch/submit', { method: 'POST', ...posts[index] }),
    ),
  );
  const places = answers.map((answer) => answer.headers.get('location')).sort();
  expect(places).toEqual(['/account', '/login?account=another']);
});

test('a user who did not choose to stay signed in is kept in a session cookie only', async () => {
  const browser = new Person(server, (await newUser()).username);
  const form = await browser.open('/login');
  await browser.submit(form, '/login/submit', {
    username: browser.username,
    password,
    stay: 'off',
  });
  await add(browser);
  expect(browser.cookies.has(cookieName('accounts'))).toBe(false);
  expect(browser.cookies.has(cookieName('accounts_brief'))).toBe(true);
});
