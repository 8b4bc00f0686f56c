import { describe, expect, test } from 'vitest';
import { disableClient } from '#lib/management/client/clients.ts';
import type { Rule } from '#lib/oauth/facts.ts';
import { me } from '../support/app.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { isSignedIn, type Page, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser } from '../support/seed.ts';
import { attemptOf } from '../support/traces.ts';
import { openIdTokens, type SignedIn, signIn } from './sign-in.ts';

const server = await openServer();
const goodbye = 'https://app.example/goodbye?from=gatehouse';
const logoutPath = (params: Record<string, string>) =>
  `/oauth/logout?${new URLSearchParams(params)}`;
const leave = (person: Person, params: Record<string, string>): Promise<Page> =>
  person.open(logoutPath(params));
const newSignIn = (): Promise<SignedIn> => signIn(server, { postLogoutRedirectUris: [goodbye] });

test('logout with the ID token of this session signs out and redirects with state, without asking', async () => {
  const { user, person, tokens } = await newSignIn();
  const asked = { id_token_hint: tokens.id_token, post_logout_redirect_uri: goodbye, state: 'a b' };
  expect((await leave(person, asked)).at).toBe(`${goodbye}&state=a%20b`);
  expect(await isSignedIn(person)).toBe(false);
  expect(await (await prisma()).session.count({ where: { userId: user.id } })).toBe(0);
  expect((await me(server, tokens.access_token)).status).toBe(200);
});

test('logout ends the session in the database: a copied cookie is no longer valid', async () => {
  const { person, tokens } = await newSignIn();
  const copy = new Map(person.cookies);
  await leave(person, { id_token_hint: tokens.id_token });
  for (const [name, value] of copy) person.cookies.set(name, value);
  expect(await isSignedIn(person)).toBe(false);
});

test('logout without id_token_hint asks the user first', async () => {
  const { person, client } = await newSignIn();
  const page = await leave(person, {
    client_id: client.id,
    post_logout_redirect_uri: goodbye,
    state: 's',
  });
  expect(page.at).toMatch(/^\/logout\?request=/);
  expect(await isSignedIn(person)).toBe(true);
  expect((await person.submit(page, '/logout/submit')).at).toBe(`${goodbye}&state=s`);
  expect(await isSignedIn(person)).toBe(false);
});

test('logout with the ID token of another session or user, or a forged one, asks the user first', async () => {
  const { user, person, client, tokens } = await newSignIn();
  const elsewhere = await openIdTokens(server, new Person(server, user.username), client);
  const others = (await newSignIn()).tokens;
  for (const id_token_hint of [elsewhere.id_token, others.id_token, `${tokens.id_token}x`, 'x']) {
    expect((await leave(person, { id_token_hint })).at).toMatch(/^\/logout\?request=/);
  }
  expect(await isSignedIn(person)).toBe(true);
});

test('logout never redirects to a post_logout_redirect_uri that is not registered', async () => {
  const { person, client, tokens } = await newSignIn();
  const outsider = await newClient();
  const wrong: Record<string, string>[] = [
    { id_token_hint: tokens.id_token, post_logout_redirect_uri: 'https://evil.example/' },
    { id_token_hint: tokens.id_token, post_logout_redirect_uri: `${goodbye}&more` },
    { id_token_hint: tokens.id_token, post_logout_redirect_uri: client.redirectUri },
    { client_id: outsider.id, post_logout_redirect_uri: goodbye },
    { client_id: outsider.id, id_token_hint: tokens.id_token },
    { id_token_hint: 'x', post_logout_redirect_uri: goodbye },
  ];
  for (const params of wrong) {
    const page = await leave(person, params);
    expect([page.status, page.at.startsWith('/')], JSON.stringify(params)).toEqual([400, true]);
  }
  expect(await isSignedIn(person)).toBe(true);
});

test('logout with an id_token_hint not issued here shows an error page about the hint, not the redirect URI', async () => {
  const { person, tokens } = await newSignIn();
  for (const id_token_hint of ['x', `${tokens.id_token}x`]) {
    const page = await leave(person, { id_token_hint, post_logout_redirect_uri: goodbye });
    expect(page.status).toBe(400);
    expect(textOf(page.html)).toMatch(/You’re still signed in/);
    expect(textOf(page.html)).toMatch(/id_token_hint was not issued by this server/);
    expect(textOf(page.html)).not.toMatch(/post_logout_redirect_uri/);
  }
});

test('logout with an unverifiable id_token_hint redirects only after the user has confirmed', async () => {
  const { person, client, tokens } = await newSignIn();
  const id_token_hint = `${tokens.id_token}x`;
  const asked = { id_token_hint, client_id: client.id, post_logout_redirect_uri: goodbye };
  expect((await leave(new Person(server), asked)).at).toBe('/logout/done');
  const page = await leave(person, asked);
  expect(page.at).toMatch(/^\/logout\?request=/);
  expect(await isSignedIn(person)).toBe(true);
  expect((await person.submit(page, '/logout/submit')).at).toBe(goodbye);
});

