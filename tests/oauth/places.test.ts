import { expect, test } from 'vitest';
import { newClient } from '#lib/oauth/client.ts';
import { documentPlacesFault, hostOf, leadsHome, placesFault } from '#lib/oauth/places.ts';

test.each<[string, string[], string]>([
  ['its host', ['https://app.example/cb', 'https://app.example:8443/cb'], 'app.example'],
  [
    'the lowest host, which the others speak for',
    ['https://example.org/cb', 'https://mail.example.org/cb'],
    'mail.example.org',
  ],
  ['the computer', ['http://localhost/cb', 'http://127.0.0.1/cb'], 'localhost'],
  [
    'all places, whatever stands first',
    ['http://127.0.0.1/cb', 'https://app.example/cb'],
    'app.example, 127.0.0.1',
  ],
  [
    'a scheme that looks like a host as a scheme',
    ['claude.ai:/cb', 'http://127.0.0.1/cb'],
    'an app on your device (scheme claude.ai)',
  ],
  [
    'a scheme, and not by what stands behind it',
    ['evil://claude.ai/cb'],
    'an app on your device (scheme evil)',
  ],
])('the host shown for a registered client is %s', (_, uris, host) => {
  expect(hostOf(uris)).toBe(host);
  expect(placesFault(uris)).toBeNull();
});

test('a host that only ends with another is not its subdomain', () =>
  expect(placesFault(['https://x.example/', 'https://evilx.example/'])).toContain('evilx.example'));

const id = 'https://editor.example/client.json';
const said = (more: Partial<typeof newClient>) => ({
  ...newClient,
  redirectUris: ['http://127.0.0.1/cb'],
  ...more,
});

test.each<[string, Partial<typeof newClient>, boolean]>([
  [
    'the host of its document, beside the computer',
    { initiateLoginUri: 'https://editor.example/in' },
    true,
  ],
  ['another host, beside the computer', { initiateLoginUri: 'https://evil.example/in' }, false],
  [
    'one host for everything, its document elsewhere',
    {
      redirectUris: ['https://app.example/cb'],
      postLogoutRedirectUris: ['https://app.example/bye'],
      backchannelLogoutUri: 'https://out.app.example/',
    },
    true,
  ],
  [
    'another host after the sign-out',
    { redirectUris: ['https://app.example/cb'], postLogoutRedirectUris: ['https://evil.example/'] },
    false,
  ],
])('the URIs in a client document may lead to %s: %#', (_, more, fits) => {
  expect(documentPlacesFault(id, said(more)) === null).toBe(fits);
});

test('leadsHome: a URI on a host of the redirect URIs, or for a native app on the host of its document', () => {
  const web = {
    id: 'x',
    origin: 'registration',
    redirectUris: ['https://app.example/cb'],
  } as const;
  expect(leadsHome(web, 'https://app.example/bye')).toBe(true);
  expect(leadsHome(web, 'https://evil.example/bye')).toBe(false);
  const program = { id, origin: 'document', redirectUris: ['http://127.0.0.1/cb'] } as const;
  expect(leadsHome(program, 'https://editor.example/bye')).toBe(true);
  expect(leadsHome(program, 'https://evil.example/bye')).toBe(false);
});
