import { expect, test } from 'vitest';
import { isSameNetwork, networkOf, networksOf, ownAddress } from '#lib/http/network.ts';

test('an IPv4 address stands for its network; of an IPv6 address the half that does', () => {
  expect(networkOf('192.0.2.17')).toBe('192.0.2.17');
  expect(networkOf('2001:db8:0:7:aaaa::1')).toBe('2001:db8:0:7::');
});

test('two addresses are in one network when that part is the same; what is not known is in none', () => {
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

test('what many share counts on its own, with ten times the allowance, and is nobody’s own address', () => {
  const proxy = { address: '192.0.2.7', isShared: true };
  expect(networksOf(proxy)).toEqual([{ network: 'behind 192.0.2.7', share: 10 }]);
  expect(ownAddress(proxy)).toBeNull();
});

test('an IPv4 address is one client, also where a socket for both kinds shows it as IPv6', () => {
  const counted = (address: string) => networksOf({ address, isShared: false });
  expect(counted('::ffff:203.0.113.9')).toEqual(counted('203.0.113.9'));
  expect(counted('::ffff:203.0.113.9')).toEqual([{ network: '203.0.113.9', share: 1 }]);
  expect(networkOf('::ffff:203.0.113.9')).toBe('203.0.113.9');
  expect(isSameNetwork('::ffff:203.0.113.9', '::ffff:203.0.113.10')).toBe(false);
});
