import { describe, expect, test } from 'vitest';
import { en } from '#lib/messages/compiled/en.ts';
import { findGrant } from '#lib/store/grants.ts';
import { revokeGrants } from '#lib/store/withdrawals.ts';
import { textOf } from '../support/html.ts';
import { alikeOn, allAlikeOn } from '../support/on-each-database.ts';
import { databaseOf, openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newPkce, newUser, type TestClient } from '../support/seed.ts';

const server = await openServer();
const alike = alikeOn(databaseOf(server.databaseUrl));
const allAlike = allAlikeOn(databaseOf(server.databaseUrl));
const person = await newPerson(server);

const requestOf = (client: TestClient, more: Record<string, string> = {}) => ({
  client_id: client.id,
  response_type: 'code',
  state: 'S',
  ...more,
});
const ask = (client: TestClient, more: Record<string, string> = {}, who: Person = person) =>
  who.open(authorizePath(requestOf(client, more)));

describe('the consent page (section 3)', () => {
  alike(
    'shows the app, the account, the redirect host, the requested scopes and what is always shared',
    async () => {
      const client = await newClient({
        name: 'Weather & <b>Co</b>',
        redirectUris: ['https://weather.example/cb'],
      });
      const page = await ask(client, { scope: 'profile phone' });
      const said = textOf(page.html);
      for (const words of [
        'Weather & <b>Co</b>',
        'weather.example',
        person.user.email,
        en['scope.profile'],
        en['scope.phone'],
      ]) {
        expect(said).toContain(words);
      }
      expect(said).toContain(en['consent.sharedText']);
      expect(said).not.toContain(en['scope.address']);
      expect(page.html).not.toContain('<b>Co</b>');
    },
  );

  alike('has one form with exactly two decisions, is not stored and cannot be framed', async () => {
    const page = await ask(await newClient());
    const form = page.forms.find(({ action }) => action === '/consent/submit');
    expect(form?.method).toBe('post');
    expect(form?.buttons.map(({ name, value }) => `${name}=${value}`).sort()).toEqual([
      'decision=allow',
      'decision=deny',
    ]);
    expect(page.headers.get('cache-control')).toMatch('no-store');
    expect(page.headers.get('content-security-policy')).toMatch("frame-ancestors 'none'");
    expect(page.headers.get('x-frame-options')).toBe('DENY');
  });

  alike('allows its form to lead only to the client (CSP form-action)', async () => {
    const page = await ask(await newClient({ redirectUris: ['https://weather.example:8443/cb'] }));
    expect(page.headers.get('content-security-policy')).toMatch(
      "form-action 'self' https://weather.example:8443;",
    );
  });

  alike('warns of a plain-http redirect URI', async () => {
    const page = await ask(await newClient({ redirectUris: ['http://plain.example/cb'] }));
    expect(textOf(page.html)).toContain(en['consent.insecureTitle']);
  });
});

