import { describe, expect, test } from 'vitest';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newVisitor, type Page, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser, password, type TestUser } from '../support/seed.ts';
import { attemptOf } from '../support/traces.ts';
import { asking, openIdTokens, readIdToken, signIn } from './sign-in.ts';

const server = await openServer();

/** Makes the person's sign-in this many seconds older. */
async function age(user: TestUser, seconds: number): Promise<void> {
  const db = await prisma();
  for (const { hash, authTime } of await db.session.findMany({ where: { userId: user.id } }))
    await db.session.update({
      where: { hash },
      data: { authTime: new Date(authTime.getTime() - seconds * 1000) },
    });
}

/** Where the page of accounts leads for an account that it does not offer. */
const another = ({ at }: Page) => `${at.replace('/switch', '/login')}&account=another`;

test('prompt=none without a session gives login_required, with state and iss', async () => {
  const client = await newClient();
  const page = await new Person(server).open(
    authorizePath(asking(client, { prompt: 'none', state: 's' })),
  );
  expect(answerOf(page)).toMatchObject({ error: 'login_required', state: 's', iss: server.issuer });
});

test('prompt=none gives consent_required before consent, and a code without any page after it', async () => {
  const { person, client } = await signIn(server);
  const outsider = await newClient();
  const silently = (asked: typeof client, more = {}) =>
    person.open(authorizePath(asking(asked, { prompt: 'none', nonce: 'n', ...more })));
  expect(answerOf(await silently(outsider))).toMatchObject({ error: 'consent_required' });
  expect(answerOf(await silently(client, { scope: 'openid email' }))).toMatchObject({
    error: 'consent_required',
  });
  expect(answerOf(await silently(client))).toHaveProperty('code');
});

test.each(['none login', 'none none', 'none create'])('prompt=%s is refused', async (prompt) => {
  const page = await new Person(server).open(authorizePath(asking(await newClient(), { prompt })));
  expect(answerOf(page)).toMatchObject({ error: 'invalid_request' });
});

test.each(['create', 'LOGIN', 'login consent_once', ' login '])(
  'prompt=%j: unknown values are ignored, and noted',
  async (prompt) => {
    const person = new Person(server);
    const client = await newClient();
    const opened = await person.request(authorizePath(asking(client, { prompt })));
    expect(opened.headers.get('location')).toMatch(/^\/login\?flow=/);
    const { step } = await attemptOf(opened);
    const ignored = prompt.split(' ').filter((name) => name && name !== 'login');
    expect(step.notes.map(({ received }) => received)).toEqual(
      ignored.length > 0 ? [`prompt=${ignored.join(' ')}`] : [],
    );
  },
);

test('prompt=login asks a signed-in user again, and the ID token has the new auth_time', async () => {
  const { user, person, client, tokens } = await signIn(server);
  await age(user, 100);
  const before = (await readIdToken(server, client, tokens.id_token)).payload.auth_time as number;
  const page = await person.open(authorizePath(asking(client, { prompt: 'login' })));
  expect(page.at).toMatch(/^\/login\?flow=/);
  const again = await openIdTokens(server, person, client, { prompt: 'login' });
  const after = (await readIdToken(server, client, again.id_token)).payload.auth_time as number;
  expect(after).toBeGreaterThanOrEqual(before);
});

test.each([
  ['prompt', 'login'],
  ['prompt', 'select_account'],
  ['max_age', '0'],
])(
  '%s=%s cannot be bypassed by going to the consent page, its form, or on',
  async (name, value) => {
    const { person } = await signIn(server);
    const client = await newClient();
    // The form of a harmless request by the same client, to be submitted with the flow of the
    // strict one.
    const harmless = await person.open(authorizePath(asking(client)));
    const strict = await person.open(authorizePath(asking(client, { [name]: value })));
    const flow = strict.at.slice(strict.at.indexOf('=') + 1);
    const asks = value === 'select_account' ? /^\/switch\?flow=/ : /^\/login\?flow=/;
    expect((await person.open(`/consent?flow=${flow}`)).at).toMatch(asks);
    expect((await person.open(`/oauth/continue?flow=${flow}`)).at).toMatch(asks);
    expect(
      (await person.submit(harmless, '/consent/submit', { decision: 'allow', flow })).at,
    ).toMatch(asks);
  },
);

