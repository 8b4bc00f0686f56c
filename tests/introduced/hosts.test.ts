import { expect, test } from 'vitest';
import { hostOf, placesFault } from '#lib/introduced/hosts.ts';

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
])('a registered client is known by %s', (_, uris, host) => {
  expect(hostOf(uris)).toBe(host);
  expect(placesFault(uris)).toBeNull();
});

test('a host is not below another that it only ends with', () =>
  expect(placesFault(['https://x.example/', 'https://evilx.example/'])).toContain('evilx.example'));
