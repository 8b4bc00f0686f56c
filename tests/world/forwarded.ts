/**
 * Addresses as proxies and sockets write them, with who writes them so, and the address that is
 * meant: IPv4, or the /64 of an IPv6 address.
 */
export const forwarded: readonly (readonly [from: string, written: string, means: string])[] = [
  ['nginx, Caddy, HAProxy', '203.0.113.7', '203.0.113.7'],
  ['Azure Application Gateway', '203.0.113.7:51234', '203.0.113.7'],
  ['Azure Front Door', '[2001:db8:1:2::7]:443', '2001:db8:1:2::/64'],
  ['IIS with ARR', '[2001:db8:1:2::7]', '2001:db8:1:2::/64'],
  ['AWS ALB', '2001:db8:1:2::7', '2001:db8:1:2::/64'],
  ['a dual-stack socket', '::ffff:203.0.113.7', '203.0.113.7'],
  ['the same in hexadecimal', '::ffff:cb00:7107', '203.0.113.7'],
  ['the same with a port', '[::ffff:203.0.113.7]:8080', '203.0.113.7'],
  ['RFC 7239, section 6, copied', '"[2001:db8:1:2::7]:4711"', '2001:db8:1:2::/64'],
  ['RFC 7239 with an obfuscated port', '203.0.113.7:_alone', '203.0.113.7'],
  ['a link-local zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['AWS ALB that appends', '198.51.100.1, 203.0.113.7:443', '203.0.113.7'],
  ['a chain with blanks and an empty place', ' 198.51.100.1 ,, 203.0.113.7 ', '203.0.113.7'],
  [
    'Home Assistant 176387: Caddy’s {remote} over IPv6',
    '[2001:db8:1:2::7]:43462',
    '2001:db8:1:2::/64',
  ],
  ['aiohttp-remotes 102', '10.200.80.7:60604', '10.200.80.7'],
  ['aspnetcore 36537: a quote beyond the last proxy', '"2.2.2.2, 203.0.113.7', '203.0.113.7'],
  ['the same behind the address', '2.2.2.2", 203.0.113.7', '203.0.113.7'],
  ['code-dot-org 5947: squid before ours', 'unknown, 203.0.113.7', '203.0.113.7'],
  [
    'CloudFront in Forwarded, without brackets',
    '2001:861:3a42:b7b0:9971:120a:391f:f585',
    '2001:861:3a42:b7b0::/64',
  ],
  ['a translator in front of a data centre (RFC 7755)', '64:ff9b::808:808', '8.8.8.8'],
  ['a private address that claims to be translated', '64:ff9b::10.0.0.5', '64:ff9b:0:0::/64'],
  ['Go’s SplitHostPort, joined again: capitals', '[2001:DB8:1:2::7]:0', '2001:db8:1:2::/64'],
  ['a list that an empty header was added to', '203.0.113.7, ,', '203.0.113.7'],
  ['a chain of ours, with ports', '203.0.113.7:9999, 10.0.0.2:8080', '203.0.113.7'],
  ['a chain of ours in IPv6 form', '203.0.113.7, ::ffff:10.0.0.2', '203.0.113.7'],
  ['what a client forged before it', '10.0.0.2, evil, 203.0.113.7', '203.0.113.7'],
];

/** What names no client: the request counts as the proxy's. True where it is said as a fault. */
export const unnamed: readonly (readonly [from: string, written: string, isFault: boolean])[] = [
  ['squid with forwarded_for off', 'unknown', false],
  ['RFC 7239, section 6.3', '_hidden', false],
  ['a logging format', '-', false],
  ['a name in place of an address', 'client.example.org', true],
  ['octal or decimal: nobody knows', '010.0.0.1', true],
  ['a number', '3232235521', true],
  ['a port that is none', '203.0.113.7:http', true],
  ['a CIDR range', '203.0.113.0/24', true],
  ['too many parts', '203.0.113.7.1', true],
  ['Forwarded, copied whole', 'for=203.0.113.7', true],
  ['a variable that nginx was not told of', '$remote_addr', true],
  ['nginx behind a socket file', 'unix:', true],
  ['two addresses without a comma', '203.0.113.7 203.0.113.8', true],
  ['a wrong bracket', '[203.0.113.7]', true],
];

/** Entries of TRUSTED_PROXIES, and an address that each covers and one that it does not. */
export const proxies: readonly (readonly [entry: string, covered: string, not: string])[] = [
  ['10.0.0.1', '10.0.0.1', '10.0.0.2'],
  ['10.0.0.0/8', '10.9.9.9', '11.0.0.1'],
  ['10.0.0.1:8080', '10.0.0.1', '10.0.0.2'],
  ['::1', '::1', '::2'],
  ['[2001:db8::1]', '2001:db8::1', '2001:db8::2'],
  ['2001:db8::/32', '2001:db8:5::1', '2001:db9::1'],
  ['::ffff:10.0.0.1', '10.0.0.1', '10.0.0.2'],
  ['::ffff:10.0.0.0/104', '10.9.9.9', '11.0.0.1'],
];
