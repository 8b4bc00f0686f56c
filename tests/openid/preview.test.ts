import { describe, expect, test } from 'vitest';
import { previewClaims } from '#lib/endpoints/preview.ts';
import { findClient } from '#lib/store/clients.ts';
import { read } from '#lib/store/engine/database.ts';
import { credentials, me, post, redeem } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson } from '../support/person.ts';
import { type ClientOptions, newClient, type TestClient } from '../support/seed.ts';
import { join, joinMany } from './memberships.ts';

const server = await openServer();
const person = await newPerson(server);

const preview = async (client: TestClient, scopes: string[]) => {
  const found = await findClient(client.id);
  return found && previewClaims(found, person.user.id, scopes, new Date());
};

/** Claims that differ from one sign-in to the next. */
const ofSignIn = ['iat', 'exp', 'auth_time', 'at_hash', 'sid'];
const lasting = (claims: unknown) =>
  Object.fromEntries(Object.entries(claims as object).filter(([name]) => !ofSignIn.includes(name)));

await join(person.user.id, 'editors', 'owners', 'staff');
const rules: ClientOptions = {
  groupsClaim: 'roles',
  groupNames: { editors: 'admin', owners: 'admin' },
  constantClaims: { plan: 'pro' },
  claimShape: 'wp-oauth-server',
};

describe.each(['openid', 'openid profile', 'openid profile email phone groups', 'email'])(
  'the preview of the claims of scope "%s"',
  (scope) => {
    test.each([{}, rules])('is what a sign-in gives the app with %o', async (options) => {
      const client = await newClient(options);
      const asked = { client_id: client.id, response_type: 'code', scope };
      const { body } = await redeem(server, client, await person.code(asked));
      const token = String(body.access_token);
      const told = await preview(client, scope.split(' '));
      expect(told?.userInformation).toEqual((await me(server, token)).body);
      const introspected = await post(server, '/oauth/introspect', {
        ...credentials(client),
        token,
      });
      expect(lasting(told?.introspection)).toEqual(lasting(introspected.body));
      if (body.id_token === undefined) return expect(told?.idToken).toBeNull();
      const claims: object = JSON.parse(
        Buffer.from(String(body.id_token).split('.')[1] ?? '', 'base64url').toString(),
      );
      expect(lasting(told?.idToken)).toEqual(lasting(claims));
      expect(Object.keys(told?.idToken ?? {}).sort()).toEqual(Object.keys(claims).sort());
    });
  },
);

test('the preview of claims issues no token and stores nothing', async () => {
  const client = await newClient();
  const count = async () =>
    JSON.stringify(
      await read(
        `SELECT (SELECT COUNT(*) FROM authorizations WHERE client_id = $1) AS codes,
          (SELECT COUNT(*) FROM grants WHERE client_id = $1) AS given,
          (SELECT COUNT(*) FROM audit_events WHERE client_id = $1) AS events`,
        [client.id],
      ),
    );
  const before = await count();
  const told = JSON.stringify(await preview(client, ['openid', 'profile', 'email']));
  expect(told).toContain(person.username);
  expect(told).not.toContain('gh_');
  expect(await count()).toBe(before);
});

test('the preview of claims says which ones the ID token has no room for', async () => {
  const names = Array.from({ length: 101 }, (_, index) => `many-${index}`);
  const client = await newClient();
  const constantClaims = { plan: 'pro' };
  expect((await preview(client, ['openid', 'groups']))?.leftOut).toEqual([]);
  await joinMany(person.user.id, names);
  const told = await preview(await newClient({ constantClaims }), ['openid', 'groups']);
  expect(told?.leftOut).toEqual(['groups']);
  expect(told?.idToken).toMatchObject({ plan: 'pro' });
  expect(told?.idToken).not.toHaveProperty('groups');
  expect(told?.userInformation.groups).toHaveLength(104);
});

test('the preview of claims has no introspection for a public client, and is null for an unknown user', async () => {
  const client = await newClient({ type: 'public', redirectUris: ['https://spa.example/cb'] });
  expect((await preview(client, ['openid']))?.introspection).toBeNull();
  const found = await findClient(client.id);
  expect(found && (await previewClaims(found, 'nobody', ['openid'], new Date()))).toBeNull();
});
