import { describe, expect, test } from 'vitest';
import { newPendingRequest, sealPendingRequest } from '#lib/interaction/pending-request.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, type Page, Person } from '../support/person.ts';
import { newClient, newUser, type TestClient } from '../support/seed.ts';

const server = await openServer();

/** A browser set to a language, with a person who may have chosen another one in their profile. */
async function personWith({
  browser = '',
  profile,
}: {
  browser?: string;
  profile?: string;
}): Promise<Person> {
  const user = await newUser({ claims: profile === undefined ? {} : { locale: profile } });
  const person = new Person(server, user.username);
  person.language = browser;
  return person;
}

const asking = (client: TestClient, more: Record<string, string> = {}) =>
  authorizePath({ client_id: client.id, response_type: 'code', ...more });

const languageOf = ({ html }: Page) =>
  /<html lang="([^"]*)" dir="([^"]*)"/.exec(html)?.slice(1).join(' ');
const english = 'en ltr';
const german = 'de ltr';
const pseudo = 'ar-XB rtl';

describe('the language of a page without a pending request', () => {
  test.each([
    ['', english],
    ['de-AT,de;q=0.9,en;q=0.8', german],
    ['eo,de;q=0.1', german],
    ['fr-CH', 'fr ltr'],
    ['eo', english],
    ['*', english],
    ['ar-XB', pseudo],
    ['"><script>alert(1)</script>', english],
  ])('follows the browser’s Accept-Language: %s', async (browser, language) => {
    const person = await personWith({ browser });
    for (const path of [
      '/',
      '/login',
      '/recover',
      '/register',
      '/setup',
      '/logout/done',
      '/expired',
      '/no/such/page',
    ]) {
      const page = await person.open(path);
      expect.soft(languageOf(page), path).toBe(language);
      expect.soft(page.html, path).not.toContain('alert(1)');
    }
  });

  test('follows the user’s profile while they are signed in, and else the browser', async () => {
    const person = await personWith({ browser: 'en', profile: 'de' });
    const before = await person.open('/login');
    expect(languageOf(before)).toBe(english);
    const home = await person.signInAt(before);
    expect(languageOf(home)).toBe(german);
    expect(home.html).toContain('Ihre Apps');
    expect(languageOf(await person.open('/no/such/page'))).toBe(german);
    const signedOut = await person.signOut();
    expect(languageOf(signedOut)).toBe(german);
    expect(languageOf(await person.open('/login'))).toBe(english);
  });

  test('follows the browser where the profile’s language is not supported', async () => {
    const person = await personWith({ browser: 'de', profile: 'eo-CA' });
    expect(languageOf(await person.signIn())).toBe(german);
  });
});

describe('the error page of a refused authorization request', () => {
  const refused: [what: string, params: Record<string, string>, why: string][] = [
    ['of no app', { client_id: 'nobody' }, 'Dieser Server kennt die App nicht.'],
    ['without an app', { client_id: '' }, 'Die App hat nicht gesagt, welche App sie ist.'],
    [
      'to an address that is not registered',
      { redirect_uri: 'https://evil.example/' },
      'Die App möchte Sie an eine Adresse schicken, die nicht für sie eingetragen ist.',
    ],
  ];
  test.each(refused)(
    '%s gives the reason in German, and marks the message for developers as English',
    async (_, params, why) => {
      const person = await personWith({ browser: 'de' });
      const client = await newClient();
      const { html, status } = await person.open(
        authorizePath({ client_id: client.id, response_type: 'code', ...params }),
      );
      expect(status).toBe(400);
      expect(html).toContain(`<dt>Was ist passiert?</dt><dd>${why}</dd>`);
      expect(html).toMatch(
        /<dt>Meldung an die Entwickler \(englisch\)<\/dt><dd><bdi lang="en" dir="ltr">[A-Za-z_]+ /,
      );
    },
  );
});

describe('ui_locales takes precedence over the user’s profile, and that over the browser', () => {
  test.each<[Record<string, string>, string | undefined, string, [string, string]]>([
    [{ ui_locales: 'de' }, 'en', 'en', [german, german]],
    [{ ui_locales: 'eo-CA de-CH en' }, undefined, 'en', [german, german]],
    [{ ui_locales: 'eo' }, 'de', 'en', [english, german]],
    [{}, 'de', 'en', [english, german]],
    [{}, undefined, 'de', [german, german]],
    [{ ui_locales: 'en' }, 'de', 'de', [english, english]],
    [{ ui_locales: 'ar-XB' }, 'de', 'de', [pseudo, pseudo]],
    [{ ui_locales: 'eo' }, undefined, 'de', [german, german]],
  ])('%j, profile %s, browser %s', async (more, profile, browser, [signIn, consent]) => {
    const person = await personWith({ browser, profile });
    const login = await person.open(asking(await newClient(), more));
    expect(languageOf(login)).toBe(signIn);
    const decide = await person.signInAt(login);
    expect(decide.at).toMatch(/^\/consent/);
    expect(languageOf(decide)).toBe(consent);
    const switched = await person.submit(decide, '/switch/submit');
    expect(switched.at).toMatch(/^\/login/);
    expect(languageOf(switched)).toBe(consent);
  });

  test('the refused form, recovery, registration and an expired request keep the language of the request', async () => {
    const client = await newClient();
    const person = await personWith({ browser: 'en' });
    const login = await person.open(asking(client, { ui_locales: 'de' }));
    const wrong = await person.signInAt(login, person.username, 'a wrong password');
    expect(wrong.html).toContain('Benutzername oder Passwort ist falsch.');
    const flow = new URLSearchParams(login.at.split('?')[1]).get('flow') ?? '';
    const recover = await person.open(`/recover?flow=${flow}`);
    expect(languageOf(recover)).toBe(german);
    expect(languageOf(await person.open(`/register?flow=${flow}`))).toBe(german);
    const browser = person.cookies.get('gh_browser') ?? '';
    const params = new Map([
      ['client_id', [client.id]],
      ['ui_locales', ['de']],
    ]);
    const old = await sealPendingRequest(
      newPendingRequest({ params, redirectUri: client.redirectUri, browser }, new Date(0)),
    );
    const expired = await person.open(`/oauth/continue?flow=${old}`);
    expect(expired.at).toMatch(/^\/expired/);
    expect(languageOf(expired)).toBe(german);
  });
});

describe('the language of pages that endpoints write themselves', () => {
  test('an error page follows ui_locales, the profile, the browser; the developer’s message is English', async () => {
    const person = await personWith({ browser: 'en', profile: 'de' });
    expect(languageOf(await person.open(asking({ id: 'none', secret: '', redirectUri: '' })))).toBe(
      english,
    );
    const asked = await person.open(authorizePath({ client_id: 'none', ui_locales: 'de' }));
    expect(asked.status).toBe(400);
    expect(languageOf(asked)).toBe(german);
    expect(asked.html).toContain('<bdi lang="en" dir="ltr">');
    await person.signIn();
    expect(languageOf(await person.open(authorizePath({ client_id: 'none' })))).toBe(german);
    expect(
      languageOf(await person.open(authorizePath({ client_id: 'none', ui_locales: 'ar-XB' }))),
    ).toBe(pseudo);
    expect(
      languageOf(await person.open('/oauth/authorize?client_id=a&client_id=%ff&ui_locales=de')),
    ).toBe(german);
  });

  test('a flow in another browser, a stale form and a wrong method follow the ui_locales of the request', async () => {
    const client = await newClient();
    const person = await personWith({ browser: 'en' });
    const login = await person.open(asking(client, { ui_locales: 'de' }));
    const other = await personWith({ browser: 'en' });
    const foreign = await other.open(login.at);
    expect([foreign.status, languageOf(foreign)]).toEqual([400, german]);
    const { body, headers } = person.postOf(login, '/login/submit', { csrf: 'old' });
    const referer = { Referer: server.issuer + login.at };
    const stale = await person.open('/login/submit', {
      method: 'POST',
      body,
      headers: { ...headers, ...referer },
    });
    expect([stale.status, languageOf(stale)]).toEqual([403, german]);
    expect(stale.html).toContain('Dieses Formular ist veraltet');
    other.language = 'de';
    const wrong = await other.open('/login/submit');
    expect([wrong.status, languageOf(wrong)]).toEqual([405, german]);
  });

  test('the form_post page follows the profile, or ui_locales', async () => {
    const client = await newClient({ firstParty: true });
    const person = await personWith({ browser: 'en', profile: 'de' });
    const page = await person.authorize({
      client_id: client.id,
      response_type: 'code',
      response_mode: 'form_post',
    });
    expect(languageOf(page)).toBe(german);
    const cancelled = await personWith({ browser: 'en' });
    const login = await cancelled.open(
      asking(client, { response_mode: 'form_post', ui_locales: 'de' }),
    );
    const flow = new URLSearchParams(login.at.split('?')[1]).get('flow') ?? '';
    expect(languageOf(await cancelled.open(`/oauth/cancel?flow=${flow}`))).toBe(german);
  });
});

test('the sign-out page follows ui_locales', async () => {
  const person = await personWith({ browser: 'en' });
  await person.signIn();
  const ask = await person.open('/oauth/logout?ui_locales=de');
  expect(languageOf(ask)).toBe(german);
  const done = await person.submit(ask, '/logout/submit');
  expect(done.at).toBe('/logout/done?ui_locales=de');
  expect(languageOf(done)).toBe(german);
});

test('the developer pages are in English, the dashboard follows the admin’s profile', async () => {
  const user = await newUser({ isAdmin: true, claims: { locale: 'de' } });
  const person = new Person(server, user.username);
  person.language = 'de';
  await person.signIn();
  for (const path of ['/docs', '/docs/errors/invalid_request'])
    expect.soft(languageOf(await person.open(path)), path).toBe(english);
  expect(languageOf(await person.open('/admin'))).toBe(german);
});

test('a user chooses their language on the profile page; an unknown one is refused', async () => {
  const person = await personWith({ browser: 'en' });
  await person.signIn();
  const page = await person.open('/account/profile');
  expect(page.html).toMatch(/<option value="" selected="">Browser default<\/option>/);
  expect(page.html).not.toContain('Pseudo');
  const saved = await person.submit(page, '/account/profile/submit', { locale: 'de' });
  expect(languageOf(saved)).toBe(german);
  expect(saved.html).toContain('Profil gespeichert.');
  const odd = await person.submit(saved, '/account/profile/submit', { locale: '"><b>' });
  expect(odd.html).toContain('Prüfen Sie dieses Feld.');
  const back = await person.submit(odd, '/account/profile/submit', { locale: '' });
  expect(languageOf(back)).toBe(english);
});
