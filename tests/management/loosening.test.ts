import { describe, expect, test } from 'vitest';
import { looseningFields } from '#lib/management/client/client-fields.ts';
import * as clients from '#lib/management/client/clients.ts';
import { scopeLoosens } from '#lib/management/loosening.ts';
import * as scopes from '#lib/management/scope/scopes.ts';
import { type ClientSettings, newClient } from '#lib/oauth/client.ts';
import { resolveSettings } from '#lib/settings/table.ts';
import { onOneForChange } from '../support/on-each-database.ts';
import { actor, newApp, unique } from './people.ts';

type Edit = Partial<ClientSettings>;
const [one, two] = ['https://app.example/cb', 'https://app.example/other'];
const elsewhere = 'https://evil.example';

const app: ClientSettings = {
  ...newClient,
  name: 'App',
  redirectUris: [one],
  postLogoutRedirectUris: [one],
  backchannelLogoutUri: one,
};
const context = {
  settings: resolveSettings({}, {}),
  sensitiveScopes: ['payroll'],
};

/** What is edited, from what, to what, and the fields that this loosens. */
const cases: [string, Edit, Edit, string[]][] = [
  ['nothing', {}, {}, []],
  [
    'words and links',
    {},
    { name: 'Other', description: 'x', homePage: one, privacyLink: one, termsLink: one },
    [],
  ],
  [
    'links to another host',
    {},
    { homePage: elsewhere, privacyLink: elsewhere, termsLink: elsewhere },
    ['homePage', 'privacyLink', 'termsLink'],
  ],
  [
    'a link on the host that it was on',
    { homePage: elsewhere },
    { homePage: `${elsewhere}/x` },
    [],
  ],
  ['no link', { homePage: elsewhere }, { homePage: null }, []],
  ['a start at another host', {}, { initiateLoginUri: elsewhere }, ['initiateLoginUri']],
  ['a redirect URI more', {}, { redirectUris: [one, two] }, ['redirectUris']],
  ['another redirect URI', {}, { redirectUris: [two] }, ['redirectUris']],
  ['one of two redirect URIs', { redirectUris: [one, two] }, { redirectUris: [two] }, []],
  [
    'redirect URIs in another order',
    { redirectUris: [one, two] },
    { redirectUris: [two, one] },
    [],
  ],
  ['no redirect URI, so that requests name theirs', {}, { redirectUris: [] }, ['redirectUris']],
  [
    'a post-logout URI more',
    {},
    { postLogoutRedirectUris: [one, two] },
    ['postLogoutRedirectUris'],
  ],
  ['no post-logout URI', {}, { postLogoutRedirectUris: [] }, []],
  ['another back-channel address', {}, { backchannelLogoutUri: two }, ['backchannelLogoutUri']],
  [
    'a back-channel address where none was',
    { backchannelLogoutUri: null },
    { backchannelLogoutUri: one },
    ['backchannelLogoutUri'],
  ],
  ['no back-channel address', {}, { backchannelLogoutUri: null }, []],
  ['first-party', {}, { firstParty: true }, ['firstParty']],
  [
    'an API to exchange tokens for',
    { exchangeFor: ['https://a.example'] },
    { exchangeFor: ['https://a.example', 'https://b.example'] },
    ['exchangeFor'],
  ],
  ['a default API', {}, { defaultApi: 'https://a.example' }, []],
  ['an API less', { exchangeFor: ['https://a.example'] }, { exchangeFor: [] }, []],
  [
    'a server to tell who signed in',
    {},
    { identityFor: { 'https://other.example': 'app' } },
    ['identityFor'],
  ],
  [
    'another group for it',
    { identityGroups: { 'https://other.example': 'staff' } },
    { identityGroups: {} },
    ['identityGroups'],
  ],
  ['a guarded site', {}, { guardedSites: [elsewhere] }, ['guardedSites']],
  ['a guarded site less', { guardedSites: [elsewhere] }, { guardedSites: [] }, []],
  ['an open path', {}, { openPaths: ['/x'] }, ['openPaths']],
  ['another header', {}, { siteHeaders: { 'X-User': 'user' } }, ['siteHeaders']],
  [
    'more that passes a guard',
    {},
    { passAuthorization: true, passPreflights: true },
    ['passAuthorization', 'passPreflights'],
  ],
  ['an agent', {}, { agent: true }, []],
  ['app passwords', {}, { appPasswords: true }, ['appPasswords']],
  ['app passwords no longer', { appPasswords: true }, { appPasswords: false }, []],
  ['an agent that is to be none', { agent: true }, { agent: false }, ['agent']],
  ['no longer first-party', { firstParty: true }, { firstParty: false }, []],
  ['LDAP', {}, { ldap: true }, ['ldap']],
  ['LDAP with own passwords', {}, { ldapPasswords: true }, ['ldapPasswords']],
  [
    'no longer LDAP',
    { ldap: true, ldapPasswords: true },
    { ldap: false, ldapPasswords: false },
    [],
  ],
  ['resource server', {}, { resourceServer: true }, ['resourceServer']],
  ['no longer resource server', { resourceServer: true }, { resourceServer: false }, []],
  ['a grant more', {}, { grants: [...newClient.grants, 'client_credentials'] }, ['grants']],
  ['a grant less', {}, { grants: ['authorization_code'] }, []],
  ['a scope more', { scopes: ['email'] }, { scopes: ['email', 'phone'] }, ['scopes']],
  ['a scope less', { scopes: ['email', 'phone'] }, { scopes: ['email'] }, []],
  ['every scope', { scopes: ['email'] }, { scopes: null }, ['scopes']],
  ['a list of its own', {}, { scopes: ['email'] }, []],
  ['a list with a sensitive scope', {}, { scopes: ['email', 'payroll'] }, ['scopes']],
  ['PKCE off', { requirePkce: true }, { requirePkce: false }, ['requirePkce']],
  ['PKCE as the server says', { requirePkce: true }, { requirePkce: null }, ['requirePkce']],
  ['PKCE off whatever the server says', {}, { requirePkce: false }, ['requirePkce']],
  ['PKCE on', { requirePkce: false }, { requirePkce: true }, []],
  ['PKCE as the server says again', { requirePkce: false }, { requirePkce: null }, []],
  [
    'no client authentication on refresh',
    { requireClientAuthOnRefresh: true },
    { requireClientAuthOnRefresh: null },
    ['requireClientAuthOnRefresh'],
  ],
  [
    'client authentication on refresh',
    { requireClientAuthOnRefresh: null },
    { requireClientAuthOnRefresh: true },
    [],
  ],
  ['confidential to public', {}, { type: 'public' }, ['type']],
  ['public to confidential', { type: 'public' }, { type: 'confidential' }, ['type']],
  ['iss off', {}, { sendIss: false }, ['sendIss']],
  ['iss on', { sendIss: false }, { sendIss: true }, []],
  ['an old issuer', {}, { oldIssuer: '/realms/acme' }, ['oldIssuer']],
  ['switched', { oldIssuer: '/realms/acme' }, { oldIssuer: null }, []],
  ['a color', {}, { accent: '#aa2266' }, []],
  ['a line on its pages', {}, { pageLines: { any: '[Help](https://a.example/)' } }, ['pageLines']],
  ['another recipe', {}, { recipe: 'gitea' }, []],
  ['another signature', {}, { idTokenAlg: 'ES256' }, []],
  ['no ID token at refresh', {}, { idTokenOnRefresh: false }, []],
  ['longer than the server says', {}, { accessTokenTtl: 3601 }, ['accessTokenTtl']],
  ['shorter than the server says', {}, { accessTokenTtl: 60, refreshTokenTtl: 60 }, []],
  [
    'back to the longer lives of the server',
    { refreshTokenTtl: 60, refreshTokenMaxTtl: 60 },
    { refreshTokenTtl: null, refreshTokenMaxTtl: null },
    ['refreshTokenTtl', 'refreshTokenMaxTtl'],
  ],
  [
    'back to the shorter life of the server',
    { accessTokenTtl: 7200 },
    { accessTokenTtl: null },
    [],
  ],
  ['everybody instead of some', { access: 'listed' }, { access: 'everybody' }, ['access']],
  ['some instead of everybody', {}, { access: 'listed' }, []],
  [
    'one factor',
    { requireSecondFactor: true },
    { requireSecondFactor: false },
    ['requireSecondFactor'],
  ],
  ['two factors', {}, { requireSecondFactor: true }, []],
  ['an older sign-in', { maxSignInAge: 60 }, { maxSignInAge: 61 }, ['maxSignInAge']],
  ['a sign-in of any age', { maxSignInAge: 60 }, { maxSignInAge: null }, ['maxSignInAge']],
  ['a younger sign-in', {}, { maxSignInAge: 60 }, []],
  ['a longer sign-in', { signInLife: 60 }, { signInLife: null }, ['signInLife']],
  ['a shorter sign-in', { signInLife: 60 }, { signInLife: 30 }, []],
  [
    'a network more',
    { networks: ['10.0.0.0/8'] },
    { networks: ['10.0.0.0/8', '::1/128'] },
    ['networks'],
  ],
  ['every network', { networks: ['10.0.0.0/8'] }, { networks: [] }, ['networks']],
  ['one network only', {}, { networks: ['10.0.0.0/8'] }, []],
  [
    'no pushed requests any more',
    { requirePushedAuthorizationRequests: true },
    { requirePushedAuthorizationRequests: null },
    ['requirePushedAuthorizationRequests'],
  ],
  ['no strong client any more', { strong: true }, { strong: null }, ['strong']],
  [
    'bearer tokens again',
    { dpopBoundAccessTokens: true },
    { dpopBoundAccessTokens: false },
    ['dpopBoundAccessTokens'],
  ],
  [
    'proofs without a nonce',
    { requireDpopNonce: true },
    { requireDpopNonce: false },
    ['requireDpopNonce'],
  ],
  ['a key', {}, { jwks: '{}' }, ['jwks']],
  ['no keys any more', { jwksUri: one }, { jwksUri: null }, ['jwksUri']],
  [
    'another issuer that proves it',
    {},
    { federatedCredentials: [{ issuer: one, keys: null, claims: { sub: 'a' }, reusable: false }] },
    ['federatedCredentials'],
  ],
  ['one sub for all apps', { subjectType: 'pairwise' }, { subjectType: 'public' }, ['subjectType']],
  ['a sub of its own', {}, { subjectType: 'pairwise' }, []],
  ['another sector', {}, { sectorIdentifierUri: one }, ['sectorIdentifierUri']],
  ['another start', {}, { initiateLoginUri: one }, []],
  ['another claim for groups', {}, { groupsClaim: 'roles' }, ['groupsClaim']],
  ['another shape', {}, { claimShape: 'wp-oauth-server' }, ['claimShape']],
  ['groups that begin otherwise', { groupsPrefix: 'a' }, { groupsPrefix: 'b' }, ['groupsPrefix']],
  ['every group', { groupsPrefix: 'a' }, { groupsPrefix: null }, ['groupsPrefix']],
  ['fewer groups', { groupsPrefix: 'a' }, { groupsPrefix: 'ab' }, []],
  ['only some groups', {}, { groupsPrefix: 'a' }, []],
  ['another name for a group', {}, { groupNames: { a: 'admin' } }, ['groupNames']],
  ['a constant', {}, { constantClaims: { admin: 'true' } }, ['constantClaims']],
];

