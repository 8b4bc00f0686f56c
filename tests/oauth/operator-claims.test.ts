import { expect, test } from 'vitest';
import { newClient } from '#lib/oauth/client.ts';
import { constantsOf, constantValue, isNested } from '#lib/oauth/constant-claims.ts';
import { mostGroupsInToken, ownInIdToken, ownRoom } from '#lib/oauth/id-token-room.ts';
import {
  type ClaimRules,
  type FurtherFacts,
  needsFurtherFacts,
  toldGroups,
} from '#lib/oauth/operator-claims.ts';
import { seenWith, userInformation } from '#lib/oauth/userinfo.ts';

const registeredAt = new Date('2026-03-05T04:05:06.789Z');
const factsOf = (facts: Partial<FurtherFacts>): FurtherFacts => ({
  groups: [],
  fields: [],
  registeredAt,
  ...facts,
});
const user = {
  id: 'u1',
  username: 'Ada.Lovelace',
  email: 'ada@example.org',
  emailVerified: true,
  name: 'Ada Lovelace',
  picture: null,
  claims: '{}',
  updatedAt: registeredAt,
};
const always = { sub: 'u1', username: 'Ada.Lovelace', email: 'ada@example.org' };
const rulesOf = (rules: Partial<ClaimRules>): ClaimRules => ({ ...newClient, ...rules });
const granted = (...scopes: string[]) => ({ scopes, asked: [] });
const groups = { groupsPrefix: null, groupNames: {} };

test.each<[string, string[], Partial<ClaimRules>, string[]]>([
  ['sorted, each once', ['b', 'a', 'B', 'a'], {}, ['B', 'a', 'b']],
  ['none', [], { groupNames: { a: 'x' } }, []],
  [
    'with a prefix, whole',
    ['app-a', 'app-', 'App-b', 'b'],
    { groupsPrefix: 'app-' },
    ['app-', 'app-a'],
  ],
  [
    'under other names',
    ['editors', 'staff'],
    { groupNames: { editors: 'admin' } },
    ['admin', 'staff'],
  ],
  [
    'joined where several have one name',
    ['editors', 'owners', 'admin'],
    { groupNames: { editors: 'admin', owners: 'admin' } },
    ['admin'],
  ],
  [
    'renamed only where the prefix lets them through',
    ['editors', 'app-x'],
    { groupsPrefix: 'app-', groupNames: { editors: 'admin', 'app-x': 'user' } },
    ['user'],
  ],
  ['not renamed again', ['a', 'b'], { groupNames: { a: 'b', b: 'c' } }, ['b', 'c']],
  [
    'with names that mean something to JavaScript, or to lists',
    ['__proto__', 'constructor', 'a,b', 'toString'],
    { groupNames: { 'a,b': 'c' } },
    ['__proto__', 'c', 'constructor', 'toString'],
  ],
])('the groups claim of an app has groups %s', (_, names, rules, told) => {
  expect(toldGroups(names, { ...groups, ...rules })).toEqual(told);
});

test.each<[string, unknown]>([
  ['true', true],
  ['false', false],
  ['12', 12],
  ['-0.5', -0.5],
  ['007', '007'],
  ['1.10', '1.10'],
  ['1e400', '1e400'],
  ['12345678901234567890', '12345678901234567890'],
  ['plain words', 'plain words'],
  ['"true"', 'true'],
  ['["a", 1, true]', ['a', 1, true]],
  ['[]', []],
  ['null', 'null'],
  ['{"a":1}', '{"a":1}'],
  ['[null]', '[null]'],
  ['[["a"]]', '[["a"]]'],
  ['[1e400]', '[1e400]'],
  ['[a]', '[a]'],
])('the constant claim %s is read as JSON where it is a plain value', (text, value) => {
  expect(constantValue(text)).toEqual(value);
});

test('isNested finds objects, and lists with more than plain values', () => {
  expect(['{"a":1}', '[null]', '[["a"]]'].filter((text) => !isNested(text))).toEqual([]);
  expect(['null', '["a"]', '[]', 'a', '{', '12'].filter(isNested)).toEqual([]);
});

