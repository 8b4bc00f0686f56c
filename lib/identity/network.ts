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
