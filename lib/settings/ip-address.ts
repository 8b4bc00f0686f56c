import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Range = [Address, number];

/** What proxies write where they do not know or do not tell the client (RFC 7239, section 6). */
const notTold = /^(unknown|_[\w.-]+|-)$/i;

/** IPv4, or IPv6 with or without brackets and zone; then possibly a port. */
const node = /^(?:\[([\da-f:.]+)(?:%[\w.-]+)?\]|([\d.]+)|([\da-f:.]+)(?:%[\w.-]+)?)$/i;
const port = /(?<=^[\d.]+|\]):(?:\d{1,5}|_[\w.-]+)$/;

/** Addresses that were read before, since the same ones come again and again. */
const known = new Map<string, Address>();
const mostKnown = 1000;

/**
 * Reads an address as sockets and proxies write it: `v4`, `v4:port` (Azure Application Gateway),
 * `v6`, `[v6]`, `[v6]:port`, in quotes or not (RFC 7239, section 6). IPv4 in IPv6 form is IPv4.
 * @returns null for `unknown` and its like; undefined for what is no address
 */
export function readAddress(text: string): Address | null | undefined {
  const before = known.get(text);
  if (before) return before;
  const address = parse(text);
  if (known.size >= mostKnown) known.clear();
  if (address && text.length < 100) known.set(text, address);
  return address;
}

function parse(text: string): Address | null | undefined {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  if (bare.length > 100) return undefined;
  if (notTold.test(bare)) return null;
  const [, bracketed, four, six] = node.exec(bare.replace(port, '')) ?? [];
  // Numbers with a leading zero are octal to some programs and decimal to others.
  if (four !== undefined)
    return ipaddr.IPv4.isValidFourPartDecimal(four) ? ipaddr.IPv4.parse(four) : undefined;
  const written = bracketed ?? six ?? '';
  return ipaddr.IPv6.isValid(written) ? ipaddr.process(written) : undefined;
}

/**
 * Reads an address or a CIDR range, the address in any form that {@link readAddress} knows.
 * @returns undefined for what is neither
 */
export function readRange(text: string): Range | undefined {
  const [, base = '', bits] = /^(.*?)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = readAddress(base);
  if (!address) return undefined;
  const longest = address.kind() === 'ipv4' ? 32 : 128;
  // The bits of IPv4 in IPv6 form count from the beginning of the IPv6 address.
  const before = longest === 32 && /:.*:/.test(base) ? 96 : 0;
  const kept = bits === undefined ? longest : Number(bits) - before;
  return kept >= 0 && kept <= longest ? [address, kept] : undefined;
}

/** A range as people write it: `10.0.0.0/8`, or an address alone. */
export function rangeText([address, bits]: Range): string {
  const longest = address.kind() === 'ipv4' ? 32 : 128;
  return bits === longest ? address.toString() : `${address.toString()}/${bits}`;
}