describe('the decision on the consent page', () => {
  test('allow gives a code; deny gives access_denied with state and iss, and is not remembered', async () => {
    const client = await newClient();
    const denied = await person.decide(await ask(client), 'deny');
    expect(denied.status).toBe(303);
    expect(answerOf(denied)).toMatchObject({
      error: 'access_denied',
      state: 'S',
      iss: server.issuer,
    });
    expect(answerOf(await person.decide(await ask(client), 'allow'))).toEqual({
      code: expect.any(String),
      state: 'S',
      iss: server.issuer,
    });
  });

  test('a denied request gives no code afterwards, and denying again gives the same answer', async () => {
    const client = await newClient();
    const page = await ask(client);
    const denied = answerOf(await person.decide(page, 'deny'));
    const allowed = await person.decide(page, 'allow');
    expect([allowed.at, allowed.status]).toEqual(['/consent/submit', 400]);
    expect(textOf(allowed.html)).toContain(en['flowUsed.title']);
    expect(await findGrant(person.user.id, client.id)).toBeNull();
    const { error_uri: _, ...again } = answerOf(await person.decide(page, 'deny'));
    expect(denied).toMatchObject(again);
    expect(again).toMatchObject({ error: 'access_denied', state: 'S' });
  });

  test('an allowed request cannot be denied afterwards, even after the consent was withdrawn', async () => {
    const client = await newClient();
    const page = await ask(client);
    expect(answerOf(await person.decide(page, 'allow'))).toHaveProperty('code');
    expect((await person.decide(page, 'deny')).status).toBe(400);
    await revokeGrants({ userId: person.user.id, clientId: client.id }, new Date());
    expect((await person.decide(page, 'deny')).status).toBe(400);
  });

  alike('any other decision shows the page again', async () => {
    const page = await ask(await newClient());
    for (const decision of ['', 'yes', 'ALLOW']) {
      expect((await person.submit(page, '/consent/submit', { decision })).at).toMatch(
        '/consent?flow=',
      );
    }
    expect((await person.submit(page, '/consent/submit')).at).toMatch('/consent?flow=');
  });

  test('allow and deny are in the audit log', async () => {
    const client = await newClient();
    await person.decide(await ask(client), 'deny');
    await person.decide(await ask(client), 'allow');
    const events = await (await prisma()).auditEvent.findMany({
      where: { clientId: client.id },
      orderBy: { at: 'asc' },
    });
    expect(events.map(({ type, userId }) => [type, userId])).toEqual([
      ['consent.denied', person.user.id],
      ['consent.given', person.user.id],
    ]);
  });
});

describe('consent is remembered per person and client, for the scopes given', () => {
  test('the same or fewer scopes do not ask again, more do', async () => {
    const client = await newClient();
    await person.authorize(requestOf(client, { scope: 'profile email' }));
    expect(answerOf(await ask(client, { scope: 'profile email' })).code).toBeDefined();
    expect(answerOf(await ask(client, { scope: 'email' })).code).toBeDefined();
    expect((await ask(client, { scope: 'email address' })).at).toMatch('/consent');
    await person.authorize(requestOf(client, { scope: 'email address' }));
    expect(answerOf(await ask(client, { scope: 'profile address' })).code).toBeDefined();
  });

  test('not for another person, and not for another client', async () => {
    const client = await newClient();
    await person.authorize(requestOf(client));
    expect((await ask(client, {}, await newPerson(server))).at).toMatch('/consent');
    expect((await ask(await newClient())).at).toMatch('/consent');
  });

  alike('prompt=consent asks again; prompt=none never asks', async () => {
    const client = await newClient();
    expect(answerOf(await ask(client, { prompt: 'none' })).error).toBe('consent_required');
    await person.authorize(requestOf(client));
    expect(answerOf(await ask(client, { prompt: 'none' })).code).toBeDefined();
    expect((await ask(client, { prompt: 'consent' })).at).toMatch('/consent');
  });

  alike('a first-party client needs no consent, except with prompt=consent', async () => {
    const client = await newClient({ firstParty: true });
    expect(answerOf(await ask(client, { scope: 'profile address phone' })).code).toBeDefined();
    expect((await ask(client, { prompt: 'consent' })).at).toMatch('/consent');
  });
});

