import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { refresh, tokensOf } from '../support/app.ts';
import { openHouse } from '../support/house.ts';
import { Person } from '../support/person.ts';
import { newClient, newUser } from '../support/seed.ts';
import { openIdTokens, readIdToken, signIn } from './sign-in.ts';

const house = await openHouse();
const now = () => Math.floor(Date.now() / 1000);

test.each(['RS256', 'ES256'])(
  'an ID token signed with %s says who signed in, for whom, when and how',
  async (alg) => {
    const { user, client, tokens } = await signIn(
      house,
      { idTokenAlg: alg },
      { nonce: 'n-0S6_WzA2Mj' },
    );
    const { protectedHeader, payload } = await readIdToken(house, client, tokens.id_token);
    expect(protectedHeader).toEqual({ alg, kid: expect.any(String), typ: 'JWT' });
    expect(payload).toEqual({
      iss: house.issuer,
      sub: user.id,
      aud: client.id,
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 3600,
      auth_time: expect.any(Number),
      amr: ['pwd'],
      acr: 'urn:gatehouse:single',
      nonce: 'n-0S6_WzA2Mj',
      at_hash: createHash('sha256')
        .update(tokens.access_token)
        .digest()
        .subarray(0, 16)
        .toString('base64url'),
      sid: expect.any(String),
    });
    expect(Math.abs(now() - (payload.iat ?? 0))).toBeLessThan(30);
    expect(payload.auth_time).toBeLessThanOrEqual(payload.iat ?? 0);
  },
);

test('without a nonce in the request there is none in the ID token', async () => {
  const { client, tokens } = await signIn(house);
  expect((await readIdToken(house, client, tokens.id_token)).payload).not.toHaveProperty('nonce');
});

test('with the scopes profile and email an ID token names the person', async () => {
  const { user, client, tokens } = await signIn(house, {}, { scope: 'openid profile email phone' });
  const { payload } = await readIdToken(house, client, tokens.id_token);
  expect(payload).toMatchObject({
    name: 'Ada Lovelace',
    preferred_username: user.username,
    email: user.email,
    email_verified: false,
  });
  expect(payload).not.toHaveProperty('updated_at');
});

test('two apps in one browser see one person, one sign-in and one session; another browser is another session', async () => {
  const { user, person, client, tokens } = await signIn(house);
  const other = await newClient();
  const [one, two] = [
    (await readIdToken(house, client, tokens.id_token)).payload,
    (await readIdToken(house, other, (await openIdTokens(house, person, other)).id_token)).payload,
  ];
  expect([two.sub, two.auth_time, two.sid]).toEqual([one.sub, one.auth_time, one.sid]);
  const elsewhere = await openIdTokens(house, new Person(house, user.username), client);
  expect((await readIdToken(house, client, elsewhere.id_token)).payload.sid).not.toBe(one.sid);
});

test('without the scope openid there is no ID token, and a refresh brings none', async () => {
  const person = new Person(house, (await newUser()).username);
  expect(await tokensOf(house, person, undefined, { scope: 'profile' })).not.toHaveProperty(
    'id_token',
  );
  const { tokens } = await signIn(house);
  const again = await refresh(house, tokens.refresh_token);
  expect(again.status).toBe(200);
  expect(again.body).not.toHaveProperty('id_token');
});
