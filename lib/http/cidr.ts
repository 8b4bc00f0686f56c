import ipaddr from 'ipaddr.js';
import { type Sentence, sentence } from '../messages/sentence.ts';
import type { Place } from '../oauth/sign-in-rules.ts';

/**
 * Whether an address is in one of these networks (RFC 4632, RFC 4291 section 2.3). An IPv4 address
 * in IPv6 form counts as IPv4. An empty list admits every address, even an unknown one.
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

/**
 * How many leading bits of an IPv6 address `senderOf` keeps. Devices change the rest by themselves.
 */
const longestIpv6 = 64;

/** What is wrong with a network that was typed in; null if it is valid. */
export function networkFault(text: string): Sentence | null {
  const shown = text.length > 50 ? `${text.slice(0, 50)}…` : text;
  const [, base = '', bits] = /^([0-9a-fA-F.:]{2,45})(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (ipaddr.IPv4.isValidFourPartDecimal(base)) return ipv4Fault(shown, base, Number(bits ?? 32));
  if (ipaddr.IPv6.isValid(base)) return ipv6Fault(shown, base, Number(bits ?? 128));
  return sentence('refused.network.form', { network: shown });
}

function ipv4Fault(shown: string, base: string, bits: number): Sentence | null {
  if (bits > 32) return tooManyBits(shown, 'IPv4', 32);
  if (bits === 0) return sentence('refused.network.everything', { network: shown });
  const network = ipaddr.IPv4.networkAddressFromCIDR(`${base}/${bits}`).toString();
  return network === base ? null : beginsAt(shown, `${network}/${bits}`);
}

const tooManyBits = (network: string, family: string, bits: number) =>
  sentence('refused.network.bits', { network, family, bits: String(bits) });

const beginsAt = (network: string, begins: string) =>
  sentence('refused.network.begins', { network, begins });

function ipv6Fault(shown: string, base: string, bits: number): Sentence | null {
  if (bits > 128) return tooManyBits(shown, 'IPv6', 128);
  if (bits === 0) return sentence('refused.network.everything', { network: shown });
  const address = ipaddr.IPv6.parse(base);
  if (address.isIPv4MappedAddress())
    return sentence('refused.network.mapped', {
      network: shown,
      plain: mappedNetwork(address, bits),
    });
  const kept = Math.min(bits, longestIpv6);
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${base}/${kept}`);
  if (bits > longestIpv6)
    return sentence('refused.network.part', { network: shown, whole: `${network}/64` });
  return network.toString() === address.toString() ? null : beginsAt(shown, `${network}/${bits}`);
}

function mappedNetwork(address: ipaddr.IPv6, bits: number): string {
  const short = Math.max(bits - 96, 1);
  const plain = `${address.toIPv4Address()}/${short}`;
  return `${ipaddr.IPv4.networkAddressFromCIDR(plain)}/${short}`;
}
