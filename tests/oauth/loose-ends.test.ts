import { expect, test } from 'vitest';
import { looseEndsOf } from '#lib/oauth/loose-ends.ts';
import { resolveSettings, type Settings } from '#lib/settings/table.ts';

type Judged = Parameters<typeof looseEndsOf>[0];

const strict = resolveSettings('strict', {}, {});
const loose = resolveSettings('interface', {}, {});
const tight: Judged = {
  type: 'confidential',
  grants: ['authorization_code', 'refresh_token'],
  scopes: ['openid'],
  redirectUris: ['https://app.example/cb'],
  requirePkce: null,
  requireClientAuthOnRefresh: null,
  sendIss: true,
  accessTokenTtl: null,
};
const codes = (client: Partial<Judged>, settings: Settings) =>
  looseEndsOf({ ...tight, ...client }, settings).map((end) => end.code);

test('with strict settings a client with its own scopes and one https address has no loose ends', () => {
  expect(codes({}, strict)).toEqual([]);
  expect(codes({ type: 'public' }, strict)).toEqual([]);
});

test('the defaults of the interface show as loose ends, and the client can close its own', () => {
  expect(codes({}, loose)).toEqual([
    'no-pkce',
    'refresh-without-secret',
    'refresh-in-query',
    'token-in-query',
  ]);
  const closed = codes({ requirePkce: true, requireClientAuthOnRefresh: true }, loose);
  expect(closed).toEqual(['refresh-in-query', 'token-in-query']);
});

const cases: [string, Partial<Judged>, Settings, string[]][] = [
  [
    'no address of its own',
    { redirectUris: [] },
    { ...strict, allowUnregisteredRedirectUri: true },
    ['no-redirect-uri'],
  ],
  ['no address, and none may be named', { redirectUris: [] }, strict, []],
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
  ['every scope', { scopes: null }, strict, ['all-scopes']],
  ['long tokens', { accessTokenTtl: 86_401 }, strict, ['long-access-tokens']],
  ['long tokens by the server', {}, { ...strict, accessTokenTtl: 90_000 }, ['long-access-tokens']],
  [
    'a service',
    { grants: ['client_credentials'], redirectUris: [], scopes: null, sendIss: false },
    strict,
    [],
  ],
];

test.each(cases)('%s', (_, client, settings, expected) => {
  expect(codes(client, settings)).toEqual(expected);
});

test('each says what is loose, how to close it, by which clause, and where', () => {
  const ends = cases.flatMap(([, client, settings]) =>
    looseEndsOf({ ...tight, ...client }, settings),
  );
  for (const end of ends) {
    expect(end.what).toMatch(/\.$/);
    expect(end.how).toMatch(/\.$/);
    expect(end.clause).toMatch(/^RFC \d+/);
    expect(Object.keys(end)).not.toContain('holds');
  }
});