test.each(cases)('an edit of a client loosens it or not: %s', (_, before, after, expected) => {
  const from = { ...app, ...before };
  expect(looseningFields(from, { ...from, ...after }, context)).toEqual(expected);
});

test('each field of a client has a loosening case, except those that never loosen', () => {
  const named = new Set(cases.flatMap(([, , after]) => Object.keys(after)));
  expect(Object.keys(newClient).filter((field) => !named.has(field))).toEqual([]);
});

describe('an edit of a scope loosens it or not', () => {
  const scope = { isDefault: false, sensitive: false };
  const cases: [string, Partial<typeof scope> | null, Partial<typeof scope>, boolean][] = [
    ['no longer sensitive', { sensitive: true }, {}, true],
    ['sensitive', {}, { sensitive: true }, false],
    ['default', {}, { isDefault: true }, true],
    ['no longer default', { isDefault: true }, {}, false],
    ['nothing', {}, {}, false],
    ['new, for every client', null, {}, true],
    ['new, for those that list it', null, { sensitive: true }, false],
    ['new, sensitive and default', null, { sensitive: true, isDefault: true }, true],
  ];
  test.each(cases)('%s', (_, before, after, expected) => {
    expect(scopeLoosens(before && { ...scope, ...before }, { ...scope, ...after })).toBe(expected);
  });
});

