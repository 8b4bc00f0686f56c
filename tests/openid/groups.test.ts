import { expect, test } from 'vitest';
import { updateClient } from '#lib/management/client/clients.ts';
import { credentials, me, post, refresh } from '../support/app.ts';
import { alikeOn } from '../support/on-each-database.ts';
import { databaseOf, openServer } from '../support/open-server.ts';
import { answerOf, authorizePath } from '../support/person.ts';
import { newClient, newUser, type TestClient } from '../support/seed.ts';
import { endField, join, joinMany, leave, newField, renameGroup, setField } from './memberships.ts';
import { asking, openIdTokens, readIdToken, type SignedIn, signIn } from './sign-in.ts';

const server = await openServer();
const alike = alikeOn(databaseOf(server.databaseUrl));
const second = await server.secondProcess();
const servers = [server, second];
const scope = 'openid groups';

const infoOf = async (token: string, of = server) => (await me(of, token)).body;
const introspected = async (client: TestClient, token: string, of = server) =>
  (await post(of, '/oauth/introspect', { ...credentials(client), token })).body;
const idTokenOf = async ({ client, tokens }: Pick<SignedIn, 'client' | 'tokens'>) =>
  (await readIdToken(server, client, tokens.id_token)).payload as Record<string, unknown>;

/** What an app learns in each place, with a new ID token. */
async function told({ client, tokens }: SignedIn) {
  const { body } = await refresh(server, tokens.refresh_token);
  tokens.refresh_token = String(body.refresh_token);
  const token = String(body.access_token);
  return {
    idToken: (await readIdToken(server, client, String(body.id_token))).payload,
    userInformation: await infoOf(token),
    introspection: await introspected(client, token),
  };
}

test('scope groups gives the groups in the ID token, the user information and introspection', async () => {
  const signedIn = await signIn(server, {}, { scope });
  await join(signedIn.user.id, 'staff', 'editors', 'a "quoted" <b>ünï</b> = x');
  const groups = ['a "quoted" <b>ünï</b> = x', 'editors', 'staff'];
  const { idToken, userInformation, introspection } = await told(signedIn);
  expect([idToken.groups, userInformation.groups, introspection.groups]).toEqual([
    groups,
    groups,
    groups,
  ]);
});

alike('groups is absent without its scope, and an empty list for a user in no group', async () => {
  const one = await signIn(server);
  const other = await signIn(server, {}, { scope });
  await join(one.user.id, 'staff');
  for (const claims of Object.values(await told(one))) expect(claims).not.toHaveProperty('groups');
  expect((await idTokenOf(other)).groups).toEqual([]);
  for (const claims of Object.values(await told(other))) expect(claims.groups).toEqual([]);
});

test('a user who leaves a group loses it in every process at the next request, refresh included', async () => {
  const signedIn = await signIn(server, {}, { scope });
  const { user, client, tokens } = signedIn;
  await join(user.id, 'staff', 'editors');
  for (const of of servers) {
    expect((await infoOf(tokens.access_token, of)).groups).toEqual(['editors', 'staff']);
    expect((await introspected(client, tokens.access_token, of)).groups).toHaveLength(2);
  }
  await leave(user.id, 'editors');
  for (const of of servers) {
    expect((await infoOf(tokens.access_token, of)).groups).toEqual(['staff']);
    expect((await introspected(client, tokens.access_token, of)).groups).toEqual(['staff']);
  }
  expect((await told(signedIn)).idToken.groups).toEqual(['staff']);
});

test('a renamed group has its new name in every process at the next request', async () => {
  const { user, tokens } = await signIn(server, {}, { scope });
  await join(user.id, `old-${user.id}`);
  for (const of of servers)
    expect((await infoOf(tokens.access_token, of)).groups).toEqual([`old-${user.id}`]);
  await renameGroup(`old-${user.id}`, `New-${user.id}`);
  for (const of of servers)
    expect((await infoOf(tokens.access_token, of)).groups).toEqual([`New-${user.id}`]);
});

