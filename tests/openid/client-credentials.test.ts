import { expect, test } from 'vitest';
import { raiseRevision } from '#lib/store/engine/revision.ts';
import { basic, credentials, me, post } from '../support/app.ts';
import { alikeOn } from '../support/on-each-database.ts';
import { databaseOf, openServer } from '../support/open-server.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, type TestClient } from '../support/seed.ts';

const server = await openServer();
const alike = alikeOn(databaseOf(server.databaseUrl));
const grant_type = 'client_credentials';
const ask = (client: TestClient, more: Record<string, string> = {}) =>
  post(server, '/oauth/token', { ...credentials(client), grant_type, ...more });

const db = await prisma();
await db.scope.createMany({
  data: ['reports.read', 'reports.write'].map((name) => ({
    name,
    description: name,
    createdAt: new Date(),
  })),
});
await raiseRevision();

test('the client credentials grant gives an access token for the client itself, and no refresh token', async () => {
  const client = await newClient({
    grants: [grant_type],
    scopes: ['reports.read', 'reports.write', 'email'],
    redirectUris: [],
  });
  const all = await ask(client);
  expect(all.body).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'reports.read reports.write',
  });
  const one = await post(
    server,
    '/oauth/token',
    { grant_type, scope: 'reports.read' },
    basic(client),
  );
  expect(one.body.scope).toBe('reports.read');
  const told = await post(server, '/oauth/introspect', {
    ...credentials(client),
    token: String(one.body.access_token),
  });
  expect(told.body).toMatchObject({
    active: true,
    client_id: client.id,
    sub: client.id,
    scope: 'reports.read',
  });
  expect(told.body).not.toHaveProperty('username');
});

test('an access token of the client credentials grant is refused at the user information endpoint', async () => {
  const client = await newClient({ grants: [grant_type], redirectUris: [] });
  const answer = await me(server, String((await ask(client)).body.access_token));
  expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_scope']);
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*error="insufficient_scope"/);
});

alike.each(['openid', 'email', 'profile reports.read', 'offline_access'])(
  'the client credentials grant refuses the scope %s, which is about a user',
  async (scope) => {
    const client = await newClient({ grants: [grant_type], redirectUris: [] });
    expect((await ask(client, { scope })).body.error).toBe('invalid_scope');
  },
);

test('the client credentials grant is off by default, and never for public clients', async () => {
  expect((await ask(await newClient())).body.error).toBe('unauthorized_client');
  const open = await newClient({ type: 'public', grants: [grant_type] });
  const answer = await post(server, '/oauth/token', { grant_type, client_id: open.id });
  expect(answer.body.error).toBe('unauthorized_client');
  const machine = await newClient({ grants: [grant_type], redirectUris: [] });
  const wrong = await ask({ ...machine, secret: 'wrong' });
  expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client']);
});

alike(
  'a client with the client credentials grant alone is refused at the authorization endpoint',
  async () => {
    const client = await newClient({ grants: [grant_type] });
    const url = `${server.base}/oauth/authorize?response_type=code&client_id=${client.id}`;
    const response = await fetch(url, { redirect: 'manual' });
    expect(response.headers.get('location')).toContain('error=unauthorized_client');
  },
);
