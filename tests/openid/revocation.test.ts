import { expect, test } from 'vitest';
import { basic, credentials, me, post, refresh } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { newClient } from '../support/seed.ts';
import { signIn } from './sign-in.ts';

const server = await openServer();
const revoke = (params: Record<string, string>, headers?: Record<string, string>) =>
  post(server, '/oauth/revoke', params, headers);

test('revoking an access token leaves its refresh token valid', async () => {
  const { client, tokens } = await signIn(server);
  const answer = await revoke({
    ...credentials(client),
    token: tokens.access_token,
    token_type_hint: 'access_token',
  });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect((await me(server, tokens.access_token)).status).toBe(401);
  expect((await refresh(server, tokens.refresh_token)).status).toBe(200);
});

test('revoking an access token of the client credentials grant ends that one immediately, and no other', async () => {
  const client = await newClient({ grants: ['client_credentials'], redirectUris: [] });
  const ask = async () => {
    const form = { ...credentials(client), grant_type: 'client_credentials' };
    return String((await post(server, '/oauth/token', form)).body.access_token);
  };
  const one = await ask();
  const other = await ask();
  const isActive = async (token: string) =>
    (await post(server, '/oauth/introspect', { ...credentials(client), token })).body.active;
  expect([await isActive(one), await isActive(other)]).toEqual([true, true]);
  expect((await revoke({ ...credentials(client), token: one })).status).toBe(200);
  expect([await isActive(one), await isActive(other)]).toEqual([false, true]);
});

test('revoking an access token leaves the other access tokens of its authorization valid', async () => {
  const { client, tokens } = await signIn(server);
  const second = (await refresh(server, tokens.refresh_token)).body;
  await revoke({ ...credentials(client), token: tokens.access_token });
  expect((await me(server, tokens.access_token)).status).toBe(401);
  expect((await me(server, String(second.access_token))).status).toBe(200);
});

test('revoking a refresh token ends its authorization, access tokens included', async () => {
  const { client, tokens } = await signIn(server);
  const second = (await refresh(server, tokens.refresh_token)).body;
  expect((await revoke({ token: String(second.refresh_token) }, basic(client))).status).toBe(200);
  for (const token of [tokens.access_token, String(second.access_token)])
    expect((await me(server, token)).status).toBe(401);
  expect((await refresh(server, String(second.refresh_token))).body.error).toBe('invalid_grant');
});

test('revoking a refresh token that was already rotated ends its authorization', async () => {
  const { client, tokens } = await signIn(server);
  const second = (await refresh(server, tokens.refresh_token)).body;
  expect((await revoke({ ...credentials(client), token: tokens.refresh_token })).status).toBe(200);
  expect((await me(server, String(second.access_token))).status).toBe(401);
});

test.each(['refresh_token', 'access_token', 'saml_token'])(
  'a wrong token_type_hint (%s) does not prevent revocation',
  async (token_type_hint) => {
    const { client, tokens } = await signIn(server);
    const token = token_type_hint === 'access_token' ? tokens.refresh_token : tokens.access_token;
    expect((await revoke({ ...credentials(client), token, token_type_hint })).status).toBe(200);
    expect((await me(server, tokens.access_token)).status).toBe(401);
  },
);

test('revoking an unknown or already revoked token answers 200', async () => {
  const { client, tokens } = await signIn(server);
  for (const token of ['no-such-token', tokens.access_token, tokens.access_token])
    expect((await revoke({ ...credentials(client), token })).status).toBe(200);
});

test('revoking the token of another client has no effect, and answers as for an unknown token', async () => {
  const { tokens } = await signIn(server);
  const outsider = await newClient();
  for (const token of [tokens.access_token, tokens.refresh_token]) {
    const other = await revoke({ ...credentials(outsider), token });
    const unknown = await revoke({ ...credentials(outsider), token: 'x' });
    expect([other.status, other.body]).toEqual([unknown.status, unknown.body]);
  }
  expect((await me(server, tokens.access_token)).status).toBe(200);
  expect((await refresh(server, tokens.refresh_token)).status).toBe(200);
});

test('revocation is refused to a confidential client without its secret', async () => {
  const { client, tokens } = await signIn(server);
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
  expect((await me(server, tokens.access_token)).status).toBe(200);
});

test('revocation is refused without token, with parameters in the URL, or with a repeated parameter', async () => {
  const { client, tokens } = await signIn(server);
  expect((await revoke(credentials(client))).body.error).toBe('invalid_request');
  const inUrl = await post(
    server,
    `/oauth/revoke?token=${tokens.access_token}`,
    credentials(client),
  );
  expect([inUrl.status, inUrl.body.error]).toEqual([400, 'invalid_request']);
  const twice: [string, string][] = [
    ...Object.entries(credentials(client)),
    ['token', 'a'],
    ['token', tokens.access_token],
  ];
  expect((await post(server, '/oauth/revoke', twice)).body.error).toBe('invalid_request');
  expect((await me(server, tokens.access_token)).status).toBe(200);
});

test('the revocation endpoint allows scripts of any origin, without cookies', async () => {
  const { headers } = await revoke({ token: 'x' }, { Origin: 'https://app.example' });
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-credentials')).toBeNull();
});
