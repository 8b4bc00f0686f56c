import ipaddr from 'ipaddr.js';

/**
 * The network an address belongs to, as people may compare it: an IPv4 address as it is; of an IPv6
 * address the half that names the network, since devices change the other one by themselves.
 */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::`;
}

/** Whether somebody at one address is in the network of the other, as far as one can tell. */
export function isSameNetwork(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && networkOf(one) === networkOf(other);
}

/**
 * The networks an address counts for, the widest first, with how many times the share of one address
 * each may have: whoever has a /48 of IPv6 has 65,536 networks like those of single customers.
 * @param address as `clientAddress` gives it: IPv4, or the /64 of an IPv6 address
 */
export function networksOf(address: string): { network: string; share: number }[] {
  const [ip = ''] = address.split('/');
  if (!ipaddr.IPv6.isValid(ip)) return [{ network: address, share: 1 }];
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv6.parse(ip).parts;
  const name = (...parts: number[]) => parts.map((part) => part.toString(16)).join(':');
  return [
    { network: `${name(a, b, c)}::/48`, share: 9 },
    { network: `${name(a, b, c, d & 0xff00)}::/56`, share: 3 },
    { network: `${name(a, b, c, d)}::/64`, share: 1 },
  ];
}
