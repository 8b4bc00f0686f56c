import ipaddr from 'ipaddr.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { config } from '#lib/config.ts';
import { senderOf } from '#lib/http/address.ts';
import { readSender, writeSender } from '#lib/http/passed-on.ts';

/** Sets the trusted proxies, as TRUSTED_PROXIES does. */
function trust(...networks: [string, number][]): void {
  config().trustedProxies = networks.map(([address, bits]) => [ipaddr.parse(address), bits]);
}

describe('the sender of a request', () => {
  beforeEach(() => trust(['10.0.0.1', 32], ['10.0.0.2', 32]));

  test.each([
    ['a peer that forwards nobody', '192.0.2.7', undefined, '192.0.2.7', false],
    ['the address that a trusted proxy says', '10.0.0.1', '192.0.2.7', '192.0.2.7', false],
    [
      'the last one that none of ours added',
      '10.0.0.1',
      '6.6.6.6, 192.0.2.7, 10.0.0.2',
      '192.0.2.7',
      false,
    ],
    [
      'a peer that is not trusted, whatever it says',
      '192.168.0.9',
      '192.0.2.7',
      '192.168.0.9',
      false,
    ],
    ['a trusted proxy that says nobody', '10.0.0.1', undefined, '10.0.0.1', true],
    [
      'the proxy that says what is no address',
      '10.0.0.1',
      '192.0.2.7, x, 10.0.0.2',
      '10.0.0.2',
      true,
    ],
    ['a customer of IPv6', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64', false],
    ['an IPv4 address in IPv6 form', '::ffff:192.0.2.7', undefined, '192.0.2.7', false],
    ['a server that does not show its peers', 'unknown', '192.0.2.7', 'unknown', true],
  ])('%s', (_, peer, forwardedFor, address, isShared) => {
    expect(senderOf(peer, forwardedFor)).toEqual({ address, isShared });
  });

  test('without TRUSTED_PROXIES may be a proxy if a private peer sends X-Forwarded-For', () => {
    trust();
    expect(senderOf('192.168.0.9', '192.0.2.7')).toEqual({
      address: '192.168.0.9',
      isShared: true,
    });
    expect(senderOf('192.168.0.9', undefined)).toEqual({ address: '192.168.0.9', isShared: false });
    expect(senderOf('198.51.100.9', '192.0.2.7')).toEqual({
      address: '198.51.100.9',
      isShared: false,
    });
  });
});

describe('the header for a forwarded sender', () => {
  const sender = { address: '192.0.2.7', isShared: false };

  test('round-trips the sender', () => {
    expect(readSender(writeSender(sender))).toEqual(sender);
    const proxy = { address: '2001:db8::/64', isShared: true };
    expect(readSender(writeSender(proxy))).toEqual(proxy);
  });

  test.each([
    ['nothing', undefined],
    ['an address alone', '192.0.2.7'],
    ['another key', writeSender(sender).replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))],
    ['a key cut short', writeSender(sender).slice(1)],
    ['no address', writeSender(sender).replace(/ \S+$/, '')],
  ])('is ignored if it was not made by this server: %s', (_, text) => {
    expect(readSender(text)).toBeNull();
  });
});
