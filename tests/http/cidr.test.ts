import { describe, expect, test } from 'vitest';
import { senderOf } from '#lib/http/address.ts';
import { networkFault, placeIn } from '#lib/http/cidr.ts';
import { sentenceIn } from '#lib/messages/text.ts';
import type { Place } from '#lib/oauth/sign-in-rules.ts';

describe('the networks of an app and the address of a browser', () => {
  test.each<[string, string[], string | null, Place]>([
    ['no networks', [], '198.51.100.7', 'inside'],
    ['no networks and no address', [], null, 'inside'],
    ['an address in a network', ['198.51.100.0/24'], '198.51.100.7', 'inside'],
    ['its first address', ['198.51.100.0/24'], '198.51.100.0', 'inside'],
    ['its last address', ['198.51.100.0/24'], '198.51.100.255', 'inside'],
    ['the address after it', ['198.51.100.0/24'], '198.51.101.0', 'outside'],
    ['the second of two', ['203.0.113.0/24', '198.51.100.0/24'], '198.51.100.7', 'inside'],
    ['one address', ['198.51.100.7'], '198.51.100.7', 'inside'],
    ['another than the one', ['198.51.100.7'], '198.51.100.8', 'outside'],
    ['IPv4 in IPv6 form', ['198.51.100.0/24'], '::ffff:198.51.100.7', 'inside'],
    ['IPv6', ['2001:db8:12::/48'], '2001:db8:12:3::/64', 'inside'],
    ['IPv6 elsewhere', ['2001:db8:12::/48'], '2001:db8:13:3::/64', 'outside'],
    ['a /64', ['2001:db8:12:3::/64'], '2001:db8:12:3::/64', 'inside'],
    ['IPv6 where only IPv4 is listed', ['198.51.100.0/24'], '2001:db8:12:3::/64', 'outside'],
    ['IPv4 where only IPv6 is listed', ['2001:db8::/32'], '198.51.100.7', 'outside'],
    ['no address', ['198.51.100.0/24'], null, 'unknown'],
    ['no address in truth', ['198.51.100.0/24'], 'somewhere', 'unknown'],
  ])('%s: %s', (_, networks, address, place) => {
    expect(placeIn(networks, address)).toBe(place);
  });

  test('match addresses in the form that the server gives them', () => {
    expect(placeIn(['198.51.100.0/24'], senderOf('::ffff:198.51.100.7', undefined).address)).toBe(
      'inside',
    );
    expect(
      placeIn(['2001:db8:12::/48'], senderOf('2001:db8:12:3:4:5:6:7', undefined).address),
    ).toBe('inside');
  });
});

describe('a network entered by an admin', () => {
  test.each([
    '203.0.113.0/24',
    '10.0.0.0/8',
    '203.0.113.7',
    '203.0.113.7/32',
    '2001:db8::/32',
    '2001:DB8:0::/48',
    'fd00::/8',
    '2001:db8:1:2::/64',
  ])('%s is valid', (text) => {
    expect(networkFault(text)).toBeNull();
  });

  test.each([
    ['203.0.113.5/24', 'begins: 203.0.113.0/24.'],
    ['2001:db8:1:2:3::/64', 'begins: 2001:db8:1:2::/64.'],
    ['203.0.113.0/33', '32 bits'],
    ['2001:db8::/129', '128 bits'],
    ['2001:db8:1:2::5', '2001:db8:1:2::/64.'],
    ['2001:db8:1:2::5/128', '2001:db8:1:2::/64.'],
    ['::ffff:10.0.0.0/104', 'Write 10.0.0.0/8.'],
    ['0.0.0.0/0', 'every address'],
    ['::/0', 'every address'],
    ['10.1', 'isn’t a network'],
    ['0x0a000000/8', 'isn’t a network'],
    ['010.0.0.0/8', 'isn’t a network'],
    ['example.org', 'isn’t a network'],
    ['10.0.0.0/8, 192.168.0.0/16', 'one on each line'],
    ['10.0.0.0/8/8', 'isn’t a network'],
    ['fe80::1%eth0', 'isn’t a network'],
    ['/24', 'isn’t a network'],
    ['10.0.0.0/', 'isn’t a network'],
    ['1'.repeat(300), 'isn’t a network'],
  ])('%s: %s', (text, says) => {
    const said = networkFault(text);
    const fault = said ? sentenceIn('en', said) : '';
    expect(fault).toContain(says);
    expect(fault.length).toBeLessThan(200);
  });
});
