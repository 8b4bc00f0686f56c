import { randomBytes } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { config } from '../config.ts';
import { log } from '../log.ts';
import { once } from '../once.ts';

/** A private header from our server to Next.js in the same process: the client's address. */
export const addressHeader = 'x-gatehouse-address';

/** The key is shared through globalThis, so no outside request can forge the header. */
export function addressKey(): string {
  return once('address-key', () => randomBytes(16).toString('hex'));
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * The client's address: that of the connection, or behind trusted proxies the rightmost untrusted
 * one in `X-Forwarded-For`. Null if unknown, also when an untrusted private peer sends that header:
 * as a proxy it stands for everyone.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
): string | null {
  if (forwardedFor && isUntrustedProxy(peer)) return null;
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

/** Whether TRUSTED_PROXIES names whom a connection comes from. */
export function isTrustedProxy(peer: string | undefined): boolean {
  return peer !== undefined && ipaddr.isValid(peer) && isTrusted(ipaddr.process(peer));
}

/** Whether a connection comes from a trusted proxy or from this machine. */
export function isNear(peer: string | undefined): boolean {
  if (peer === undefined || !ipaddr.isValid(peer)) return false;
  const address = ipaddr.process(peer);
  return address.range() === 'loopback' || isTrusted(address);
}

/** An IPv6 customer has a /64, with as many addresses as they like. */
function throttledPart(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const parts = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(':')}::/64`;
}

/** Whether a private or loopback peer forwards requests without being trusted. Logged once. */
function isUntrustedProxy(peer: string | undefined): boolean {
  if (!peer || !ipaddr.isValid(peer)) return false;
  const address = ipaddr.process(peer);
  if (!ownRanges.has(address.range()) || isTrusted(address)) return false;
  const seen = untrustedProxies();
  if (seen.size < mostProxies && !seen.has(address.toString())) {
    seen.add(address.toString());
    if (seen.size === 1)
      log().warn(
        { peer: address.toString() },
        'X-Forwarded-For comes from an address that TRUSTED_PROXIES doesn’t list, so IP addresses are unknown and sign-in is limited per account only. If it’s your proxy, set TRUSTED_PROXIES to its address and restart.',
      );
  }
  return true;
}

const ownRanges = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);
const mostProxies = 5;

/** Some of the untrusted peers that sent `X-Forwarded-For` to this process. */
export function untrustedProxies(): Set<string> {
  return once('untrusted-proxies', () => new Set<string>());
}