test('constant claims with the name of a standard or protocol claim are left out', () => {
  const typed = {
    sub: 'x',
    Email: 'x',
    iss: 'x',
    username: 'x',
    ID: '1',
    plan: 'pro',
    roles: '[]',
  };
  expect(constantsOf(typed)).toEqual({ plan: 'pro', roles: [] });
  expect(constantsOf(JSON.parse('{"__proto__":"x"}'))).toEqual({});
});

test('user information has groups, custom fields and constants beside the standard claims', () => {
  const rules = rulesOf({
    groupsClaim: 'https://example.org/roles',
    groupNames: { editors: 'admin' },
    constantClaims: { plan: 'pro', level: '3' },
  });
  const facts = factsOf({
    groups: ['editors'],
    fields: [
      { name: 'department', scope: 'profile', value: 'R&D' },
      { name: 'badge', scope: 'hr', value: 7 },
      { name: 'plan', scope: 'profile', value: 'free' },
      { name: 'email', scope: 'profile', value: 'evil@example.org' },
    ],
  });
  expect(userInformation(user, rules, facts, granted('openid'))).toEqual({
    ...always,
    plan: 'pro',
    level: 3,
  });
  expect(userInformation(user, rules, facts, granted('profile', 'groups'))).toEqual({
    ...always,
    plan: 'pro',
    level: 3,
    department: 'R&D',
    'https://example.org/roles': ['admin'],
    name: 'Ada Lovelace',
    preferred_username: 'Ada.Lovelace',
    updated_at: 1772683506,
  });
  expect(userInformation(user, rules, facts, { scopes: [], asked: ['groups'] })).toMatchObject({
    'https://example.org/roles': ['admin'],
  });
});

test('sub, username and email in user information cannot be replaced by the claim rules of a client', () => {
  const rules = rulesOf({ groupsClaim: 'sub', constantClaims: { username: 'root', email: 'x' } });
  const facts = factsOf({ groups: ['a'] });
  expect(userInformation(user, rules, facts, granted('groups'))).toEqual(always);
});

test('claim shape wp-oauth-server adds its claims to the standard ones', () => {
  const rules = rulesOf({ claimShape: 'wp-oauth-server' });
  const shape = {
    ID: 'u1',
    user_login: 'Ada.Lovelace',
    user_nicename: 'ada-lovelace',
    user_email: 'ada@example.org',
    user_registered: '2026-03-05 04:05:06',
    user_status: '0',
  };
  expect(userInformation(user, rules, factsOf({}), granted('email'))).toEqual({
    ...always,
    ...shape,
    display_name: 'Ada.Lovelace',
    email_verified: true,
  });
  expect(userInformation(user, rules, factsOf({}), granted('profile'))).toMatchObject({
    ...shape,
    display_name: 'Ada Lovelace',
    name: 'Ada Lovelace',
  });
});

test('groups, custom fields and the registration date are read only if the request needs them', () => {
  const fields = new Set(['profile']);
  expect(needsFurtherFacts(granted('openid', 'email'), fields)).toBe(false);
  expect(needsFurtherFacts(granted('openid', 'profile'), fields)).toBe(true);
  expect(needsFurtherFacts(granted('openid', 'groups'), new Set())).toBe(true);
  expect(needsFurtherFacts({ scopes: [], asked: ['groups'] }, new Set())).toBe(true);
  expect(needsFurtherFacts(granted('openid'), new Set(), 'wp-oauth-server')).toBe(true);
});

const many = (count: number, name = 'group') =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);
const inToken = (facts: Partial<FurtherFacts>, rules: Partial<ClaimRules> = {}) =>
  ownInIdToken(rulesOf(rules), factsOf(facts), granted('openid', 'groups', 'profile', 'phone'));

