import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { updateClient } from '#lib/management/client/clients.ts';
import { exchangeGrant } from '#lib/oauth/grant-types.ts';
import { idJagTokenType } from '#lib/oauth/id-jag.ts';
import { write } from '#lib/store/engine/database.ts';
import { credentials, post, redeem } from '../support/app.ts';
import { atProvider, says, type Way } from '../support/at-provider.ts';
import { exchange, newServed } from '../support/exchange.ts';
import { unescapeHtml } from '../support/html.ts';
import { type Lies, LyingProvider } from '../support/lying-provider.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, isSignedIn, Person } from '../support/person.ts';
import { giveIdentity } from '../support/providers.ts';
import { type ClientOptions, newClient, newPkce, newUser } from '../support/seed.ts';

const idp = await LyingProvider.open();
const server = await openServer({ PROVIDERS_AT_PRIVATE_ADDRESSES: 'on' });
const { newWay, newLinked, goThrough, begin, comeBack } = atProvider(server, idp);

beforeAll(async () => {
  await newUser();
});

const seconds = () => Math.floor(Date.now() / 1000);
const hour = 3600;

/** An app sends somebody here, who presses the provider's button. */
async function sentBy(way: Way, app: ClientOptions, asked: Record<string, string> = {}) {
  const client = await newClient(app);
  const pkce = newPkce();
  const person = new Person(server);
  const request = { client_id: client.id, response_type: 'code', scope: 'openid', ...asked };
  const login = await person.open(authorizePath({ ...request, ...pkce.challenge }));
  const href = new RegExp(`href="(/login/with/${way.slug}\\?[^"]*)"`).exec(login.html)?.[1];
  const there = await person.open(unescapeHtml(href ?? ''));
  const { searchParams } = new URL(there.at);
  /** Comes back, and returns the ID token's auth_time; null if no code was given. */
  const back = async (claims: Record<string, unknown>, lies: Lies = {}) => {
    const page = await comeBack(person, there, claims, lies);
    if (page.at.startsWith('/login') || page.at.startsWith(idp.issuer))
      return { page, body: null, authTime: null };
    const { code = '' } = answerOf(await person.goThrough(page));
    const bound = { redirect_uri: client.redirectUri, code_verifier: pkce.verifier };
    const { body } = await redeem(server, client, code, bound);
    return { page, body, authTime: decodeJwt(String(body.id_token)).auth_time };
  };
  return { client, person, asks: Object.fromEntries(searchParams), back };
}