allAlike('consent is never skipped where a client cannot be told from another program', () => {
  const never: [string, Parameters<typeof newClient>[0], Record<string, string>][] = [
    [
      'a public client on a private-use scheme',
      { type: 'public', redirectUris: ['com.example.app:/cb'] },
      {},
    ],
    [
      'a public client on loopback',
      { type: 'public', redirectUris: ['http://127.0.0.1/cb'] },
      { redirect_uri: 'http://127.0.0.1:4711/cb' },
    ],
    [
      'a public client on localhost',
      { type: 'public', redirectUris: ['http://localhost:4711/cb'] },
      {},
    ],
    ['an unregistered address', { redirectUris: [] }, { redirect_uri: 'https://new.example/cb' }],
    ['a registered plain-http host', { redirectUris: ['http://plain.example/cb'] }, {}],
  ];

  test.each(never)('%s', async (_, options, more) => {
    const client = await newClient({ ...options, firstParty: true });
    const params = { ...more, ...newPkce().challenge };
    expect((await person.authorize(requestOf(client, params))).at).toMatch('code=');
    expect((await ask(client, params)).at).toMatch('/consent');
    const silent = await ask(client, { ...params, prompt: 'none' });
    if (options?.redirectUris?.length) expect(answerOf(silent).error).toBe('consent_required');
    else expect(silent.status).toBe(400);
  });

  test('consent given at an unsafe redirect URI does not count at a safe one of the same client', async () => {
    const client = await newClient({
      redirectUris: ['https://safe.example/cb', 'http://plain.example/cb'],
    });
    await person.authorize(requestOf(client, { redirect_uri: 'http://plain.example/cb' }));
    expect((await ask(client, { redirect_uri: 'https://safe.example/cb' })).at).toMatch('/consent');
  });

  test('consent for a public client on https is remembered', async () => {
    const client = await newClient({ type: 'public' });
    const params = newPkce().challenge;
    await person.authorize(requestOf(client, params));
    expect(answerOf(await ask(client, params)).code).toBeDefined();
  });
});

describe('the consent decision counts only for what was shown', () => {
  test('after a switch to another account the page is shown again for that account', async () => {
    const mine = await newPerson(server);
    const client = await newClient();
    const other = await newUser();
    const page = await ask(client, {}, mine);
    await mine.signOut();
    await mine.signIn(other.username);
    const again = await mine.decide(page, 'allow');
    expect(again.at).toMatch('/consent?flow=');
    expect(textOf(again.html)).toContain(other.email);
    expect(textOf(again.html)).toContain(en['consent.changed']);
    expect(answerOf(await mine.decide(again, 'allow')).code).toBeDefined();
  });

  alike('after a new sign-in of the same user the page is shown again', async () => {
    const mine = await newPerson(server);
    const client = await newClient();
    const page = await ask(client, {}, mine);
    await mine.signOut();
    await mine.signIn();
    expect((await mine.decide(page, 'allow')).at).toMatch('/consent?flow=');
  });

  alike('after signing out the decision leads to sign-in', async () => {
    const mine = await newPerson(server);
    const client = await newClient();
    const page = await ask(client, {}, mine);
    await mine.signOut();
    expect((await mine.decide(page, 'allow')).at).toMatch('/login?flow=');
  });

  test('the sealed field “seen” of another consent page, or a forged one, is refused', async () => {
    const client = await newClient();
    const little = await ask(client, { scope: 'email' });
    const much = await ask(client, { scope: 'email phone' });
    const seen = little.forms.find(({ action }) => action === '/consent/submit')?.fields.seen ?? '';
    for (const wrong of [seen, '', 'nonsense', `${seen}x`]) {
      const page = await person.submit(much, '/consent/submit', { decision: 'allow', seen: wrong });
      expect(page.at).toMatch('/consent?flow=');
    }
    expect((await ask(client, { prompt: 'none', scope: 'phone' })).at).toMatch('consent_required');
  });
});

allAlike('"Not you?" on the consent page', () => {
  test('signs another account in, and keeps the request', async () => {
    const mine = await newPerson(server);
    const client = await newClient();
    const other = await newUser();
    const login = await mine.submit(await ask(client, {}, mine), '/switch/submit');
    expect(login.at).toMatch('/login?flow=');
    const consent = await mine.signInAt(login, other.username);
    expect(textOf(consent.html)).toContain(other.email);
    expect(answerOf(await mine.decide(consent, 'allow'))).toMatchObject({
      code: expect.any(String),
      state: 'S',
    });
  });
});

