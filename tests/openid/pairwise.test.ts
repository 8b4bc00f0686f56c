import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt } from 'jose';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { type createClient, showClient, updateClient } from '#lib/management/client/clients.ts';
import { actor, faultsOf, newApp } from '../management/people.ts';
import { newApi } from '../support/apis.ts';
import { basic, me, post, refresh } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, Person } from '../support/person.ts';
import { newAddress, register } from '../support/registering.ts';
import { newClient, newPkce, newUser, type TestClient } from '../support/seed.ts';
import { set } from '../support/settings.ts';
import { newUnverifiedApp } from '../support/unverified-apps.ts';
import { asking, openIdTokens, readIdToken } from './sign-in.ts';

// Pairwise subjects (OpenID Connect Core section 8.1).
const gatehouse = await openServer({ BACKCHANNEL_TO_PRIVATE_ADDRESSES: 'on' });
const other = await gatehouse.secondProcess();
const pairwise = { subjectType: 'pairwise' } as const;
const at = (host: string, path = '/cb') => ({
  ...pairwise,
  redirectUris: [`https://${host}${path}`],
});
const subOf = (token: unknown) => decodeJwt(String(token)).sub;

describe('a pairwise sub', () => {
  test('differs at each host, and is the same at all apps of one host', async () => {
    const user = await newUser();
    const by = async (options: Parameters<typeof newClient>[0], server = gatehouse) => {
      const person = new Person(server, user.username);
      const client = await newClient(options);
      return subOf((await openIdTokens(server, person, client)).id_token);
    };
    const one = await by(at('one.example'));
    expect(one).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await by(at('one.example', '/other'))).toBe(one);
    expect(await by(at('one.example'), { ...other, issuer: gatehouse.issuer })).toBe(one);
    expect(await by(at('two.example'))).not.toBe(one);
    const sector = { ...at('two.example'), sectorIdentifierUri: 'https://one.example/sector' };
    expect(await by(sector)).toBe(one);
    expect(await by({ redirectUris: ['https://one.example/cb'] })).toBe(user.id);
    const others = await newUser();
    const client = await newClient(at('one.example'));
    const tokens = await openIdTokens(gatehouse, new Person(gatehouse, others.username), client);
    expect(subOf(tokens.id_token)).not.toBe(one);
  });

  test('is the same in ID tokens, user information, introspection, JWT access tokens and logout tokens', async () => {
    const received: string[] = [];
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      received.push(new URLSearchParams(text).get('logout_token') ?? '');
      response.end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    afterAll(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const person = await newPerson(gatehouse);
    const client = await newClient({
      ...at('all.example'),
      backchannelLogoutUri: `http://localhost:${port}/bye`,
    });
    const tokens = await openIdTokens(gatehouse, person, client);
    const sub = subOf(tokens.id_token);
    expect(sub).not.toBe(person.user.id);
    const { body: told } = await me(gatehouse, tokens.access_token);
    // The user name and the address would identify the person after all.
    expect(told).toEqual({ sub });
    const introspected = async (token: string) =>
      (await post(gatehouse, '/oauth/introspect', { token }, basic(client))).body;
    expect(await introspected(tokens.access_token)).toMatchObject({ active: true, sub });
    expect(await introspected(tokens.access_token)).not.toHaveProperty('username');
    expect(await introspected(tokens.refresh_token)).toMatchObject({ active: true, sub });
    const refreshed = (await refresh(gatehouse, tokens.refresh_token)).body;
    expect(subOf(refreshed.id_token)).toBe(sub);
    const api = await newApi({ tokenFormat: 'jwt' });
    const forApi = await openIdTokens(gatehouse, person, client, { resource: api.identifier });
    expect(subOf(forApi.access_token)).toBe(sub);
    expect(await introspected(forApi.access_token)).toMatchObject({ sub });
    const page = await person.open(`/oauth/logout?id_token_hint=${tokens.id_token}`);
    expect(page.at).toMatch(/^\/logout\/done/);
    await vi.waitFor(() => expect(received).toHaveLength(1), 20_000);
    const { sid } = decodeJwt(String(tokens.id_token));
    expect((await readIdToken(gatehouse, client, received[0] ?? '')).payload).toMatchObject({
      sub,
      sid,
    });
  });

  test('comes with a sid of its own at each host, and an ID token with it is accepted at logout', async () => {
    const person = await newPerson(gatehouse);
    const one = await newClient(at('sid-one.example'));
    const two = await newClient(at('sid-two.example'));
    const same = await newClient(at('sid-one.example', '/other'));
    const all = await newClient();
    const hintFor = async (client: TestClient) =>
      String((await openIdTokens(gatehouse, person, client)).id_token);
    const hints = [];
    for (const client of [one, two, same, all]) hints.push(await hintFor(client));
    const [ofOne, ofTwo, ofSame, ofAll] = hints.map((hint) => decodeJwt(hint).sid);
    expect(new Set([ofOne, ofTwo, ofAll]).size).toBe(3);
    expect(ofSame).toBe(ofOne);
    const page = await person.open(`/oauth/logout?id_token_hint=${hints[1]}`);
    expect(page.at).toMatch(/^\/logout\/done/);
  });

  test('comes with the claims of the scope, as a public sub does', async () => {
    const person = await newPerson(gatehouse);
    const client = await newClient(at('scopes.example'));
    const { access_token } = await openIdTokens(gatehouse, person, client, {
      scope: 'openid email',
    });
    const { body } = await me(gatehouse, access_token);
    expect(Object.keys(body).toSorted()).toEqual(['email', 'email_verified', 'sub']);
  });

  test('names the user in id_token_hint and claims, where the user id does not', async () => {
    const person = await newPerson(gatehouse);
    const client = await newClient(at('hints.example'));
    const { id_token: hint } = await openIdTokens(gatehouse, person, client);
    const silently = async (more: Record<string, string>, who: Person = person) =>
      answerOf(await who.open(authorizePath(asking(client, { prompt: 'none', ...more }))));
    const naming = (value: unknown) => ({
      claims: JSON.stringify({ id_token: { sub: { value } } }),
    });
    expect(await silently({ id_token_hint: hint })).toHaveProperty('code');
    expect(await silently(naming(subOf(hint)))).toHaveProperty('code');
    expect(await silently(naming(person.user.id))).toMatchObject({ error: 'login_required' });
    const stranger = await newPerson(gatehouse);
    await openIdTokens(gatehouse, stranger, client);
    expect(await silently({ id_token_hint: hint }, stranger)).toMatchObject({
      error: 'login_required',
    });
  });
});