describe('the age of a sign-in at a provider (OpenID Connect Core sections 2 and 3.1.2.1)', () => {
  test('is told to apps by auth_time, where nothing limits it', async () => {
    const way = await newWay();
    const { subject } = await newLinked(way);
    const { asks, back } = await sentBy(way, {});
    expect(asks).not.toHaveProperty('max_age');
    expect(asks).not.toHaveProperty('prompt');
    const at = seconds() - hour;
    expect((await back({ sub: subject, auth_time: at })).authTime).toBe(at);
  });

  test('is that of the sign-in here for apps, where the provider does not say', async () => {
    const way = await newWay();
    const { subject } = await newLinked(way);
    const { back } = await sentBy(way, {});
    const { authTime } = await back({ sub: subject, auth_time: undefined });
    expect(seconds() - Number(authTime)).toBeLessThan(60);
  });

  test.each<[string, ClientOptions, Record<string, string>, Record<string, string>]>([
    ['the app', { maxSignInAge: 600 }, {}, { max_age: '600' }],
    ['its request', {}, { max_age: '300' }, { max_age: '300' }],
    ['both', { maxSignInAge: 120 }, { max_age: '300' }, { max_age: '120' }],
    ['prompt=login', { maxSignInAge: 600 }, { prompt: 'login' }, { max_age: '0', prompt: 'login' }],
    ['max_age=0', {}, { max_age: '0' }, { max_age: '0', prompt: 'login' }],
  ])('is limited by %s, and the provider asked for as much', async (_, app, asked, sent) => {
    const way = await newWay();
    const { subject } = await newLinked(way);
    for (const auth_time of [seconds() - hour, undefined, seconds() + hour]) {
      const { person, asks, back } = await sentBy(way, app, asked);
      expect(asks).toMatchObject(sent);
      const { page, authTime } = await back({ sub: subject, auth_time });
      expect(authTime).toBeNull();
      expect(page.at).toMatch(/^\/login\?/);
      expect(await isSignedIn(person)).toBe(false);
    }
    const { back } = await sentBy(way, app, asked);
    // A clock that is some seconds behind is no old sign-in.
    const at = seconds() - 5;
    const { authTime } = await back({ sub: subject, auth_time: at });
    expect(seconds() - Number(authTime)).toBeLessThan(60);
  });

  test('is not read from the user information, which is about the person', async () => {
    const way = await newWay();
    const { subject } = await newLinked(way);
    const { back } = await sentBy(way, { maxSignInAge: 600 });
    const lies = { idToken: { auth_time: undefined }, userinfo: { auth_time: seconds() } };
    expect((await back({ sub: subject }, lies)).authTime).toBeNull();
  });

  test('is limited by the life of sign-ins that the app sets: somebody at a provider without times is told so', async () => {
    const way = await newWay();
    const { subject } = await newLinked(way);
    const { asks, person, back } = await sentBy(way, { signInLife: hour });
    expect(asks.max_age).toBe(String(hour));
    const { page } = await back({ sub: subject, auth_time: undefined });
    says(page, 'password or a passkey');
    expect(await isSignedIn(person)).toBe(false);
    const again = await sentBy(way, { signInLife: hour });
    expect((await again.back({ sub: subject, auth_time: seconds() - 60 })).authTime).not.toBeNull();
  });

  test('is unknown to an API that limits it, if the provider did not say it', async () => {
    const way = await newWay();
    const { subject } = await newLinked(way);
    const served = await newServed([], {
      app: { grants: ['authorization_code', 'refresh_token', exchangeGrant] },
    });
    await updateClient(
      served.client.id,
      { exchangeFor: [served.identifier], maxSignInAge: 60 },
      { actor: { id: 'cli' }, now: new Date() },
    );
    for (const [auth_time, status] of [
      [undefined, 400],
      [seconds(), 200],
    ] as const) {
      const { back } = await sentBy(way, {}, { resource: served.identifier, scope: 'openid read' });
      const { body } = await back({ sub: subject, auth_time });
      const answer = await exchange(server, served.client, served.identifier, {
        token: String(body?.access_token),
      });
      expect(answer.status).toBe(status);
    }
  });

  test('is not told to another server if nobody said it, though the ID token tells of the sign-in here', async () => {
    const way = await newWay();
    const { subject } = await newLinked(way);
    const elsewhere = 'https://other.example';
    const grants = ['authorization_code', 'refresh_token', exchangeGrant] as const;
    for (const auth_time of [undefined, seconds() - hour]) {
      const app = { grants, identityFor: { [elsewhere]: 'app-there' } };
      const { client, back } = await sentBy(way, app);
      const { body } = await back({ sub: subject, auth_time });
      const asked = {
        grant_type: exchangeGrant,
        requested_token_type: idJagTokenType,
        audience: elsewhere,
        subject_token: String(body?.id_token),
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      };
      const said = await post(server, '/oauth/token', { ...credentials(client), ...asked });
      expect(said.status).toBe(200);
      expect(decodeJwt(String(said.body.access_token)).auth_time).toBe(auth_time);
    }
  });

  test('of a provider that cannot ask again is not fresh: a password is asked for here', async () => {
    const way = await newWay({ kind: 'github' });
    const user = await newUser();
    const id = 1_000_000 + Math.floor(Math.random() * 1e9);
    await giveIdentity(user.id, way.id, { issuer: idp.issuer, subject: String(id) });
    idp.says['/api/v3/user'] = { id, login: user.username };
    idp.says['/api/v3/user/emails'] = [];
    const without = { answer: { iss: undefined } };
    for (const asked of [{ prompt: 'login' }, { max_age: '600' }] as Record<string, string>[]) {
      const { person, asks, back } = await sentBy(way, {}, asked);
      expect(asks.prompt).toBe('select_account');
      const { page } = await back({}, without);
      expect(page.at).toMatch(/^\/login\?/);
      expect(await isSignedIn(person)).toBe(false);
    }
    const person = new Person(server, user.username);
    expect((await goThrough(person, way, {}, without)).at).toBe('/account');
  });

  const wantsTwoFactors = {
    claims: JSON.stringify({
      id_token: { acr: { essential: true, values: ['urn:gatehouse:mfa'] } },
    }),
  };

  test('counts for setting up a second factor: an old session there lets nobody add one of their own', async () => {
    const way = await newWay();
    const { subject } = await newLinked(way);
    for (const auth_time of [seconds() - hour, undefined]) {
      const { asks, back, person } = await sentBy(way, {}, wantsTwoFactors);
      expect(asks).not.toHaveProperty('max_age');
      const there = (await back({ sub: subject, auth_time })).page;
      expect(new URL(there.at).searchParams.get('max_age')).toBe('900');
      const late = await comeBack(person, there, { sub: subject, auth_time });
      says(late, 'password or a passkey');
    }
    const { back, person } = await sentBy(way, {}, wantsTwoFactors);
    const there = (await back({ sub: subject, auth_time: seconds() - hour })).page;
    const fresh = await comeBack(person, there, { sub: subject, auth_time: seconds() });
    expect(fresh.at).toMatch(/^\/login\/enrol/);
    const at = await sentBy(way, {}, wantsTwoFactors);
    const recent = await at.back({ sub: subject, auth_time: seconds() - 300 });
    expect(recent.page.at).toMatch(/^\/login\/enrol/);
  });

  test('of a provider that cannot ask again is not enough to set up a second factor, except for a new account', async () => {
    const way = await newWay({ kind: 'github', mayRegister: true });
    const user = await newUser();
    const id = 1_000_000 + Math.floor(Math.random() * 1e9);
    await giveIdentity(user.id, way.id, { issuer: idp.issuer, subject: String(id) });
    idp.says['/api/v3/user'] = { id, login: user.username };
    idp.says['/api/v3/user/emails'] = [];
    const without = { answer: { iss: undefined } };
    const { back } = await sentBy(way, {}, wantsTwoFactors);
    says((await back({}, without)).page, 'password or a passkey');
    const login = `new-${id}`;
    idp.says['/api/v3/user'] = { id: id + 1, login };
    idp.says['/api/v3/user/emails'] = [
      { email: `${login}@example.org`, primary: true, verified: true },
    ];
    const arriving = await sentBy(way, {}, wantsTwoFactors);
    const { page } = await arriving.back({}, without);
    const made = await arriving.person.submit(page, '/login/new/submit');
    expect(made.at).toMatch(/^\/login\/enrol/);
  });

  test('counts for what needs a fresh sign-in: an admin with an old session there is asked again', async () => {
    const way = await newWay();
    const { user, subject } = await newLinked(way);
    await write('UPDATE users SET is_admin = TRUE WHERE id = :id', { id: user.id });
    const admin = new Person(server, user.username);
    await goThrough(admin, way, { sub: subject, auth_time: seconds() - 10 * hour });
    // A trial of a provider takes a fresh sign-in.
    const tried = async () =>
      (await admin.request(`/login/with/${way.slug}?for=try`)).headers.get('location');
    expect(await tried()).toMatch(/\/login\?/);
    const there = await begin(admin, way);
    const { searchParams } = new URL(there.at);
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0']);
    const old = await comeBack(admin, there, { sub: subject, auth_time: seconds() - hour });
    expect(old.at).toMatch(/^\/login|^\/account/);
    expect(await tried()).toMatch(/\/login\?/);
    await goThrough(admin, way, { sub: subject, auth_time: seconds() });
    expect(await tried()).toContain(`${idp.issuer}/authorize`);
  });
});
