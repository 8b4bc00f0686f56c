import { expect, test } from 'vitest';
import { isSameNetwork, networkOf, networksOf, ownAddress } from '#lib/http/network.ts';

test('networkOf is the whole IPv4 address, and the first half of an IPv6 address', () => {
  expect(networkOf('192.0.2.17')).toBe('192.0.2.17');
  expect(networkOf('2001:db8:0:7:aaaa::1')).toBe('2001:db8:0:7::');
});

test('isSameNetwork compares the network part, and is false for unknown addresses', () => {
  expect(isSameNetwork('2001:db8::1', '2001:db8:0:0:9::2')).toBe(true);
  expect(isSameNetwork('2001:db8::1', '2001:db8:0:1::1')).toBe(false);
  expect(isSameNetwork('192.0.2.17', '192.0.2.18')).toBe(false);
  expect(isSameNetwork(null, null)).toBe(false);
});

test.each([
  ['192.0.2.7', [['192.0.2.7', 1]]],
  [
    '2001:db8:1:2345::/64',
    [
      ['2001:db8:1::/48', 9],
      ['2001:db8:1:2300::/56', 3],
      ['2001:db8:1:2345::/64', 1],
    ],
  ],
])('%s counts for its networks, the widest first', (address, networks) => {
  expect(
    networksOf({ address, isShared: false }).map(({ network, share }) => [network, share]),
  ).toEqual(networks);
});

test('a shared proxy address counts on its own with ten times the limit, and is no own address', () => {
  const proxy = { address: '192.0.2.7', isShared: true };
  expect(networksOf(proxy)).toEqual([{ network: 'behind 192.0.2.7', share: 10 }]);
  expect(ownAddress(proxy)).toBeNull();
});

test('an IPv4 address is one client, also in its IPv6-mapped form', () => {
  const counted = (address: string) => networksOf({ address, isShared: false });
  expect(counted('::ffff:203.0.113.9')).toEqual(counted('203.0.113.9'));
  expect(counted('::ffff:203.0.113.9')).toEqual([{ network: '203.0.113.9', share: 1 }]);
  expect(networkOf('::ffff:203.0.113.9')).toBe('203.0.113.9');
  expect(isSameNetwork('::ffff:203.0.113.9', '::ffff:203.0.113.10')).toBe(false);
});
