import { expect, test } from 'vitest';
import { textIn } from '#lib/messages/text.ts';
import { hardeningOf } from '#lib/oauth/hardening.ts';
import { resolveSettings, type Settings } from '#lib/settings/table.ts';

type Judged = Parameters<typeof hardeningOf>[0];

const strict = resolveSettings({ profile: 'strict' }, {});
const compatible = resolveSettings({}, {});
const tight: Judged = {
  type: 'confidential',
  grants: ['authorization_code', 'refresh_token'],
  redirectUris: ['https://app.example/cb'],
  requirePkce: null,
  requireClientAuthOnRefresh: null,
  jwks: null,
  jwksUri: null,
  federatedCredentials: [],
  guardedSites: [],
  sendIss: true,
  accessTokenTtl: null,
};
const codes = (client: Partial<Judged>, settings: Settings, defaults = strict) =>
  hardeningOf({ ...tight, ...client }, settings, defaults).map((end) => end.code);

test.each([
  ['strict', strict],
  ['interface', compatible],
] as const)('a new client with https has no findings in the profile %s', (_, defaults) => {
  expect(codes({}, defaults, defaults)).toEqual([]);
  expect(codes({ type: 'public' }, defaults, defaults)).toEqual([]);
});

test('hardening names what the compatible profile allows, compared with the strict one', () => {
  expect(codes({}, compatible, strict)).toEqual([
    'no-pkce',
    'refresh-without-secret',
    'refresh-in-query',
    'token-in-query',
  ]);
});

test('hardening in the compatible profile names what a client itself loosens', () => {
  const own = { redirectUris: [], sendIss: false, accessTokenTtl: 86_401, requirePkce: false };
  expect(codes(own, compatible, compatible)).toEqual([
    'no-redirect-uri',
    'no-iss',
    'long-access-tokens',
  ]);
  const settings = { ...compatible, alwaysIssueNewRefreshToken: false };
  expect(codes({}, settings, compatible)).toEqual(['no-rotation']);
});

test('hardening names the redirect URIs that are weak', () => {
  const redirectUris = ['https://a.example/', 'http://a.example/', 'http://b.example/', 'app:/'];
  const found = hardeningOf({ ...tight, redirectUris }, compatible, compatible);
  expect(found.map(({ code, values }) => [code, values])).toEqual([
    ['plain-http', ['http://a.example/', 'http://b.example/']],
    ['claimable-scheme', ['app:/']],
  ]);
});

const cases: [string, Partial<Judged>, Settings, string[]][] = [
  [
    'no address of its own',
    { redirectUris: [] },
    { ...strict, allowUnregisteredRedirectUri: true },
    ['no-redirect-uri'],
  ],
  ['no address, and none may be named', { redirectUris: [] }, strict, []],
  [
    'no address but that of a guarded site',
    { redirectUris: [], guardedSites: ['https://app.example'] },
    { ...strict, allowUnregisteredRedirectUri: true },
    [],
  ],
  ['plain http', { redirectUris: ['http://app.example/cb'] }, strict, ['plain-http']],
  ['http on this device', { redirectUris: ['http://127.0.0.1/cb'] }, strict, []],
  ['localhost', { redirectUris: ['http://localhost:8080/cb'] }, strict, ['localhost']],
  ['a scheme anybody may claim', { redirectUris: ['myapp:/cb'] }, strict, ['claimable-scheme']],
  ['a scheme made of a domain', { redirectUris: ['com.example.app:/cb'] }, strict, []],
  ['PKCE switched off', { requirePkce: false }, strict, ['no-pkce']],
  [
    'no authentication on refresh',
    { requireClientAuthOnRefresh: false },
    strict,
    ['refresh-without-secret'],
  ],
  [
    'neither rotation nor authentication',
    { requireClientAuthOnRefresh: false },
    { ...strict, alwaysIssueNewRefreshToken: false },
    ['refresh-without-secret', 'no-rotation'],
  ],
  ['authentication instead of rotation', {}, { ...strict, alwaysIssueNewRefreshToken: false }, []],
  ['no iss', { sendIss: false }, strict, ['no-iss']],
  ['long tokens', { accessTokenTtl: 86_401 }, strict, ['long-access-tokens']],
  ['long tokens by the server', {}, { ...strict, accessTokenTtl: 90_000 }, ['long-access-tokens']],
  ['a service', { grants: ['client_credentials'], redirectUris: [], sendIss: false }, strict, []],
];

test.each(cases)('hardening of a client with %s', (_, client, settings, expected) => {
  expect(codes(client, settings)).toEqual(expected);
});

test('each hardening finding has an explanation, a fix and an RFC clause', () => {
  const found = cases.flatMap(([, client, settings]) =>
    hardeningOf({ ...tight, ...client }, settings, strict),
  );
  const text = textIn('en');
  for (const { clause, code } of found) {
    expect(clause).toMatch(/^RFC \d+/);
    expect(text(`hardening.ends.${code}.what`)).toMatch(/\.$/);
    expect(text(`hardening.ends.${code}.how`)).toMatch(/\.$/);
  }
});
