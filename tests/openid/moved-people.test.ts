import { pbkdf2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { moveIn, readArrivals } from '#lib/import/move.ts';
import { me, post, refresh } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { newClient, newUser, password } from '../support/seed.ts';
import { openIdTokens, readIdToken } from './sign-in.ts';

const server = await openServer();

/** The seed's password as passlib and Keycloak store it. */
const salt = Buffer.from('sixteen bytes ok');
const key = pbkdf2Sync(password, salt, 1000, 32, 'sha256');
const password_hash = `$pbkdf2-sha256$1000$${salt.toString('base64')}$${key.toString('base64')}`;

test.each([
  ['Keycloak', '0e9f1c1a-43c6-4d2b-9d3a-8f1e2c3b4a5d'],
  ['Auth0', 'auth0|60425dc43519d90068f82973'],
])('a user imported from %s keeps their id as sub for apps', async (_, id) => {
  const username = `moved-${id.slice(-6)}`;
  const people = [{ id, username, email: `${username}@example.org`, password_hash }];
  const arrivals = readArrivals({ from: 'json', text: JSON.stringify({ people }) });
  const by = { actor: { id: 'cli' }, now: new Date() };
  await moveIn(arrivals, 'json', { leaveOut: false, agreed: () => true }, by);
  const client = await newClient();
  const person = new Person(server, username);
  const tokens = await openIdTokens(server, person, client);
  expect((await readIdToken(server, client, tokens.id_token)).payload.sub).toBe(id);
  expect((await me(server, tokens.access_token)).body.sub).toBe(id);
  const { body } = await refresh(server, tokens.refresh_token);
  expect((await me(server, String(body.access_token))).body.sub).toBe(id);
  const told = {
    token: String(body.access_token),
    client_id: client.id,
    client_secret: client.secret,
  };
  expect((await post(server, '/oauth/introspect', told)).body).toMatchObject({
    active: true,
    sub: id,
  });
  // Their own pages, and an admin's page about them.
  expect((await person.open('/account')).at).toBe('/account');
  const admin = new Person(server, (await newUser({ isAdmin: true })).username);
  await admin.signIn();
  const page = await admin.open(`/admin/people/${encodeURIComponent(id)}`);
  expect([page.status, page.html.includes(username)]).toEqual([200, true]);
});