test('prompt=login is satisfied by a sign-in in another tab after the request', async () => {
  const { person } = await signIn(server);
  const client = await newClient();
  const other = await newClient();
  const waiting = await person.open(authorizePath(asking(client, { prompt: 'login' })));
  await person.authorize(asking(other, { prompt: 'login' }));
  const flow = waiting.at.slice('/login?flow='.length);
  expect((await person.open(`/oauth/continue?flow=${flow}`)).at).toMatch(/^\/consent\?flow=/);
});

test('prompt=select_account lets another user sign in', async () => {
  const { person, client } = await signIn(server);
  const other = await newUser();
  const page = await person.open(authorizePath(asking(client, { prompt: 'select_account' })));
  expect(page.at).toMatch(/^\/switch\?flow=/);
  const form = await person.open(another(page));
  const consent = await person.signInAt(form, other.username);
  expect(consent.html).toContain(other.email);
  expect(answerOf(await person.decide(consent, 'allow'))).toHaveProperty('code');
});

describe('prompt=select_account, while a user is signed in', () => {
  const formOf = (page: Page) => page.forms.find(({ action }) => action === '/login/submit');
  const choose = { prompt: 'select_account' };

  test('shows their account, and goes on without a password once it is chosen', async () => {
    const { user, person, client } = await signIn(server);
    const page = await person.open(authorizePath(asking(client, choose)));
    expect(textOf(page.html)).toContain(user.email);
    expect(formOf(page)).toBeUndefined();
    const flow = page.at.slice('/switch?flow='.length);
    // Not choosing an account is not a choice.
    expect((await person.open(`/oauth/continue?flow=${flow}`)).at).toMatch(/^\/switch\?flow=/);
    const done = await person.submit(page, '/switch/submit');
    expect(answerOf(done)).toHaveProperty('code');
  });

  test('with prompt=login or a max_age that is exceeded asks the chosen account for its password only', async () => {
    const { user, person, client } = await signIn(server);
    await age(user, 100);
    const stricter: Record<string, string>[] = [
      { prompt: 'select_account login' },
      { ...choose, max_age: '50' },
    ];
    for (const asked of stricter) {
      const page = await person.open(authorizePath(asking(client, asked)));
      const chosen = await person.submit(page, '/switch/submit');
      expect(chosen.at).toMatch(/^\/login\?flow=/);
      expect(formOf(chosen)?.fields).toMatchObject({ username: user.username, password: '' });
      expect(textOf(chosen.html)).not.toContain('Username or email');
      const refused = await person.submit(chosen, '/login/submit', {
        password: 'wrong-password-1',
      });
      expect(textOf(refused.html)).toContain('Incorrect username or password');
      expect(textOf(refused.html)).not.toContain('Username or email');
      const done = await person.submit(refused, '/login/submit', { password });
      expect(answerOf(done)).toHaveProperty('code');
      await age(user, 100);
    }
  });

  test('leads to an empty sign-in form for another account', async () => {
    const { person, client } = await signIn(server);
    const page = await person.open(authorizePath(asking(client, choose)));
    const form = await person.open(another(page));
    expect(formOf(form)?.fields.username).toBe('');
    const other = await newUser();
    const refused = await person.signInAt(form, other.username, 'wrong-password-1');
    expect(formOf(refused)?.fields.username).toBe(other.username);
    expect(textOf(refused.html)).toContain('Username or email');
  });

  test('shows the plain sign-in form without a session, and prompt=login alone shows it too', async () => {
    const { person, client } = await signIn(server);
    const outsider = new Person(server);
    const asked = authorizePath(asking(client, choose));
    expect((await outsider.open(asked)).at).toMatch(/^\/login\?flow=/);
    const again = await person.open(authorizePath(asking(client, { prompt: 'login' })));
    expect(again.at).toMatch(/^\/login\?flow=/);
  });
});

test('prompt=consent asks for consent that was given before', async () => {
  const { person, client } = await signIn(server);
  const page = await person.open(authorizePath(asking(client, { prompt: 'consent' })));
  expect(page.at).toMatch(/^\/consent\?flow=/);
  expect(answerOf(await person.decide(page, 'deny'))).toMatchObject({ error: 'access_denied' });
});

