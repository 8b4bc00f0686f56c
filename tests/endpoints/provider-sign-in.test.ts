import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeLink } from '#lib/mail/links.ts';
import { cookieName } from '#lib/sealed/cookies.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { listIdentities } from '#lib/store/identities.ts';
import { findUser } from '#lib/store/users.ts';
import { redeem } from '../support/app.ts';
import { atProvider, newName, newSub, says, verified, type Way } from '../support/at-provider.ts';
import { codeOf, newUserWithApp } from '../support/factors.ts';
import { unescapeHtml } from '../support/html.ts';
import { type Lies, LyingProvider } from '../support/lying-provider.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, isSignedIn, Person } from '../support/person.ts';
import { giveIdentity } from '../support/providers.ts';
import { newClient, newPkce, newUser } from '../support/seed.ts';

const idp = await LyingProvider.open();
/** A second provider, run by an attacker. */
const evil = await LyingProvider.open();
const server = await openServer({ PROVIDERS_AT_PRIVATE_ADDRESSES: 'on' });

// A server without users shows how to create the first one.
beforeAll(async () => {
  await newUser();
});

// The maximum number of providers is fifty.
afterEach(() => write('DELETE FROM providers', {}));

const { newWay, begin, comeBack, goThrough, newLinked, newClaim } = atProvider(server, idp);

/** Posts the form of the page that asks about linking, without having been shown that page. */
async function linkUnasked(person: Person): Promise<void> {
  const { forms } = await person.open('/account/sign-in');
  const csrf = forms.find(({ fields }) => fields.csrf)?.fields.csrf ?? '';
  expect(csrf).not.toBe('');
  await person.request('/login/link/submit', {
    method: 'POST',
    body: new URLSearchParams({ csrf }).toString(),
    headers: { Origin: server.issuer, 'Sec-Fetch-Site': 'same-origin' },
  });
}

const failed = 'couldn’t sign you in';
const over = 'That sign-in is over, or began in another browser.';
const unknown = 'No account here is linked';
const yours = 'You already have an account here.';
const arrival = () => cookieName('arrival');

describe('signing in with another provider', () => {
  test('a new user gets an account, and signs in with the provider from then on', async () => {
    const way = await newWay({ mayRegister: true });
    const person = new Person(server);
    const login = await person.open('/login');
    expect(login.html).toContain(`/login/with/${way.slug}`);
    says(login, `Continue with ${way.name}`);
    const there = await begin(person, way);
    const asked = Object.fromEntries(new URL(there.at).searchParams);
    expect(asked).toMatchObject({
      client_id: 'gatehouse',
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      redirect_uri: `${server.issuer}/login/with/${way.slug}/callback`,
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const [sub, username] = [newSub(), newName()];
    const email = `${username}@example.com`;
    const claims = { sub, ...verified(email), name: 'Ada', preferred_username: username };
    const page = await comeBack(person, there, claims);
    expect(page.at).toMatch(/^\/login\/new/);
    says(page, email);
    expect((await person.submit(page, '/login/new/submit')).at).toBe('/account');
    const other = new Person(server);
    expect((await goThrough(other, way, { sub })).at).toBe('/account');
    says(await other.open('/account/sign-in'), way.name);
  });

  test('a sign-in within an authorization request goes on to the app', async () => {
    const way = await newWay();
    const { subject } = await newLinked(way);
    const client = await newClient();
    const pkce = newPkce();
    const person = new Person(server);
    const request = { client_id: client.id, response_type: 'code', scope: 'openid' };
    const login = await person.open(authorizePath({ ...request, ...pkce.challenge }));
    const href = new RegExp(`href="(/login/with/${way.slug}\\?[^"]*)"`).exec(login.html)?.[1];
    const there = await person.open(unescapeHtml(href ?? ''));
    const page = await comeBack(person, there, { sub: subject });
    const { code = '' } = answerOf(await person.goThrough(page));
    const tokens = await redeem(server, client, code, {
      redirect_uri: client.redirectUri,
      code_verifier: pkce.verifier,
    });
    expect(tokens.status).toBe(200);
  });

  test('a GitHub email address counts only if GitHub’s list says that it is verified', async () => {
    const way = await newWay({ kind: 'github', mayRegister: true });
    const email = `${newName()}@example.com`;
    const arrive = async (emails: Record<string, unknown>[]) => {
      idp.says['/api/v3/user'] = { id: 4711, login: newName(), email };
      idp.says['/api/v3/user/emails'] = emails;
      return goThrough(new Person(server), way, {}, { answer: { iss: undefined } });
    };
    says(await arrive([{ email, primary: true, verified: false }]), unknown);
    says(await arrive([]), unknown);
    expect((await arrive([{ email, primary: true, verified: true }])).at).toMatch(/^\/login\/new/);
  });
});

test('answers that nobody gave are limited for each address before anything is stored of them', async () => {
  const way = await newWay();
  const person = new Person(server);
  person.address = '198.51.100.61';
  const spent = async () => (await read('SELECT hash FROM spent_values', [])).length;
  const before = await spent();
  const cancel = async () => {
    const { at } = await begin(person, way);
    const state = new URL(at).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ state, error: 'access_denied' });
    return person.open(`/login/with/${way.slug}/callback?${query}`);
  };
  for (let tries = 0; tries < 60; tries += 1) await cancel();
  says(await cancel(), 'Too many');
  expect((await spent()) - before).toBe(60);
});