test('subject_types_supported of the metadata is public and pairwise', async () => {
  const known = await (await fetch(`${gatehouse.base}/.well-known/openid-configuration`)).json();
  expect(known.subject_types_supported).toEqual(['public', 'pairwise']);
});

describe('the sector of an app with pairwise subjects', () => {
  const change = (id: string, to: Parameters<typeof createClient>[0]) =>
    updateClient(id, to, { actor, now: new Date() });
  const two = ['https://one.example/cb', 'https://two.example/cb'];

  test('must be given as sectorIdentifierUri if the redirect URIs are on several hosts', async () => {
    expect(await faultsOf(newApp({ ...pairwise, redirectUris: two }))).toEqual({
      subjectType: expect.stringMatching(/sector_identifier_uri/),
    });
    const sectorIdentifierUri = 'https://one.example/';
    await newApp({ ...pairwise, redirectUris: two, sectorIdentifierUri });
    for (const wrong of ['http://one.example/', 'one.example', 'https://one.example/#x'])
      expect(await faultsOf(newApp({ sectorIdentifierUri: wrong }))).toHaveProperty(
        'sectorIdentifierUri',
      );
  });

  test('must stay when the redirect URIs move to another host, or be given as sectorIdentifierUri', async () => {
    const { client } = await newApp(at('old.example'));
    const redirectUris = ['https://new.example/cb'];
    expect(await faultsOf(change(client.id, { redirectUris }))).toEqual({
      redirectUris: expect.stringMatching(/new\.example and no longer old\.example/),
    });
    await change(client.id, { redirectUris, sectorIdentifierUri: 'https://old.example' });
    expect((await showClient(client.id)).redirectUris).toEqual(redirectUris);
  });

  test.each([
    ['no address', { redirectUris: ['nonsense'] }, 'redirectUris'],
    ['no address of a sector', { sectorIdentifierUri: 'nonsense' }, 'sectorIdentifierUri'],
  ])('does not crash the check of an app with %s', async (_, wrong, field) => {
    expect(await faultsOf(newApp({ ...pairwise, ...wrong }))).toHaveProperty(field);
    const { client } = await newApp(at('sound.example'));
    expect(await faultsOf(change(client.id, wrong))).toHaveProperty(field);
  });

  const loopback = ['http://127.0.0.1/cb', 'http://[::1]/cb'];
  const scheme = ['com.example.program:/cb'];

  test.each([
    ['registered for loopback', 'registration', loopback],
    ['registered for a scheme', 'registration', scheme],
    ['registered for both', 'registration', [...loopback, ...scheme]],
    ['has a document and is for loopback', 'document', loopback],
    ['registered for a host', 'registration', ['https://kept.example/cb']],
  ] as const)('does not prevent other edits of an app that %s', async (_, origin, redirectUris) => {
    const { id } = await newUnverifiedApp({ ...pairwise, origin, redirectUris: [...redirectUris] });
    await change(id, { networks: ['192.0.2.0/24'], requireSecondFactor: true });
    expect(await showClient(id)).toMatchObject({ requireSecondFactor: true, ...pairwise });
  });

  test('stays the app’s own while its redirect URIs are loopback addresses or own schemes', async () => {
    const { id } = await newUnverifiedApp({ ...pairwise, redirectUris: loopback });
    for (const redirectUris of [['http://localhost/cb'], scheme, loopback])
      await change(id, { redirectUris });
    const redirectUris = ['https://moved.example/cb'];
    expect(await faultsOf(change(id, { redirectUris }))).toEqual({
      redirectUris: expect.stringMatching(/no other app.*such as https:\/\/moved\.example/),
    });
    await change(id, { redirectUris, sectorIdentifierUri: 'https://moved.example' });
  });

  test('must be given once a registered app has redirect URIs on several hosts', async () => {
    const { id } = await newUnverifiedApp({ ...pairwise, redirectUris: loopback });
    expect(await faultsOf(change(id, { redirectUris: two }))).toEqual({
      subjectType: expect.stringMatching(/sector_identifier_uri/),
    });
  });
});

