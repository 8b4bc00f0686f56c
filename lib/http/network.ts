import ipaddr from 'ipaddr.js';

export type Sender = {
  /** The peer's, or the one that trusted proxies report: IPv4, or the /64 of IPv6. */
  address: string;
  /** The address is a proxy's, so all clients behind that proxy have it. */
  isShared: boolean;
};

/** The allowance of a shared address, as a multiple of a single client's. */
export const sharedAllowance = 10;

/**
 * The address that belongs to the client alone, as people are shown it; null if it is a proxy's.
 */
export function ownAddress({ address, isShared }: Sender): string | null {
  return isShared ? null : address;
}

/**
 * The network of an address in a form that people can compare: an IPv4 address unchanged, the /64
 * prefix of an IPv6 address. Devices change the rest by themselves.
 */
export function networkOf(address: string): string {
  const ip = parse(address);
  if (typeof ip === 'string') return ip;
  return `${ip.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::`;
}

/** The network that people are shown as their own, if it is known. */
export function networkShown(sender: Sender): string | undefined {
  const address = ownAddress(sender);
  return address === null ? undefined : networkOf(address);
}

/** Within which a connection's address changes by itself: /16 of IPv4, /48 of IPv6. */
export function neighbourhoodOf(address: string): string {
  const ip = parse(address.split('/')[0] ?? '');
  if (typeof ip === 'string') return ip.split('.').slice(0, 2).join('.');
  return ip.parts
    .slice(0, 3)
    .map((part) => part.toString(16))
    .join(':');
}

/** Whether two addresses appear to be in the same network. */
export function isSameNetwork(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && networkOf(one) === networkOf(other);
}

/**
 * The networks that a request counts towards, widest first. Each has its allowance as a multiple of
 * a single address's, because an IPv6 /48 holds 65,536 customer-sized networks. A shared address is
 * counted separately from a client at the same address.
 */
export function networksOf({ address, isShared }: Sender): { network: string; share: number }[] {
  return isShared
    ? [{ network: `behind ${networkOf(address)}`, share: sharedAllowance }]
    : networksAround(address);
}

/** The widest network that a request counts towards. */
export const widestNetwork = (sender: Sender) => networksOf(sender)[0]?.network ?? sender.address;

/** Parsed if IPv6, else text. IPv4 on a dual-stack socket becomes IPv4 text. */
function parse(address: string): ipaddr.IPv6 | string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const ip = ipaddr.process(address);
  return ip instanceof ipaddr.IPv6 ? ip : ip.toString();
}

function networksAround(address: string): { network: string; share: number }[] {
  const ip = parse(address.split('/')[0] ?? '');
  if (typeof ip === 'string') return [{ network: ip, share: 1 }];
  const [a = 0, b = 0, c = 0, d = 0] = ip.parts;
  const name = (...parts: number[]) => parts.map((part) => part.toString(16)).join(':');
  return [
    { network: `${name(a, b, c)}::/48`, share: 9 },
    { network: `${name(a, b, c, d & 0xff00)}::/56`, share: 3 },
    { network: `${name(a, b, c, d)}::/64`, share: 1 },
  ];
}
