import { expect, test } from 'vitest';
import { basic, credentials, me, post, refresh } from '../support/app.ts';
import { openHouse } from '../support/house.ts';
import { newClient } from '../support/seed.ts';
import { signIn } from './sign-in.ts';

const house = await openHouse();
const revoke = (params: Record<string, string>, headers?: Record<string, string>) =>
  post(house, '/oauth/revoke', params, headers);

test('a client revokes an access token; its refresh token lives on', async () => {
  const { client, tokens } = await signIn(house);
  const answer = await revoke({
    ...credentials(client),
    token: tokens.access_token,
    token_type_hint: 'access_token',
  });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect((await me(house, tokens.access_token)).status).toBe(401);
  expect((await refresh(house, tokens.refresh_token)).status).toBe(200);
});

test('a client revokes a token of its own, without a person: at once, and that one alone', async () => {
  const client = await newClient({ grants: ['client_credentials'], redirectUris: [] });
  const ask = async () => {
    const form = { ...credentials(client), grant_type: 'client_credentials' };
    return String((await post(house, '/oauth/token', form)).body.access_token);
  };
  const [one, other] = [await ask(), await ask()];
  const isActive = async (token: string) =>
    (await post(house, '/oauth/introspect', { ...credentials(client), token })).body.active;
  expect([await isActive(one), await isActive(other)]).toEqual([true, true]);
  expect((await revoke({ ...credentials(client), token: one })).status).toBe(200);
  expect([await isActive(one), await isActive(other)]).toEqual([false, true]);
});

test('of the access tokens of one authorization the revoked one ends alone', async () => {
  const { client, tokens } = await signIn(house);
  const second = (await refresh(house, tokens.refresh_token)).body;
  await revoke({ ...credentials(client), token: tokens.access_token });
  expect((await me(house, tokens.access_token)).status).toBe(401);
  expect((await me(house, String(second.access_token))).status).toBe(200);
});

test('revoking a refresh token ends its authorization, access tokens included', async () => {
  const { client, tokens } = await signIn(house);
  const second = (await refresh(house, tokens.refresh_token)).body;
  expect((await revoke({ token: String(second.refresh_token) }, basic(client))).status).toBe(200);
  for (const token of [tokens.access_token, String(second.access_token)])
    expect((await me(house, token)).status).toBe(401);
  expect((await refresh(house, String(second.refresh_token))).body.error).toBe('invalid_grant');
});

test('a refresh token that was rotated away still names its authorization', async () => {
  const { client, tokens } = await signIn(house);
  const second = (await refresh(house, tokens.refresh_token)).body;
  expect((await revoke({ ...credentials(client), token: tokens.refresh_token })).status).toBe(200);
  expect((await me(house, String(second.access_token))).status).toBe(401);
});

test.each(['refresh_token', 'access_token', 'saml_token'])(
  'a wrong token_type_hint (%s) hinders nothing',
  async (token_type_hint) => {
    const { client, tokens } = await signIn(house);
    const token = token_type_hint === 'access_token' ? tokens.refresh_token : tokens.access_token;
    expect((await revoke({ ...credentials(client), token, token_type_hint })).status).toBe(200);
    expect((await me(house, tokens.access_token)).status).toBe(401);
  },
);

test('unknown, ended and repeated tokens: 200', async () => {
  const { client, tokens } = await signIn(house);
  for (const token of ['no-such-token', tokens.access_token, tokens.access_token])
    expect((await revoke({ ...credentials(client), token })).status).toBe(200);
});

test('the token of another client stays, and the answer does not tell', async () => {
  const { tokens } = await signIn(house);
  const outsider = await newClient();
  for (const token of [tokens.access_token, tokens.refresh_token]) {
    const [other, unknown] = [
      await revoke({ ...credentials(outsider), token }),
      await revoke({ ...credentials(outsider), token: 'x' }),
    ];
    expect([other.status, other.body]).toEqual([unknown.status, unknown.body]);
  }
  expect((await me(house, tokens.access_token)).status).toBe(200);
  expect((await refresh(house, tokens.refresh_token)).status).toBe(200);
});

test('a public client revokes its own by its id alone, a confidential one must prove itself', async () => {
  const { client, tokens } = await signIn(house);
  for (const who of [
    { client_id: client.id },
    { client_id: client.id, client_secret: 'wrong' },
    {},
  ]) {
    const { status, body } = await revoke({ ...who, token: tokens.access_token } as Record<
      string,
      string
    >);
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  }
  expect((await me(house, tokens.access_token)).status).toBe(200);
});

test('a request without token, with parameters in the URL, or with a repeated one is refused', async () => {
  const { client, tokens } = await signIn(house);
  expect((await revoke(credentials(client))).body.error).toBe('invalid_request');
  const inUrl = await post(
    house,
    `/oauth/revoke?token=${tokens.access_token}`,
    credentials(client),
  );
  expect([inUrl.status, inUrl.body.error]).toEqual([400, 'invalid_request']);
  const twice: [string, string][] = [
    ...Object.entries(credentials(client)),
    ['token', 'a'],
    ['token', tokens.access_token],
  ];
  expect((await post(house, '/oauth/revoke', twice)).body.error).toBe('invalid_request');
  expect((await me(house, tokens.access_token)).status).toBe(200);
});

test('scripts of any origin may revoke, without cookies', async () => {
  const { headers } = await revoke({ token: 'x' }, { Origin: 'https://app.example' });
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-credentials')).toBeNull();
});