test('an ID token has all groups of a user, or no groups claim', () => {
  expect(inToken({ groups: ['b', 'a'] })).toEqual({ claims: { groups: ['a', 'b'] }, leftOut: [] });
  expect(inToken({})).toEqual({ claims: { groups: [] }, leftOut: [] });
  expect(inToken({ groups: many(mostGroupsInToken) }).leftOut).toEqual([]);
  expect(inToken({ groups: many(mostGroupsInToken + 1) })).toEqual({
    claims: {},
    leftOut: ['groups'],
  });
  expect(inToken({ groups: many(40, 'ä'.repeat(60)) })).toEqual({
    claims: {},
    leftOut: ['groups'],
  });
});

test('the limit for groups in an ID token counts those after prefix and renaming', () => {
  const groups = [...many(1000), 'app-user'];
  expect(inToken({ groups }, { groupsPrefix: 'app-' }).claims).toEqual({ groups: ['app-user'] });
  const groupNames = Object.fromEntries(many(1000).map((name) => [name, 'user']));
  expect(inToken({ groups: many(1000) }, { groupNames }).claims).toEqual({ groups: ['user'] });
});

test('custom fields are in an ID token while there is room, those of address and phone never', () => {
  const fields = [
    { name: 'department', scope: 'profile', value: 'R&D' },
    { name: 'extension', scope: 'phone', value: '12' },
    { name: 'badge', scope: 'hr', value: 1 },
  ];
  expect(inToken({ fields }).claims).toEqual({ department: 'R&D', groups: [] });
  const long = { name: 'vita', scope: 'profile', value: 'x'.repeat(ownRoom) };
  const told = inToken(
    { groups: ['a'], fields: [...fields, long] },
    { constantClaims: { c: '1' } },
  );
  expect(told).toEqual({ claims: { c: 1, groups: ['a'] }, leftOut: ['fields'] });
});

test.each<[string, Partial<ClaimRules>]>([
  ['groups claim', { groupsClaim: 'memberOf' }],
  ['constants', { constantClaims: { memberOf: 'nobody' } }],
])('a custom field named like the app’s %s is left out of every claim', (_, more) => {
  const facts = factsOf({ fields: [{ name: 'memberOf', value: ['root'], scope: 'profile' }] });
  const rules = rulesOf(more);
  for (const scopes of [['profile'], ['profile', 'groups']]) {
    const told = [
      userInformation(user, rules, facts, granted(...scopes)),
      ownInIdToken(rules, facts, granted(...scopes)).claims,
    ];
    expect(JSON.stringify(told)).not.toContain('root');
  }
});

test('an app sees what its tokens open, and with tokens for APIs alone no more than introspection tells', () => {
  const facts = factsOf({ groups: ['staff'] });
  const rules = { ...rulesOf({}), subjectType: 'public' } as const;
  const pairwise = { ...rules, subjectType: 'pairwise', subjectKey: 'k' } as const;
  const token = (scope: string, audience: string[] = [], asked: string[] = []) => {
    return { scope, audience, asked, live: true };
  };
  const seen = (tokens: ReturnType<typeof token>[], by: typeof rules | typeof pairwise = rules) =>
    seenWith(tokens, { user, rules: by, facts }, granted('openid', 'profile', 'email'));
  const api = ['https://mail.example'];
  const named = { sub: 'u1', username: user.username };
  expect(seen([token('mail:read', api)])).toEqual(named);
  expect(seen([token('mail:read email groups', api)])).toEqual({ ...named, groups: ['staff'] });
  expect(Object.keys(seen([token('mail:read', api)], pairwise))).toEqual(['sub']);
  // One token that opens the user information is enough.
  expect(seen([token('mail:read', api), token('openid email', api)])).toEqual({
    ...always,
    email_verified: true,
  });
  expect(seen([token('')])).toEqual(always);
  expect(seen([token('email')])).toEqual({ ...always, email_verified: true });
  expect(seen([token('openid', [], ['name'])])).toEqual({ ...always, name: user.name });
  expect(seen([])).toHaveProperty('preferred_username');
  // Tokens that have ended tell no more than whether it asks for APIs alone.
  const over = { live: false };
  expect(seen([{ ...token('openid address'), ...over }])).toEqual(seen([]));
  expect(seen([{ ...token('mail:read', api), ...over }])).toEqual(named);
});
