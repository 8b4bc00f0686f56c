import type ipaddr from 'ipaddr.js';
import { config } from '../config.ts';
import { once } from '../once.ts';
import { type Address, readAddress } from '../settings/ip-address.ts';
import { log } from '../telemetry/log.ts';
import type { Sender } from './network.ts';

/**
 * The sender of a request: the peer, or, behind trusted proxies, the rightmost untrusted address in
 * `X-Forwarded-For`. The address counts as shared if a trusted proxy names no client. While no
 * proxy is trusted, it also counts as shared if a private peer forwards requests, because that peer
 * may be a proxy that the operator has not configured.
 * @param proved the peer proved that it is a proxy of the operator, whether or not it is listed
 */
export function senderOf(peer: string, forwardedFor: string | undefined, proved = false): Sender {
  const address = readAddress(peer);
  if (!address) return { address: peer, isShared: true };
  if (!proved && !isTrusted(address)) {
    const isProxy = Boolean(forwardedFor) && isUntrustedProxy(address);
    return {
      address: throttledPart(address),
      isShared: isProxy && config().trustedProxies.length === 0,
    };
  }
  const { nearest, unreadable } = follow(address, forwardedFor ?? '');
  if (unreadable !== undefined) noteUnreadable(nearest, unreadable);
  return { address: throttledPart(nearest), isShared: nearest === address || isTrusted(nearest) };
}

/**
 * Follows `X-Forwarded-For` from a trusted proxy towards the client.
 * @returns the first address that is not trusted, or the last proxy's; and what stood in place of
 * an address there
 */
function follow(proxy: Address, forwardedFor: string): { nearest: Address; unreadable?: string } {
  let nearest = proxy;
  for (const text of addressesIn(forwardedFor).reverse()) {
    const next = readAddress(text);
    if (next === undefined) return { nearest, unreadable: text.slice(0, 60) };
    if (next === null) break;
    nearest = next;
    if (!isTrusted(nearest)) break;
  }
  return { nearest };
}

/** What a trusted peer sent in place of its client's address; null if it is not so. */
export function unreadableFrom(peer: string | undefined, forwardedFor: string | null) {
  const address = readAddress(peer ?? '');
  if (!address || !isTrusted(address)) return null;
  return follow(address, forwardedFor ?? '').unreadable ?? null;
}

const addressesIn = (list: string) =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

function isTrusted(address: Address): boolean {
  return config().trustedProxies.some(
    ([range, bits]) => address.kind() === range.kind() && address.match(range, bits),
  );
}

/** Whether TRUSTED_PROXIES lists the peer of a connection. */
export function isTrustedProxy(peer: string | undefined): boolean {
  const address = readAddress(peer ?? '');
  return Boolean(address && isTrusted(address));
}

/** Whether a connection comes from a trusted proxy or from this machine. */
export function isNear(peer: string): boolean {
  const address = readAddress(peer);
  return Boolean(address && (address.range() === 'loopback' || isTrusted(address)));
}

/**
 * Whether a peer is a proxy. While none is configured, any peer in a private network or on this
 * machine may be one.
 */
export function mayBeProxy(peer: string): boolean {
  const address = readAddress(peer);
  if (!address) return true;
  if (config().trustedProxies.length > 0) return isTrusted(address);
  return ownRanges.has(address.range());
}

/** An IPv6 customer has a /64 and can use any address in it. */
function throttledPart(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const { parts } = address as ipaddr.IPv6;
  const first = parts.slice(0, 4).map((part) => part.toString(16));
  return translated(address, parts) ?? `${first.join(':')}::/64`;
}

/** The IPv4 address of a client that a translator reports: a public one (RFC 6052 section 3.1). */
function translated(address: Address, parts: readonly number[]): string | null {
  if (address.range() !== 'rfc6052') return null;
  const four = parts.slice(6).flatMap((part) => [part >> 8, part & 0xff]);
  return readAddress(four.join('.'))?.range() === 'unicast' ? four.join('.') : null;
}

/** Whether a forwarding, untrusted peer is in a private network. The first is logged. */
function isUntrustedProxy(peer: Address): boolean {
  if (!ownRanges.has(peer.range())) return false;
  const seen = untrustedProxies();
  const address = peer.toString();
  if (seen.size < mostProxies && !seen.has(address)) {
    seen.add(address);
    if (seen.size === 1) log().warn({ peer: address }, warningNow());
  }
  return true;
}

function warningNow(): string {
  return config().trustedProxies.length === 0
    ? 'X-Forwarded-For comes from an address that TRUSTED_PROXIES doesn’t list, so it is ignored: everyone who comes from there counts as one address, which gets ten times the tries. If it’s your proxy, set TRUSTED_PROXIES to its address and restart.'
    : 'X-Forwarded-For comes from an address that TRUSTED_PROXIES doesn’t list, so it is ignored: everyone who comes from there counts as one address. If it’s your proxy, add it to TRUSTED_PROXIES and restart; if you don’t know it, somebody there pretends to be elsewhere, in vain.';
}

const ownRanges = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);
const mostProxies = 5;

/** Says once in the log, and on Home, that a trusted proxy names its client in no form we read. */
function noteUnreadable(proxy: Address, text: string): void {
  const seen = unreadableForwards();
  const address = proxy.toString();
  if (seen.size >= mostProxies || seen.has(address)) return;
  seen.set(address, text);
  if (seen.size === 1)
    log().warn(
      { proxy: address, received: text },
      'X-Forwarded-For of a trusted proxy holds what is no address, so the request counts as the proxy’s own. Let the proxy send the address of the client, such as 192.0.2.7 or [2001:db8::7]:443.',
    );
}

/** What trusted proxies sent to this process in place of an address, by the proxy's address. */
export function unreadableForwards(): Map<string, string> {
  return once('unreadable-forwards', () => new Map<string, string>());
}

/** Some of the untrusted peers that sent `X-Forwarded-For` to this process. */
export function untrustedProxies(): Set<string> {
  return once('untrusted-proxies', () => new Set<string>());
}
