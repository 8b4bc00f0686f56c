import { expect, test } from 'vitest';
import type { StoredClaims } from '#lib/oauth/claims.ts';
import { me } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, Person } from '../support/person.ts';
import { newClient, newUser } from '../support/seed.ts';
import { everyClaim } from './every-claim.ts';
import { asking, openIdTokens, readIdToken, signIn } from './sign-in.ts';

const server = await openServer();

test('each scope gives its standard claims at the user information endpoint, and no others', async () => {
  const user = await newUser({ name: 'Ada Lovelace', claims: everyClaim });
  const infoFor = async (scope: string) => {
    const tokens = await openIdTokens(
      server,
      new Person(server, user.username),
      await newClient(),
      {
        scope,
      },
    );
    return (await me(server, tokens.access_token)).body;
  };
  const { phone_number, phone_number_verified, address, ...ofProfile } = everyClaim;
  const always = { sub: user.id, username: user.username, email: user.email };
  const preferred_username = user.username;
  expect(await infoFor('openid')).toEqual(always);
  const profile = {
    ...always,
    ...ofProfile,
    name: 'Ada Lovelace',
    preferred_username,
    updated_at: expect.any(Number),
  };
  expect(await infoFor('openid profile')).toEqual(profile);
  expect(await infoFor('openid email')).toEqual({ ...always, email_verified: false });
  expect(await infoFor('openid phone')).toEqual({ ...always, phone_number, phone_number_verified });
  expect(await infoFor('openid address')).toEqual({ ...always, address });
});

test('phone_number_verified is false for an unconfirmed number, in the user information and the ID token', async () => {
  const infoFor = async (claims: StoredClaims) => {
    const user = await newUser({ claims });
    const client = await newClient();
    const asked = JSON.stringify({ id_token: { phone_number: null, phone_number_verified: null } });
    const tokens = await openIdTokens(server, new Person(server, user.username), client, {
      scope: 'openid phone',
      claims: asked,
    });
    const { body } = await me(server, tokens.access_token);
    const { payload } = await readIdToken(server, client, tokens.id_token);
    const only = ({ phone_number, phone_number_verified }: Record<string, unknown>) => ({
      phone_number,
      phone_number_verified,
    });
    expect(only(payload)).toEqual(only(body));
    return only(body);
  };
  const phone_number = '+44 20 7946 0000';
  expect(await infoFor({ phone_number })).toEqual({ phone_number, phone_number_verified: false });
  expect(await infoFor({ phone_number, phone_number_verified: true })).toEqual({
    phone_number,
    phone_number_verified: true,
  });
  expect(await infoFor({ phone_number_verified: true })).toEqual({});
});

test('the claims parameter requests single claims, in the ID token and in the user information', async () => {
  const user = await newUser({ name: 'Ada Lovelace', claims: everyClaim });
  const person = new Person(server, user.username);
  const client = await newClient();
  const claims = JSON.stringify({
    userinfo: {
      nickname: null,
      phone_number: { essential: true },
      'http://example.com/unknown': null,
    },
    id_token: {
      given_name: { essential: true },
      auth_time: { essential: true },
      acr: { values: ['urn:a'] },
    },
  });
  const tokens = await openIdTokens(server, person, client, { claims });
  const info = (await me(server, tokens.access_token)).body;
  expect(info).toMatchObject({ nickname: 'Countess', phone_number: everyClaim.phone_number });
  expect(info).not.toHaveProperty('given_name');
  const { payload } = await readIdToken(server, client, tokens.id_token);
  expect(payload).toMatchObject({ given_name: 'Ada', auth_time: expect.any(Number) });
  expect(payload).not.toHaveProperty('nickname');
  expect(payload).not.toHaveProperty('name');
  expect(tokens.scope).toBe('openid');
});

test('claims requested by the claims parameter need consent, as their scope does', async () => {
  const { person, client } = await signIn(server);
  const claims = JSON.stringify({ userinfo: { phone_number: null } });
  const silent = await person.open(authorizePath(asking(client, { prompt: 'none', claims })));
  expect(answerOf(silent)).toMatchObject({ error: 'consent_required' });
  const consent = await person.open(authorizePath(asking(client, { claims })));
  expect(consent.at).toMatch(/^\/consent\?flow=/);
  expect(consent.html).toContain('phone');
});

test('the claims parameter gives no claims of a scope that the client may not request', async () => {
  const { client, tokens } = await signIn(
    server,
    { scopes: ['openid'] },
    { claims: JSON.stringify({ userinfo: { name: null }, id_token: { name: null } }) },
  );
  expect((await me(server, tokens.access_token)).body).not.toHaveProperty('name');
  expect((await readIdToken(server, client, tokens.id_token)).payload).not.toHaveProperty('name');
});

test('sub requested by the claims parameter lets only that user answer', async () => {
  const { user, person, client } = await signIn(server);
  const silently = async (value: string) =>
    answerOf(
      await person.open(
        authorizePath(
          asking(client, {
            prompt: 'none',
            claims: JSON.stringify({ id_token: { sub: { value } } }),
          }),
        ),
      ),
    );
  expect(await silently(user.id)).toHaveProperty('code');
  expect(await silently('somebody-else')).toMatchObject({ error: 'login_required' });
});

test.each([
  '{',
  '[]',
  '"name"',
  '{"userinfo":["name"]}',
  '{"id_token":{"name":"Ada"}}',
  '{"userinfo":{"name":{"essential":"yes"}}}',
  '{"id_token":{"sub":{"value":7}}}',
  '{"userinfo":{"sub":{"value":null}}}',
  '{"id_token":{"sub":{"value":["a"]}}}',
  '{"id_token":{"sub":{"value":"a"}},"userinfo":{"sub":{"value":"b"}}}',
])('the claims parameter %s is refused', async (claims) => {
  const page = await new Person(server).open(authorizePath(asking(await newClient(), { claims })));
  expect(answerOf(page)).toMatchObject({ error: 'invalid_request' });
});

test('the claims parameter ignores names that JavaScript objects have, such as __proto__', async () => {
  const claims = '{"userinfo":{"__proto__":{"essential":true},"constructor":null,"toString":null}}';
  const { tokens } = await signIn(server, {}, { claims });
  expect(Object.keys((await me(server, tokens.access_token)).body).sort()).toEqual([
    'email',
    'sub',
    'username',
  ]);
});