test('a changed group mapping of an app takes effect in every process at the next request', async () => {
  const signedIn = await signIn(server, {}, { scope });
  const { user, client, tokens } = signedIn;
  await join(user.id, 'app-editors', 'app-owners', 'private');
  for (const of of servers) await infoOf(tokens.access_token, of);
  const change = {
    groupsClaim: 'https://example.org/roles',
    groupsPrefix: 'app-',
    groupNames: { 'app-editors': 'admin', 'app-owners': 'admin' },
    constantClaims: { plan: 'pro', seats: '5', tags: '["a","b"]' },
  };
  await updateClient(client.id, change, { actor: { id: 'cli' }, now: new Date() });
  const constants = { plan: 'pro', seats: 5, tags: ['a', 'b'] };
  for (const of of servers) {
    const claims = await infoOf(tokens.access_token, of);
    expect(claims).toEqual({
      sub: user.id,
      username: user.username,
      email: user.email,
      ...constants,
      'https://example.org/roles': ['admin'],
    });
    const { plan, groups, ...answer } = await introspected(client, tokens.access_token, of);
    expect([plan, groups]).toEqual([undefined, undefined]);
    expect(answer['https://example.org/roles']).toEqual(['admin']);
  }
  expect((await told(signedIn)).idToken).toMatchObject({
    ...constants,
    'https://example.org/roles': ['admin'],
  });
});

test('introspection by a resource server shows the groups by the mapping of the token’s own client', async () => {
  const { user, tokens } = await signIn(server, { groupsClaim: 'roles' }, { scope });
  await join(user.id, 'staff');
  const api = await newClient({ resourceServer: true, groupsClaim: 'groups' });
  expect(await introspected(api, tokens.access_token)).toMatchObject({ roles: ['staff'] });
});

alike('the claims parameter can ask for groups in the ID token or user information', async () => {
  const claims = JSON.stringify({ id_token: { groups: { essential: true } } });
  const signedIn = await signIn(server, {}, { claims });
  await join(signedIn.user.id, 'staff');
  const { idToken, userInformation } = await told(signedIn);
  expect([idToken.groups, userInformation.groups]).toEqual([['staff'], undefined]);
  const ofInfo = await signIn(
    server,
    {},
    { claims: JSON.stringify({ userinfo: { groups: null } }) },
  );
  const answers = await told(ofInfo);
  expect([answers.idToken.groups, answers.userInformation.groups]).toEqual([undefined, []]);
});

alike(
  'groups requested by the claims parameter need consent, and are withheld from an app without the scope',
  async () => {
    const { person, client } = await signIn(server);
    const claims = JSON.stringify({ userinfo: { groups: null } });
    const silent = await person.open(authorizePath(asking(client, { prompt: 'none', claims })));
    expect(answerOf(silent)).toMatchObject({ error: 'consent_required' });
    const closed = await signIn(server, { scopes: ['openid'] }, { claims });
    expect(await infoOf(closed.tokens.access_token)).not.toHaveProperty('groups');
  },
);

alike('the consent page describes the scope groups, in each language', async () => {
  const { person, client } = await signIn(server);
  for (const [ui_locales, sentence] of [
    ['en', 'See which groups you’re in'],
    ['de', 'Sehen, in welchen Gruppen Sie sind'],
  ] as const) {
    const page = await person.open(authorizePath(asking(client, { scope, ui_locales })));
    expect(page.html).toContain(sentence);
  }
});

alike('the client credentials grant refuses the scope groups and gives no groups', async () => {
  const machine = await newClient({ grants: ['client_credentials'] });
  const form = { ...credentials(machine), grant_type: 'client_credentials' };
  const { body } = await post(server, '/oauth/token', { ...form, scope: 'groups' });
  expect(body.error).toBe('invalid_scope');
  const token = String((await post(server, '/oauth/token', form)).body.access_token);
  expect(await introspected(machine, token)).not.toHaveProperty('groups');
});