test('max_age asks for a new sign-in when the last is older, and gives login_required with prompt=none', async () => {
  const { user, person, client } = await signIn(server);
  const open = (more: Record<string, string>) => person.open(authorizePath(asking(client, more)));
  await age(user, 100);
  expect(answerOf(await open({ max_age: '1000' }))).toHaveProperty('code');
  expect(answerOf(await open({ max_age: '50', prompt: 'none' }))).toMatchObject({
    error: 'login_required',
  });
  const page = await open({ max_age: '50' });
  expect(page.at).toMatch(/^\/login\?flow=/);
  expect(answerOf(await person.signInAt(page))).toHaveProperty('code');
  expect((await open({ max_age: '0' })).at).toMatch(/^\/login\?flow=/);
});

test.each(['-1', '1.5', 'soon', '99999999999'])('max_age=%s is refused', async (max_age) => {
  const page = await new Person(server).open(authorizePath(asking(await newClient(), { max_age })));
  expect(answerOf(page)).toMatchObject({ error: 'invalid_request' });
});

test('login_hint fills in the username, as text', async () => {
  const login_hint = 'ada"><b>@example.com';
  const page = await new Person(server).open(
    authorizePath(asking(await newClient(), { login_hint })),
  );
  expect(page.forms.find((form) => form.action === '/login/submit')?.fields.username).toBe(
    login_hint,
  );
  expect(page.html).not.toContain('"><b>');
});

test('ui_locales, display, acr_values and unknown parameters are accepted', async () => {
  const person = await newVisitor(server);
  const more = {
    ui_locales: 'fr-CA fr en',
    display: 'popup',
    acr_values: 'urn:a urn:b',
    extra: 'x',
    claims_locales: 'fr',
  };
  expect(answerOf(await person.authorize(asking(await newClient(), more)))).toHaveProperty('code');
});

test.each([
  ['request', 'eyJhbGciOiJub25lIn0.e30.'],
  ['request_uri', 'http://127.0.0.1:9/request'],
  ['registration', '{}'],
])('%s is refused by its own error', async (name, value) => {
  const page = await new Person(server).open(
    authorizePath(asking(await newClient(), { [name]: value })),
  );
  expect(answerOf(page)).toMatchObject({ error: `${name}_not_supported` });
});

test('signing in again keeps the session: the same sid, a new cookie, and no logout token to apps', async () => {
  const backchannelLogoutUri = 'http://127.0.0.1:9/bye';
  const { user, person, client, tokens } = await signIn(server, { backchannelLogoutUri });
  const { sid } = (await readIdToken(server, client, tokens.id_token)).payload;
  await age(user, 100);
  const before = [...person.cookies].find(([name]) => name.endsWith('session')) ?? ['', ''];
  const other = await newClient({ backchannelLogoutUri });
  const again = await openIdTokens(server, person, other, { prompt: 'login' });
  const { payload } = await readIdToken(server, other, again.id_token);
  expect(payload.sid).toBe(sid);
  const first = (await readIdToken(server, client, tokens.id_token)).payload.auth_time as number;
  expect(payload.auth_time).toBeGreaterThanOrEqual(first);
  const db = await prisma();
  expect(await db.session.count({ where: { userId: user.id } })).toBe(1);
  expect(await db.logoutDelivery.count({ where: { userId: user.id } })).toBe(0);
  expect(person.cookies.get(before[0])).not.toBe(before[1]);
  const thief = new Person(server);
  thief.cookies.set(before[0], before[1]);
  expect((await thief.open('/account')).at).toMatch(/^\/login/);
  // Any app of the continued session can still end it.
  await person.open(`/oauth/logout?id_token_hint=${tokens.id_token}`);
  expect((await person.open('/account')).at).toMatch(/^\/login/);
});

test('the sign-in of another user in the same browser leaves the first user’s session as it is', async () => {
  const backchannelLogoutUri = 'http://127.0.0.1:9/bye';
  const { user, person, client } = await signIn(server, { backchannelLogoutUri });
  const other = await newUser();
  const page = await person.open(authorizePath(asking(client, { prompt: 'select_account' })));
  await person.signInAt(await person.open(another(page)), other.username);
  const db = await prisma();
  expect(await db.session.count({ where: { userId: user.id } })).toBe(1);
  expect(await db.logoutDelivery.count({ where: { userId: user.id } })).toBe(0);
});
