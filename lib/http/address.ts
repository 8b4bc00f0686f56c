import { randomBytes } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { config } from '../config.ts';
import { once } from '../once.ts';

/** Our server's private word to the Next side of the same process: who the client is. */
export const addressHeader = 'x-gatehouse-address';

/** Shared through globalThis, so that no request from outside can speak in its name. */
export function addressKey(): string {
  return once('address-key', () => randomBytes(16).toString('hex'));
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * The client's address: the connection's, or behind trusted proxies the rightmost one of
 * `X-Forwarded-For` that is no trusted proxy. Null when it cannot be known.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
): string | null {
  const chain = [
    ...(forwardedFor ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
    peer ?? '',
  ];
  for (const text of chain.reverse()) {
    if (!ipaddr.isValid(text)) return null;
    const address = ipaddr.process(text);
    if (!isTrusted(address)) return throttledPart(address);
  }
  return null;
}

function isTrusted(address: Address): boolean {
  return config().trustedProxies.some(
    ([range, bits]) => address.kind() === range.kind() && address.match(range, bits),
  );
}

/** An IPv6 customer has a /64 of their own, and as many addresses as they like. */
function throttledPart(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const parts = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(':')}::/64`;
}