allAlike('prompt and max_age (OpenID Connect Core section 3.1.2.1)', () => {
  test.each<[string, Record<string, string>]>([
    ['prompt=login', { prompt: 'login' }],
    ['max_age=0', { max_age: '0' }],
  ])('%s is met only by a sign-in after the request began', async (_, more) => {
    const mine = await newPerson(server);
    const client = await newClient({ firstParty: true });
    const login = await ask(client, more, mine);
    expect(login.at).toMatch('/login?flow=');
    // There is no way around signing in again: neither continuing the request nor opening the next
    // page's address.
    expect((await mine.open(login.at.replace('/login', '/oauth/continue'))).at).toMatch(
      '/login?flow=',
    );
    expect((await mine.open(login.at.replace('/login', '/consent'))).at).toMatch('/login?flow=');
    expect(answerOf(await mine.signInAt(login)).code).toBeDefined();
    expect((await ask(client, more, mine)).at).toMatch('/login?flow=');
  });

  test('max_age is compared with the time of the sign-in', async () => {
    const mine = await newPerson(server);
    const client = await newClient({ firstParty: true });
    expect(answerOf(await ask(client, { max_age: '1000' }, mine)).code).toBeDefined();
    await (await prisma()).session.updateMany({
      where: { userId: mine.user.id },
      data: { authTime: new Date(Date.now() - 1001_000) },
    });
    expect(answerOf(await ask(client, { max_age: '1000', prompt: 'none' }, mine)).error).toBe(
      'login_required',
    );
    const login = await ask(client, { max_age: '1000' }, mine);
    expect(login.at).toMatch('/login?flow=');
    expect(answerOf(await mine.signInAt(login)).code).toBeDefined();
  });

  test('the consent form does not bypass a sign-in that is too old', async () => {
    const mine = await newPerson(server);
    const client = await newClient();
    const login = await ask(client, { prompt: 'login consent' }, mine);
    const consent = await mine.signInAt(login);
    expect(consent.at).toMatch('/consent?flow=');
    await (await prisma()).session.updateMany({
      where: { userId: mine.user.id },
      data: { authTime: new Date(Date.now() - 1001_000) },
    });
    expect((await mine.decide(consent, 'allow')).at).toMatch('/login?flow=');
  });
});

const cancelOf = ({ html }: { html: string }) =>
  /href="(\/oauth\/cancel\?flow=[^"]+)"/.exec(html)?.[1] ?? '';

test('"cancel" at sign-in gives access_denied, and no code after a later sign-in', async () => {
  const outsider = new Person(server, person.username);
  const client = await newClient();
  const login = await ask(client, {}, outsider);
  const cancelled = { error: 'access_denied', state: 'S', iss: server.issuer };
  expect(answerOf(await outsider.open(cancelOf(login)))).toMatchObject(cancelled);
  const consent = await outsider.signInAt(login);
  const allowed = await outsider.decide(consent, 'allow');
  expect([allowed.at, allowed.status]).toEqual(['/consent/submit', 400]);
  expect(answerOf(await outsider.open(cancelOf(login)))).toMatchObject(cancelled);
});

alike('response_mode=form_post sends the answer in a form, errors too', async () => {
  const client = await newClient({ redirectUris: ['https://weather.example/cb'] });
  const page = await person.authorize(requestOf(client, { response_mode: 'form_post' }));
  expect([page.status, page.headers.get('location')]).toEqual([200, null]);
  const [form] = page.forms;
  expect([form?.action, form?.method]).toEqual(['https://weather.example/cb', 'post']);
  expect(form?.fields).toEqual({ code: expect.any(String), state: 'S', iss: server.issuer });
  expect(page.headers.get('content-security-policy')).toMatch(
    "form-action 'self' https://weather.example;",
  );
  expect(page.headers.get('cache-control')).toBe('no-store');
  const refused = await ask(client, { response_mode: 'form_post', scope: '"' });
  expect(refused.forms[0]?.fields).toMatchObject({ error: 'invalid_scope', state: 'S' });
});