onOneForChange(() => {
  const refuse = () => {
    throw new Error('asked');
  };

  test('an edit that loosens a client asks for confirmation before anything is stored', async () => {
    const { client } = await newApp();
    const edit = (change: clients.ClientChange) =>
      clients.updateClient(client.id, change, { actor, now: new Date(), onLoosening: refuse });
    await expect(edit({ firstParty: true })).rejects.toThrow('asked');
    expect((await clients.showClient(client.id)).firstParty).toBe(false);
    expect((await edit({ name: 'Renamed', requirePkce: true })).client.requirePkce).toBe(true);
    await expect(edit({ requirePkce: false })).rejects.toThrow('asked');
    await clients.updateClient(client.id, { firstParty: true }, { actor, now: new Date() });
    expect((await clients.showClient(client.id)).firstParty).toBe(true);
  });

  test('creating or changing a scope for every client asks for confirmation before it is stored', async () => {
    const [open, closed] = [unique('open'), unique('closed')];
    const description = 'See photos';
    const make = (name: string, sensitive: boolean) =>
      scopes.createScope({ name, description, sensitive }, actor, new Date(), refuse);
    await expect(make(open, false)).rejects.toThrow('asked');
    expect((await scopes.listScopes()).map(({ name }) => name)).not.toContain(open);
    await make(closed, true);
    const edit = (change: scopes.ScopeChange) =>
      scopes.updateScope(closed, change, { actor, now: new Date(), onLoosening: refuse });
    await expect(edit({ sensitive: false })).rejects.toThrow('asked');
    expect((await edit({ description: 'See the photos' })).sensitive).toBe(true);
  });
});