test('with 1,000 groups the ID token leaves the groups out; user information and introspection have them all', async () => {
  const signedIn = await signIn(server, {}, { scope });
  const { user, person, client, tokens } = signedIn;
  const names = Array.from({ length: 1000 }, (_, index) => `group-${user.id}-${index}`);
  await joinMany(user.id, names);
  const { id_token, access_token } = await openIdTokens(server, person, client, { scope });
  expect((await readIdToken(server, client, id_token)).payload).not.toHaveProperty('groups');
  expect(id_token.length).toBeLessThan(1500);
  expect((await infoOf(access_token)).groups).toEqual(names.toSorted());
  expect((await introspected(client, tokens.access_token)).groups).toEqual(names.toSorted());
});

alike('the longest ID token is accepted as id_token_hint in a URL', async () => {
  const constantClaims = { note: 'x'.repeat(980) };
  const signedIn = await signIn(server, { constantClaims }, { scope });
  const { user, person, client } = signedIn;
  const names = Array.from({ length: 99 }, (_, index) => `${user.id.slice(0, 20)}-${index + 1000}`);
  await joinMany(user.id, names);
  const { id_token } = await openIdTokens(server, person, client, {
    scope: 'openid groups profile email',
    nonce: 'n'.repeat(200),
  });
  expect((await readIdToken(server, client, id_token)).payload.groups).toHaveLength(99);
  expect(id_token.length).toBeLessThan(8 * 1024);
  expect((await person.open(`/oauth/logout?id_token_hint=${id_token}`)).at).toBe('/logout/done');
});

test('custom fields are in the claims of their scope, and gone once the field is deleted', async () => {
  const signedIn = await signIn(server, {}, { scope: 'openid profile' });
  const { user, tokens } = signedIn;
  const [name, phone] = [`department-${user.id}`, `extension-${user.id}`];
  for (const of of servers) expect(await infoOf(tokens.access_token, of)).not.toHaveProperty(name);
  await newField(name, 'profile', 'list');
  await newField(phone, 'phone', 'number');
  await setField(user.id, name, 'R&D', 'Sales');
  await setField(user.id, phone, '12');
  for (const of of servers)
    expect(await infoOf(tokens.access_token, of)).toMatchObject({ [name]: ['R&D', 'Sales'] });
  const { idToken, userInformation, introspection } = await told(signedIn);
  expect(idToken[name]).toEqual(['R&D', 'Sales']);
  expect(introspection).not.toHaveProperty(name);
  expect(userInformation).not.toHaveProperty(phone);
  await setField(user.id, name, 'Sales');
  for (const of of servers)
    expect((await infoOf(tokens.access_token, of))[name]).toEqual(['Sales']);
  await endField(name);
  for (const of of servers) expect(await infoOf(tokens.access_token, of)).not.toHaveProperty(name);
});

alike(
  'claim shape wp-oauth-server adds its claims to the user information, and not to the ID token',
  async () => {
    const claimShape = 'wp-oauth-server';
    const { user, tokens, client } = await signIn(
      server,
      { claimShape },
      { scope: 'openid profile' },
    );
    expect(await infoOf(tokens.access_token)).toMatchObject({
      sub: user.id,
      username: user.username,
      email: user.email,
      name: 'Ada Lovelace',
      ID: user.id,
      user_login: user.username,
      user_email: user.email,
      user_status: '0',
      display_name: 'Ada Lovelace',
      user_nicename: user.username,
      user_registered: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
    expect(await idTokenOf({ client, tokens })).not.toHaveProperty('user_login');
    const standard = await signIn(server);
    expect(await infoOf(standard.tokens.access_token)).not.toHaveProperty('user_login');
  },
);

test('the groups of another user are not in a user’s claims', async () => {
  const one = await signIn(server, {}, { scope });
  const other = await newUser();
  await join(other.id, 'secret');
  expect((await told(one)).userInformation.groups).toEqual([]);
});
