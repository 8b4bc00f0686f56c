import ipaddr from 'ipaddr.js';
import type { Place } from '../oauth/sign-in-rules.ts';

/**
 * Whether an address is in one of these networks (RFC 4632, RFC 4291 section 2.3). An IPv4 address
 * in IPv6 form counts as IPv4. With no networks it is anywhere, known or not.
 * @param address as `senderOf` returns it: IPv4, or the /64 of an IPv6 address
 */
export function placeIn(networks: readonly string[], address: string | null): Place {
  if (networks.length === 0) return 'inside';
  const [ip = ''] = (address ?? '').split('/');
  if (!ipaddr.isValid(ip)) return 'unknown';
  const at = ipaddr.process(ip);
  return networks.some((network) => holds(network, at)) ? 'inside' : 'outside';
}

function holds(network: string, at: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const [base = '', bits] = network.split('/');
  if (!ipaddr.isValid(base)) return false;
  const range = ipaddr.parse(base);
  return range.kind() === at.kind() && at.match(range, bits === undefined ? 32 : Number(bits));
}

const examples = 'such as 203.0.113.0/24, 203.0.113.7 or 2001:db8:12::/48';
/** `senderOf` keeps so much of an IPv6 address: devices change the rest by themselves. */
const longestIpv6 = 64;

/** What is wrong with a network as somebody wrote it, as a sentence; null: nothing. */
export function networkFault(text: string): string | null {
  const shown = text.length > 50 ? `${text.slice(0, 50)}…` : text;
  const [, base = '', bits] = /^([0-9a-fA-F.:]{2,45})(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (ipaddr.IPv4.isValidFourPartDecimal(base)) return ipv4Fault(shown, base, Number(bits ?? 32));
  if (ipaddr.IPv6.isValid(base)) return ipv6Fault(shown, base, Number(bits ?? 128));
  return `“${shown}” isn’t a network. Write one on each line, ${examples}.`;
}

function ipv4Fault(shown: string, base: string, bits: number): string | null {
  if (bits > 32) return `“${shown}” isn’t a network: an IPv4 address has 32 bits.`;
  if (bits === 0) return `“${shown}” is every address. Leave the list empty instead.`;
  const network = ipaddr.IPv4.networkAddressFromCIDR(`${base}/${bits}`).toString();
  return network === base ? null : `“${shown}” isn’t where a network begins: ${network}/${bits}.`;
}

function ipv6Fault(shown: string, base: string, bits: number): string | null {
  if (bits > 128) return `“${shown}” isn’t a network: an IPv6 address has 128 bits.`;
  if (bits === 0) return `“${shown}” is every address. Leave the list empty instead.`;
  const address = ipaddr.IPv6.parse(base);
  if (address.isIPv4MappedAddress())
    return `“${shown}” is IPv4 in IPv6 form. Write ${mappedNetwork(address, bits)}.`;
  const kept = Math.min(bits, longestIpv6);
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${base}/${kept}`);
  if (bits > longestIpv6)
    return `“${shown}” is part of a network. IPv6 networks are told apart down to /64: ${network}/64.`;
  return network.toString() === address.toString()
    ? null
    : `“${shown}” isn’t where a network begins: ${network}/${bits}.`;
}

function mappedNetwork(address: ipaddr.IPv6, bits: number): string {
  const short = Math.max(bits - 96, 1);
  const plain = `${address.toIPv4Address()}/${short}`;
  return `${ipaddr.IPv4.networkAddressFromCIDR(plain)}/${short}`;
}
