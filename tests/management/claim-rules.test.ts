import { expect, test } from 'vitest';
import { clientFaults } from '#lib/management/client/client-fields.ts';
import { sentencesIn } from '#lib/messages/text.ts';
import { type ClientSettings, newClient } from '#lib/oauth/client.ts';

const app = { ...newClient, name: 'App', redirectUris: ['https://app.example/cb'] };
const context = {
  knownScopes: [],
  apis: [],
  knownUris: [],
  fields: [],
  hostsTaken: [],
  allowInsecureRedirectUri: false,
};
const faultsOf = (change: Partial<ClientSettings>) =>
  sentencesIn('en', clientFaults({ ...app, ...change }, context));
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`name-${index}`, 'x']));

test.each<Partial<ClientSettings>>([
  { groupsClaim: 'roles' },
  { groupsClaim: 'cognito:groups' },
  { groupsClaim: 'https://example.org/claims/groups' },
  { groupsPrefix: 'app-' },
  { groupNames: { 'All editors': 'admin', Owners: 'admin' } },
  { groupNames: many(200) },
  { constantClaims: { plan: 'pro', roles: '["user"]', 'https://hasura.io/role': 'user' } },
  { constantClaims: many(50) },
])('the claim rules %o of a client are accepted', (change) => {
  expect(faultsOf(change)).toEqual({});
});

test.each<[Partial<ClientSettings>, RegExp]>([
  ...['', 'a b', 'ä', 'a\n', 'x'.repeat(101)].map(
    (groupsClaim): [Partial<ClientSettings>, RegExp] => [{ groupsClaim }, /Enter a claim name/],
  ),
  ...['sub', 'iss', 'aud', 'exp', 'email', 'Email', 'username', 'user_login', '__proto__'].map(
    (groupsClaim): [Partial<ClientSettings>, RegExp] => [{ groupsClaim }, /means something else/],
  ),
  [{ groupsPrefix: 'a\u0000' }, /Enter a beginning/],
  [{ groupsPrefix: 'x'.repeat(101) }, /Enter a beginning/],
  [{ groupNames: { editors: '' } }, /Say what the app gets instead of “editors”/],
  [{ groupNames: { '': 'admin' } }, /Say which group the app calls “admin”/],
  [{ groupNames: { editors: 'a\u202eb' } }, /“editors”: use up to 200 characters/],
  [{ groupNames: { editors: 'x'.repeat(201) } }, /“editors”: use up to 200 characters/],
  [{ groupNames: { editors: 'a,b' } }, /Leave out the comma in “a,b”/],
  [{ groupNames: many(201) }, /List up to 200 groups/],
  [{ constantClaims: { '': 'x' } }, /Say which claim is “x”/],
  [{ constantClaims: { plan: '' } }, /Say what “plan” is/],
  [{ constantClaims: { 'my plan': 'x' } }, /“my plan”: use 1 to 100 letters/],
  [{ constantClaims: { sub: 'x' } }, /“sub” means something else/],
  [{ constantClaims: { username: 'x' } }, /“username” means something else/],
  [{ constantClaims: { nonce: 'x' } }, /“nonce” means something else/],
  [{ constantClaims: { groups: 'x' } }, /“groups” holds the groups/],
  [{ constantClaims: { plan: '{"a":1}' } }, /“plan”: use a text, a number/],
  [{ constantClaims: { plan: '[[1]]' } }, /“plan”: use a text, a number/],
  [{ constantClaims: { plan: 'a\u0000' } }, /“plan”: leave out control characters/],
  [{ constantClaims: { plan: 'x'.repeat(995) } }, /Together they may have 1000 bytes/],
  [{ constantClaims: many(51) }, /List up to 50 claims/],
])('the claim rules %o of a client are refused at their field', (change, sentence) => {
  const [field = ''] = Object.keys(change);
  expect(faultsOf(change)).toEqual({ [field]: expect.stringMatching(sentence) });
});