test('the logout error page does not claim that an anonymous visitor is still signed in', async () => {
  const page = await leave(new Person(server), {
    client_id: 'nobody',
    post_logout_redirect_uri: goodbye,
  });
  expect(page.status).toBe(400);
  expect(textOf(page.html)).not.toMatch(/still signed in/);
  expect(textOf(page.html)).toMatch(/You’re not signed in here/);
});

describe('logout that names only an address', () => {
  const own = () => `https://app.example/${Math.random().toString(36).slice(2)}`;

  test('asks for the one app that registered it, leads back, and is recorded under that app', async () => {
    const post_logout_redirect_uri = own();
    const { user, person, client } = await signIn(server, {
      name: 'Far Desk',
      postLogoutRedirectUris: [post_logout_redirect_uri],
    });
    const sent = { post_logout_redirect_uri, 'client-request-id': 'x', state: 's' };
    const page = await leave(person, sent);
    expect(page.at).toMatch(/^\/logout\?request=/);
    expect(textOf(page.html)).toContain('Far Desk');
    expect(await isSignedIn(person)).toBe(true);
    const done = await person.submit(page, '/logout/submit');
    expect(done.at).toBe(`${post_logout_redirect_uri}?state=s`);
    expect(await isSignedIn(person)).toBe(false);
    const events = await (await prisma()).auditEvent.findMany({
      where: { type: 'sign-out', userId: user.id },
    });
    expect(events.map(({ clientId }) => clientId)).toEqual([client.id]);
    expect((await leave(new Person(server), sent)).at).toBe(`${post_logout_redirect_uri}?state=s`);
  });

  test('asks plainly and stays here if nobody registered it, or several apps', async () => {
    const shared = own();
    await newClient({ postLogoutRedirectUris: [shared] });
    await newClient({ postLogoutRedirectUris: [shared] });
    for (const post_logout_redirect_uri of [shared, own(), 'nonsense', 'javascript:alert(1)']) {
      const { person } = await newSignIn();
      const page = await leave(person, { post_logout_redirect_uri });
      expect(page.at).toMatch(/^\/logout\?request=/);
      expect((await person.submit(page, '/logout/submit')).at).toMatch(/^\/logout\/done/);
      expect(await isSignedIn(person)).toBe(false);
      const { at } = await leave(new Person(server), { post_logout_redirect_uri });
      expect(at).toBe('/logout/done');
    }
  });

  test('is not sent to the address of an app that no admin made, which cannot take that of another', async () => {
    const post_logout_redirect_uri = own();
    const uris = { postLogoutRedirectUris: [post_logout_redirect_uri] };
    await newClient({ ...uris, origin: 'registration' });
    const { person } = await newSignIn();
    expect((await leave(new Person(server), { post_logout_redirect_uri })).at).toBe('/logout/done');
    await newClient({ ...uris, name: 'Far Desk' });
    const page = await leave(person, { post_logout_redirect_uri });
    expect(textOf(page.html)).toContain('Far Desk');
  });

  test('has a note in the attempt if no app is known by it', async () => {
    const post_logout_redirect_uri = own();
    const { user, person } = await newSignIn();
    const { step, trace } = await attemptOf(
      await person.request(logoutPath({ post_logout_redirect_uri })),
    );
    expect(step).toMatchObject({ step: 'sign-out', outcome: 'done' });
    expect([trace.clientId, trace.userId]).toEqual([null, user.id]);
    expect(step.notes).toEqual([
      {
        rule: 'post-logout.no-client',
        received: post_logout_redirect_uri,
        expected: ['client_id', 'id_token_hint'],
      },
    ]);
  });
});

test('logout with a repeated parameter is refused', async () => {
  const { person, tokens } = await newSignIn();
  const path = `${logoutPath({ id_token_hint: tokens.id_token, state: 'a' })}&state=b`;
  expect((await person.open(path)).status).toBe(400);
  const body = path.split('?')[1] ?? '';
  const posted = await person.request('/oauth/logout', { method: 'POST', body });
  expect((await person.open(posted.headers.get('location') ?? '')).status).toBe(400);
  expect(await isSignedIn(person)).toBe(true);
});

test('logout by POST redirects without the ID token in the URL', async () => {
  const { person, tokens } = await newSignIn();
  const form = { id_token_hint: tokens.id_token, post_logout_redirect_uri: goodbye, state: 's' };
  const posted = await fetch(`${server.base}/oauth/logout`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { Origin: 'https://app.example', 'Sec-Fetch-Site': 'cross-site' },
    redirect: 'manual',
  });
  expect(posted.status).toBe(303);
  expect(posted.headers.get('location')).not.toContain(tokens.id_token.slice(0, 20));
  expect((await person.open(posted.headers.get('location') ?? '')).at).toBe(`${goodbye}&state=s`);
  expect(await isSignedIn(person)).toBe(false);
});