test('the iss of GitHub’s answer must be its OAuth server, or missing', async () => {
  const way = await newWay({ kind: 'github' });
  const id = Number.parseInt(newSub().slice(0, 10), 16);
  const user = await newUser();
  await giveIdentity(user.id, way.id, { issuer: idp.issuer, subject: String(id) });
  idp.says['/api/v3/user'] = { id, login: newName() };
  idp.says['/api/v3/user/emails'] = [];
  const arrive = (iss: string | undefined) =>
    goThrough(new Person(server), way, {}, { answer: { iss } });
  expect((await arrive(`${idp.issuer}/login/oauth`)).at).toBe('/account');
  // GitHub Enterprise Server sends no issuer.
  expect((await arrive(undefined)).at).toBe('/account');
  for (const iss of [idp.issuer, 'https://github.com/login/oauth', 'https://evil.example'])
    says(await arrive(iss), failed);
});

describe('account takeover by way of a provider', () => {
  test.each<[string, unknown]>([
    ['not verified', false],
    ['a text', 'true'],
    ['not said', undefined],
  ])('1: an unverified email address is not matched with an account (%s)', async (_, word) => {
    const way = await newWay({ mayRegister: true });
    const user = await newUser();
    const person = new Person(server, user.username);
    const claims = { sub: newSub(), email: user.email, email_verified: word };
    const page = await goThrough(person, way, claims);
    says(page, unknown);
    expect(page.html).not.toContain(yours);
    expect(await isSignedIn(person)).toBe(false);
    expect(await listIdentities(user.id)).toEqual([]);
  });

  test('2 and 3: an account with the same email address is linked only after sign-in and consent', async () => {
    const way = await newWay({ mayRegister: true });
    const { user, person, page } = await newClaim(way);
    expect(page.at).toMatch(/^\/login\b/);
    says(page, yours);
    expect(await isSignedIn(person)).toBe(false);
    expect(await listIdentities(user.id)).toEqual([]);
    const asks = await person.signInAt(page);
    expect(asks.at).toMatch(/^\/login\/link/);
    expect(await listIdentities(user.id)).toEqual([]);
    expect((await person.submit(asks, '/login/link/submit')).at).toBe('/account');
    expect(await listIdentities(user.id)).toHaveLength(1);
  });

  test('a user who declines to link is signed in without it', async () => {
    const { user, person, page } = await newClaim(await newWay());
    await person.submit(await person.signInAt(page), '/login/link/not');
    expect(await isSignedIn(person)).toBe(true);
    expect(await listIdentities(user.id)).toEqual([]);
    expect(person.cookies.has(arrival())).toBe(false);
  });

  test('4: a pending link is only for its account, in its browser', async () => {
    const { user, person, page } = await newClaim(await newWay());
    const another = await newUser();
    const thief = new Person(server, user.username);
    await thief.signIn();
    thief.cookies.set(arrival(), person.cookies.get(arrival()) ?? '');
    expect((await thief.open('/login/link')).at).toBe('/account');
    await linkUnasked(thief);
    expect((await person.signInAt(page, another.username)).at).toBe('/account');
    expect((await person.open('/login/link')).at).toBe('/account');
    await linkUnasked(person);
    expect(await listIdentities(user.id)).toEqual([]);
    expect(await listIdentities(another.id)).toEqual([]);
  });

  test('4: a pending link is used once, of ten requests at the same time, too', async () => {
    const { user, person, page } = await newClaim(await newWay());
    const asks = await person.signInAt(page);
    const post = person.postOf(asks, '/login/link/submit');
    const spend = () => person.request('/login/link/submit', { method: 'POST', ...post });
    await Promise.all(Array.from({ length: 10 }, spend));
    expect(await listIdentities(user.id)).toHaveLength(1);
    const linked = (await listIdentities(user.id)).map(({ id }) => id);
    await write('DELETE FROM identities WHERE user_id = :id', { id: user.id });
    const again = new Person(server, user.username);
    for (const [name, value] of person.cookies) again.cookies.set(name, value);
    await again.request('/login/link/submit', { method: 'POST', ...post });
    expect(linked).toHaveLength(1);
    expect(await listIdentities(user.id)).toEqual([]);
  });

  test('5: another site cannot link an account (CSRF)', async () => {
    const way = await newWay();
    const { user, person, page } = await newClaim(way);
    const asks = await person.signInAt(page);
    const { body, headers } = person.postOf(asks, '/login/link/submit');
    const elsewhere = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    const forged = person.postOf(asks, '/login/link/submit', { csrf: 'x'.repeat(43) });
    for (const sent of [{ body, headers: elsewhere }, forged])
      await person.request('/login/link/submit', { method: 'POST', ...sent });
    expect(await listIdentities(user.id)).toEqual([]);
    const begun = await person.request(`/login/with/${way.slug}?for=link`, {
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(begun.headers.get('location')).toBe('/login');
    expect(headers.Origin).toBe(server.issuer);
  });

  test('5: linking from the account page links only to the user who began it', async () => {
    const way = await newWay();
    const alice = await newUser();
    const bob = await newUser();
    const person = new Person(server, alice.username);
    await person.signIn();
    const there = await begin(person, way, '?for=link');
    const asks = await comeBack(person, there, { sub: newSub() });
    expect(asks.at).toMatch(/^\/login\/link/);
    await person.submit(asks, '/login/link/submit');
    expect(await listIdentities(alice.id)).toHaveLength(1);
    const second = await begin(person, way, '?for=link');
    await person.signOut();
    await person.signIn(bob.username);
    await comeBack(person, second, { sub: newSub() });
    expect((await person.open('/login/link')).at).toBe('/account');
    await linkUnasked(person);
    expect(await listIdentities(bob.id)).toEqual([]);
    await person.signOut();
    await person.signIn(alice.username);
    await comeBack(person, await begin(person, way, '?for=link'), { sub: newSub() });
    await person.signOut();
    await person.signIn(bob.username);
    expect((await person.open('/login/link')).at).toBe('/account');
    await linkUnasked(person);
    expect(await listIdentities(bob.id)).toEqual([]);
  });

  test.each([
    ['switched off', 'enabled'],
    ['only to be linked', 'may_sign_in'],
  ])('6: a provider that is %s after the sign-in began signs no user in', async (_, column) => {
    const way = await newWay({ mayRegister: true });
    const { subject } = await newLinked(way);
    const person = new Person(server);
    const there = await begin(person, way);
    await write(`UPDATE providers SET ${column} = :no WHERE id = :id`, { no: false, id: way.id });
    says(await comeBack(person, there, { sub: subject }), 'is switched off here');
    expect(await isSignedIn(person)).toBe(false);
    const page = await begin(person, way);
    expect(page.at).toMatch(/^\/login\b/);
    says(page, 'is switched off here');
  });

  test('7: a Microsoft email address without xms_edov is not matched with an account', async () => {
    const way = await newWay({ kind: 'microsoft', mayRegister: true });
    const { email } = await newUser();
    const said = verified(email);
    for (const xms_edov of [undefined, false, 0, '0', 'no', null]) {
      const person = new Person(server);
      const page = await goThrough(person, way, { ...said, sub: newSub(), xms_edov });
      says(page, unknown);
      expect(page.html).not.toContain(yours);
    }
    const proved = { ...said, sub: newSub(), xms_edov: true };
    says(await goThrough(new Person(server), way, proved), yours);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['spaces', '   '],
    ['a number', 7],
    ['a list', ['a']],
    ['a long text', 'a'.repeat(256)],
    ['a text with NUL', 'a\0b'],
  ])('8: a subject that is %s is refused', async (_, sub) => {
    const way = await newWay({ mayRegister: true });
    const person = new Person(server);
    const claims = { sub: 'x', ...verified(`${newName()}@example.com`) };
    const page = await goThrough(person, way, claims, { idToken: { sub } });
    expect(page.at).toMatch(/^\/login\?|^\/login$/);
    says(page, failed);
    expect(person.cookies.has(arrival())).toBe(false);
  });

  test('9 and 10: the second factor is asked for, unless an admin trusts the provider’s amr', async () => {
    const way = await newWay();
    const user = await newUserWithApp();
    const subject = newSub();
    await giveIdentity(user.id, way.id, { issuer: idp.issuer, subject });
    const person = new Person(server);
    const claims = { sub: subject, amr: ['pwd', 'mfa', 'otp', 'hwk'], acr: 'phrh' };
    const page = await goThrough(person, way, claims);
    expect(page.at).toMatch(/^\/login\/factor/);
    expect(await isSignedIn(person)).toBe(false);
    const trusted = await newWay({ trustsSecondFactor: true });
    expect((await goThrough(new Person(server), trusted, claims)).at).toBe('/account');
    const without = await goThrough(new Person(server), trusted, { sub: subject, amr: ['pwd'] });
    expect(without.at).toMatch(/^\/login\/factor/);
    // What is about the person says nothing of the sign-in, whatever a person may write there.
    const lies = { idToken: { amr: undefined }, userinfo: { amr: ['mfa'] } };
    const elsewhere = await goThrough(new Person(server), trusted, { sub: subject }, lies);
    expect(elsewhere.at).toMatch(/^\/login\/factor/);
  });

  test('10: linking asks for the second factor first', async () => {
    const way = await newWay();
    const user = await newUserWithApp();
    const person = new Person(server, user.username);
    const page = await goThrough(person, way, { sub: newSub(), ...verified(user.email) });
    const factor = await person.signInAt(page);
    expect(factor.at).toMatch(/^\/login\/factor/);
    expect((await person.open('/login/link')).at).toMatch(/^\/login/);
    expect(await listIdentities(user.id)).toEqual([]);
    const action = factor.forms.find(({ fields }) => 'code' in fields)?.action ?? '';
    const asks = await person.submit(factor, action, { code: codeOf(user.secret) });
    expect(asks.at).toMatch(/^\/login\/link/);
  });

  const now = () => Math.floor(Date.now() / 1000);
  test.each<[string, () => Lies]>([
    ['for another client', () => ({ idToken: { aud: 'another' } })],
    ['for no client', () => ({ idToken: { aud: undefined } })],
    ['for two, by another', () => ({ idToken: { aud: ['gatehouse', 'b'], azp: 'b' } })],
    ['of another issuer', () => ({ idToken: { iss: 'https://evil.example' } })],
    ['with another nonce', () => ({ idToken: { nonce: 'another' } })],
    ['without a nonce', () => ({ idToken: { nonce: undefined } })],
    ['that has ended', () => ({ idToken: { iat: now() - 900, exp: now() - 600 } })],
    ['without an end', () => ({ idToken: { exp: undefined } })],
    ['without a signature', () => ({ unsigned: true })],
    ['signed by somebody else', () => ({ foreignKey: true })],
    ['that is missing', () => ({ token: { status: 200, body: { access_token: 'a' } } })],
    ['but the answer is of another issuer', () => ({ answer: { iss: 'https://evil.example' } })],
    ['but the answer names no issuer', () => ({ answer: { iss: undefined } })],
  ])('11: an ID token %s is refused', async (_, lies) => {
    const way = await newWay();
    const { subject } = await newLinked(way);
    const person = new Person(server);
    says(await goThrough(person, way, { sub: subject }, lies()), failed);
    expect(await isSignedIn(person)).toBe(false);
    expect((await goThrough(person, way, { sub: subject })).at).toBe('/account');
  });

  test('11: user information with another sub is refused', async () => {
    const way = await newWay({ mayRegister: true });
    const page = await goThrough(
      new Person(server),
      way,
      { sub: newSub() },
      { userinfo: { sub: 'another', ...verified(`${newName()}@example.com`) } },
    );
    says(page, failed);
  });

  test('11: a state is bound to its browser, and works once', async () => {
    const way = await newWay();
    const { subject } = await newLinked(way);
    const [person, victim] = [new Person(server), new Person(server)];
    const there = await begin(person, way);
    idp.lies = {};
    const back = idp.answer(there.at, { sub: subject });
    await victim.open('/login');
    says(await victim.open(back), over);
    expect(await isSignedIn(victim)).toBe(false);
    expect((await person.open(back)).at).toBe('/account');
    await person.signOut();
    says(await person.open(back), over);
    expect(await isSignedIn(person)).toBe(false);
  });

  test('11: an answer for another provider, with a wrong state or without one is refused', async () => {
    const way = await newWay();
    const other = await newWay();
    const { subject } = await newLinked(way);
    const person = new Person(server);
    idp.lies = {};
    const back = idp.answer((await begin(person, way)).at, { sub: subject });
    says(await person.open(back.replace(way.slug, other.slug)), over);
    says(await person.open(back.replace(/state=[^&]*/, 'state=x')), over);
    says(await person.open(`/login/with/${way.slug}/callback?code=x`), over);
    expect(await isSignedIn(person)).toBe(false);
  });

  test.each(['https://evil.example/', '//evil.example/', '/\\evil.example/'])(
    '12: the parameter back cannot redirect to another site (%s)',
    async (back) => {
      const way = await newWay();
      const { subject } = await newLinked(way);
      const person = new Person(server);
      const there = await begin(person, way, `?back=${encodeURIComponent(back)}`);
      expect((await comeBack(person, there, { sub: subject })).at).toBe('/account');
    },
  );

  test('12: a provider at a private address is not contacted unless PROVIDERS_AT_PRIVATE_ADDRESSES is on', async () => {
    const closed = await server.another({ ISSUER: server.issuer });
    const way = await newWay();
    const before = idp.asked.length;
    says(await begin(new Person(closed), way), failed);
    expect(idp.asked.length).toBe(before);
  });

  test('a disabled account cannot sign in with a provider', async () => {
    const way = await newWay();
    const { user, subject } = await newLinked(way);
    await write('UPDATE users SET disabled_at = :now WHERE id = :id', {
      now: new Date(),
      id: user.id,
    });
    const person = new Person(server);
    says(await goThrough(person, way, { sub: subject }), 'You can’t sign in with');
    expect(await isSignedIn(person)).toBe(false);
  });
});

test('unlinking an identity ends the other sessions that came by it; the current one and others go on', async () => {
  const way = await newWay();
  const other = await newWay();
  const { user, subject } = await newLinked(way);
  const kept = newSub();
  await giveIdentity(user.id, other.id, { issuer: idp.issuer, subject: kept });
  const [owner, phone, thief] = [1, 2, 3].map(() => new Person(server, user.username)) as [
    Person,
    Person,
    Person,
  ];
  await owner.signIn();
  await goThrough(phone, other, { sub: kept });
  await goThrough(thief, way, { sub: subject });
  for (const each of [owner, phone, thief]) expect(await isSignedIn(each)).toBe(true);
  const unlink = async (person: Person, { id: providerId }: Pick<Way, 'id'>) => {
    const of = await listIdentities(user.id);
    const id = of.find((each) => each.providerId === providerId)?.id ?? '';
    const page = await person.open('/account/sign-in');
    says(await person.submit(page, '/account/providers/remove', { id }), 'is no longer linked');
  };
  await unlink(owner, way);
  expect(await isSignedIn(thief)).toBe(false);
  expect(await isSignedIn(phone)).toBe(true);
  await unlink(phone, other);
  for (const each of [owner, phone]) expect(await isSignedIn(each)).toBe(true);
});

describe('known account takeover attacks by way of a provider', () => {
  test('pre-hijacking: after a password reset the attacker’s session, password and identity are gone', async () => {
    const way = await newWay({ mayRegister: true });
    const account = await newUser();
    await write('UPDATE users SET email_verified = :no WHERE id = :id', {
      no: false,
      id: account.id,
    });
    // The hijacker also has a session, and an identity of their own.
    const hijacker = new Person(server, account.username);
    await hijacker.signIn();
    const theirs = newSub();
    await giveIdentity(account.id, way.id, { issuer: idp.issuer, subject: theirs });
    const [victim, sub] = [new Person(server, account.username), newSub()];
    says(await goThrough(victim, way, { sub, ...verified(account.email) }), yours);
    expect(await isSignedIn(victim)).toBe(false);
    expect(await listIdentities(account.id)).toHaveLength(1);
    const user = await findUser(account.id);
    const { token } = await makeLink({ purpose: 'reset', user, email: account.email }, new Date());
    const word = 'quite another pass phrase';
    const reset = await victim.open(`/recover/reset?token=${token}`);
    const asks = await victim.submit(reset, '/recover/reset/submit', { new_password: word });
    expect(await listIdentities(account.id)).toEqual([]);
    expect(await isSignedIn(hijacker)).toBe(false);
    expect((await hijacker.signIn()).at).toMatch(/^\/login/);
    expect(asks.at).toMatch(/^\/login\/link/);
    await victim.submit(asks, '/login/link/submit');
    expect((await listIdentities(account.id)).map(({ subject }) => subject)).toEqual([sub]);
    const again = await goThrough(new Person(server), way, { sub: theirs });
    expect(again.at).toMatch(/^\/login\b/);
  });

  test('mutable address: a changed email address at the provider does not change the account', async () => {
    const way = await newWay({ mayRegister: true });
    const { user, subject } = await newLinked(way);
    const victim = await newUser();
    const person = new Person(server);
    await goThrough(person, way, { sub: subject, ...verified(victim.email) });
    says(await person.open('/account'), user.username);
    expect(await listIdentities(victim.id)).toEqual([]);
    expect((await findUser(user.id))?.email).toBe(user.email);
  });

  test('recycled account: a new subject with a former user’s email address is not signed in', async () => {
    const way = await newWay({ mayRegister: true });
    const { user, subject } = await newLinked(way);
    const successor = new Person(server, user.username);
    const page = await goThrough(successor, way, { sub: newSub(), ...verified(user.email) });
    says(page, yours);
    expect(await isSignedIn(successor)).toBe(false);
    expect((await listIdentities(user.id)).map(({ subject: one }) => one)).toEqual([subject]);
  });

  test('mix-up: a code of one provider is never sent to another', async () => {
    const honest = await newWay();
    const bad = await atProvider(server, evil).newWay();
    const { subject } = await newLinked(honest);
    const person = new Person(server);
    idp.lies = {};
    // The malicious provider sends the browser on to the honest one, with its own state.
    const there = new URL((await begin(person, bad)).at);
    there.searchParams.set('redirect_uri', `${server.issuer}/login/with/${honest.slug}/callback`);
    const asked = [evil.asked.length, idp.asked.length];
    const back = idp.answer(there.href, { sub: subject });
    says(await person.open(back), over);
    // It also fails with the answer at the malicious provider's own address, because the answer
    // comes from another issuer.
    const again = new URL((await begin(person, bad)).at);
    says(await person.open(idp.answer(again.href, { sub: subject })), failed);
    expect([evil.asked.length, idp.asked.length]).toEqual(asked);
    expect(await isSignedIn(person)).toBe(false);
  });

  test('empty subject: users without a valid subject are refused', async () => {
    const way = await newWay({ mayRegister: true });
    for (const sub of ['', ' ', null]) {
      const claims = { ...verified(`${newName()}@example.com`), sub: 'x' };
      says(await goThrough(new Person(server), way, claims, { idToken: { sub } }), failed);
    }
    const github = await newWay({ kind: 'github', mayRegister: true });
    for (const id of [null, 0, '', undefined, -1, 1.5, 'x'.repeat(300)]) {
      idp.says['/api/v3/user'] = { id, login: newName() };
      idp.says['/api/v3/user/emails'] = [];
      const page = await goThrough(new Person(server), github, {}, { answer: { iss: undefined } });
      says(page, failed);
    }
  });
});