describe('dynamic client registration with subject_type pairwise', () => {
  const said = { redirect_uris: ['https://self.example/cb'], subject_type: 'pairwise' };
  const open = () => set('CLIENT_REGISTRATION', 'open');

  /**
   * An app that registers itself, and a function that signs a person in and returns the `sub` by
   * which the app knows them.
   */
  async function newSelfMade(redirectUri: string) {
    await open();
    const more = { redirect_uris: [redirectUri], application_type: 'native' };
    const { status, body } = await register(gatehouse, { ...said, ...more }, newAddress());
    expect([status, body.subject_type]).toEqual([201, 'pairwise']);
    const client = {
      id: String(body.client_id),
      secret: String(body.client_secret),
      redirectUri,
    };
    const pkce = newPkce();
    return async (person: Person) => {
      const code = await person.code(asking(client, pkce.challenge));
      const sent = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: client.redirectUri,
        code_verifier: pkce.verifier,
      };
      return subOf((await post(gatehouse, '/oauth/token', sent, basic(client))).body.id_token);
    };
  }

  test('gives the same pairwise sub on each sign-in of a user', async () => {
    const subAt = await newSelfMade('https://self.example/cb');
    const person = await newPerson(gatehouse);
    const first = await subAt(person);
    expect(first).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await subAt(person)).toBe(first);
  });

  test.each(['http://127.0.0.1/cb', 'com.example.program:/cb'])(
    'for %s shares its sector with no other client (OpenID Connect Core section 8.1)',
    async (redirectUri) => {
      const person = await newPerson(gatehouse);
      const one = await newSelfMade(redirectUri);
      const other = await newSelfMade(redirectUri);
      const first = await one(person);
      expect(await other(person)).not.toBe(first);
      expect(await one(person)).toBe(first);
    },
  );

  test.each([
    ['another kind', { subject_type: 'ephemeral' }, /public or pairwise/],
    ['a sector', { sector_identifier_uri: 'https://evil.example/s' }, /one host/],
    [
      'a host beside a program',
      { redirect_uris: [...said.redirect_uris, 'http://127.0.0.1/cb'] },
      /one host/,
    ],
    [
      'two hosts',
      { redirect_uris: [...said.redirect_uris, 'https://a.self.example/'] },
      /one host/,
    ],
  ])('and %s is refused', async (_, more, says) => {
    await open();
    const { status, body } = await register(gatehouse, { ...said, ...more }, newAddress());
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
    expect(body.error_description).toMatch(says);
  });
});