test('logout without a session redirects without asking', async () => {
  const { tokens } = await newSignIn();
  const asked = { id_token_hint: tokens.id_token, post_logout_redirect_uri: goodbye };
  expect((await leave(new Person(server), asked)).at).toBe(goodbye);
  expect((await leave(new Person(server), {})).at).toBe('/logout/done');
});

test('logout does not redirect to an app that an admin has disabled', async () => {
  const { person, client, tokens } = await newSignIn();
  await disableClient(client.id, { id: 'cli' }, new Date());
  const asked = { client_id: client.id, post_logout_redirect_uri: goodbye };
  expect((await leave(new Person(server), asked)).at).toBe('/logout/done');
  const page = await leave(person, { ...asked, id_token_hint: tokens.id_token });
  expect(page.at).toBe('/logout/done');
  expect(await isSignedIn(person)).toBe(false);
});

test('the logout form is refused when another site posts it', async () => {
  const { person } = await newSignIn();
  const page = await leave(person, {});
  const { body } = person.postOf(page, '/logout/submit');
  const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  expect((await person.open('/logout/submit', { method: 'POST', body, headers })).status).toBe(403);
  expect((await person.open('/logout/submit', { method: 'POST', body: '' })).status).toBe(403);
  expect(await isSignedIn(person)).toBe(true);
});

describe('a refused logout request is recorded as an attempt', () => {
  type Case = [
    rule: Rule,
    ask: (is: SignedIn) => Record<string, string>,
    received: unknown,
    expected: unknown,
  ];
  const elsewhere = 'https://app.example/elsewhere';
  test.each<Case>([
    [
      'post-logout.unregistered',
      ({ tokens }) => ({ id_token_hint: tokens.id_token, post_logout_redirect_uri: elsewhere }),
      ...([elsewhere, [goodbye]] as const),
    ],
    [
      'post-logout.unregistered',
      ({ client }) => ({ client_id: client.id, post_logout_redirect_uri: elsewhere }),
      ...([elsewhere, [goodbye]] as const),
    ],
    [
      'client.unknown',
      () => ({ client_id: 'nobody', post_logout_redirect_uri: goodbye }),
      ...(['nobody', []] as const),
    ],
    [
      'id-token-hint.foreign',
      ({ client }) => ({
        id_token_hint: 'x',
        client_id: client.id,
        post_logout_redirect_uri: elsewhere,
      }),
      ...([null, ['an ID token of this server']] as const),
    ],
    [
      'id-token-hint.other-client',
      ({ tokens }) => ({ id_token_hint: tokens.id_token, client_id: 'other' }),
      ...(['other', [expect.stringMatching(/^client-/)]] as const),
    ],
  ])('with the received and the expected value: %s', async (rule, ask, received, expected) => {
    const signedIn = await newSignIn();
    const params = ask(signedIn);
    const { step, trace } = await attemptOf(await leave(signedIn.person, params));
    expect(step).toMatchObject({ step: 'sign-out', outcome: 'refused', rule, received, expected });
    const named = params.client_id === signedIn.client.id || params.id_token_hint?.includes('.');
    expect(trace.clientId).toBe(named ? signedIn.client.id : null);
    expect(trace.userId).toBe(signedIn.user.id);
    expect(JSON.stringify(step)).not.toContain(signedIn.tokens.id_token);
  });

  test('also without a session', async () => {
    const client = await newClient({ postLogoutRedirectUris: [goodbye] });
    const page = await leave(new Person(server), {
      client_id: client.id,
      post_logout_redirect_uri: elsewhere,
    });
    const { trace, step } = await attemptOf(page);
    expect([trace.clientId, trace.userId]).toEqual([client.id, null]);
    expect(step).toMatchObject({ rule: 'post-logout.unregistered', received: elsewhere });
  });

  test('and its page names the app and the URI that was sent, and links an admin to the attempt', async () => {
    const client = await newClient({ name: 'Web shop', postLogoutRedirectUris: [goodbye] });
    const params = { client_id: client.id, post_logout_redirect_uri: elsewhere };
    const { username } = await newUser({ isAdmin: true });
    for (const person of [new Person(server), new Person(server, username)]) {
      if (person.username) await person.signIn();
      const { html, headers } = await leave(person, params);
      expect(textOf(html)).toContain('Web shop');
      expect(textOf(html)).toContain(elsewhere);
      expect(html).not.toContain(`href="${elsewhere}`);
      const way = `/admin/traces?request=${headers.get('x-request-id')}`;
      expect(html.includes(`href="${way}"`)).toBe(person.username !== '');
    }
  });
});
