import { expect, test } from 'vitest';
import { type ClientChange, updateClient } from '#lib/management/client/clients.ts';
import { type Answer, basic, credentials, me, post, refresh } from '../support/app.ts';
import { alikeOn } from '../support/on-each-database.ts';
import { databaseOf, openServer } from '../support/open-server.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newPkce, type TestClient } from '../support/seed.ts';
import { asking, signIn } from './sign-in.ts';

const server = await openServer();
const alike = alikeOn(databaseOf(server.databaseUrl));
const ask = (
  client: TestClient,
  token: string,
  more: Record<string, string> = {},
): Promise<Answer> => post(server, '/oauth/introspect', { ...credentials(client), token, ...more });
const inactive = { active: false };

test('introspection shows a client its own access token', async () => {
  const { user, client, tokens } = await signIn(server, {}, { scope: 'openid email' });
  const answer = await ask(client, tokens.access_token);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const { body } = answer;
  expect(body).toEqual({
    active: true,
    scope: 'openid email',
    client_id: client.id,
    token_type: 'Bearer',
    iat: expect.any(Number),
    exp: Number(body.iat) + 3600,
    iss: server.issuer,
    sub: user.id,
    username: user.username,
    // RFC 9470 section 6.2
    acr: 'urn:gatehouse:single',
    auth_time: expect.any(Number),
  });
});

test('introspection shows a client its own refresh token until it is rotated', async () => {
  const { user, client, tokens } = await signIn(server);
  const more = { token_type_hint: 'access_token' };
  expect((await ask(client, tokens.refresh_token, more)).body).toMatchObject({
    active: true,
    sub: user.id,
    scope: 'openid',
  });
  await refresh(server, tokens.refresh_token);
  expect((await ask(client, tokens.refresh_token)).body).toEqual(inactive);
});

test('introspection shows a refresh token as active only while a refresh would give tokens', async () => {
  const { client, tokens } = await signIn(server);
  const change = (fields: ClientChange) =>
    updateClient(client.id, fields, { actor: { id: 'cli' }, now: new Date() });
  const isActive = async () => (await ask(client, tokens.refresh_token)).body.active;
  await change({ grants: ['authorization_code'] });
  expect(await isActive()).toBe(false);
  await change({ grants: ['authorization_code', 'refresh_token'] });
  expect(await isActive()).toBe(true);
  await change({ requireSecondFactor: true });
  expect(await isActive()).toBe(false);
  expect((await refresh(server, tokens.refresh_token)).body.error).toBe('invalid_grant');
});

test('introspection shows the tokens of another client as inactive', async () => {
  const { tokens } = await signIn(server);
  const outsider = await newClient();
  for (const token of [tokens.access_token, tokens.refresh_token])
    expect((await ask(outsider, token)).body).toEqual(inactive);
});

test('introspection shows a resource server the access tokens of every client, and no refresh tokens', async () => {
  const { user, client, tokens } = await signIn(server);
  const resource = await newClient({ resourceServer: true, grants: [], redirectUris: [] });
  const told = await post(
    server,
    '/oauth/introspect',
    { token: tokens.access_token },
    basic(resource),
  );
  expect(told.body).toMatchObject({ active: true, client_id: client.id, sub: user.id });
  expect((await ask(resource, tokens.refresh_token)).body).toEqual(inactive);
});

test('introspection says only active: false of codes, ID tokens, unknown, foreign and ended tokens', async () => {
  const { client, tokens, user, person } = await signIn(server);
  const code = await person.code(asking(client));
  for (const token of ['no-such-token', code, tokens.id_token, client.secret])
    expect((await ask(client, token)).body).toEqual(inactive);
  const db = await prisma();
  const revoked = (await signIn(server)).tokens;
  expect((await ask(client, revoked.access_token)).body).toEqual(inactive);
  await db.user.update({ where: { id: user.id }, data: { epoch: { increment: 1 } } });
  expect((await ask(client, tokens.access_token)).body).toEqual(inactive);
  expect((await me(server, tokens.access_token)).status).toBe(401);
});

alike('introspection is refused without the authentication of a confidential client', async () => {
  const { client, tokens } = await signIn(server);
  const open = await newClient({ type: 'public' });
  const token = tokens.access_token;
  for (const who of [
    {},
    { client_id: open.id },
    { client_id: client.id },
    { client_id: client.id, client_secret: 'wrong' },
  ]) {
    const { status, body } = await post(server, '/oauth/introspect', { ...who, token } as Record<
      string,
      string
    >);
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  }
  const bearer = await post(
    server,
    '/oauth/introspect',
    { token },
    { Authorization: `Bearer ${token}` },
  );
  expect(bearer.status).toBe(401);
});

alike('introspection is refused without token, or with parameters in the URL', async () => {
  const { client, tokens } = await signIn(server);
  expect((await post(server, '/oauth/introspect', credentials(client))).body.error).toBe(
    'invalid_request',
  );
  const inUrl = await post(
    server,
    `/oauth/introspect?token=${tokens.access_token}`,
    credentials(client),
  );
  expect([inUrl.status, inUrl.body.error]).toEqual([400, 'invalid_request']);
});

alike('introspection is refused to a public client, even for its own tokens', async () => {
  const { verifier, challenge } = newPkce();
  const { person } = await signIn(server);
  const open = await newClient({ type: 'public' });
  const code = await person.code(asking(open, challenge));
  const form = {
    grant_type: 'authorization_code',
    client_id: open.id,
    code,
    code_verifier: verifier,
  };
  const { body } = await post(server, '/oauth/token', form);
  const { status } = await post(server, '/oauth/introspect', {
    client_id: open.id,
    token: String(body.access_token),
  });
  expect(status).toBe(401);
});
