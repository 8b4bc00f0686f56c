import ipaddr from 'ipaddr.js';
import { config } from '../config.ts';
import { once } from '../once.ts';
import { log } from '../telemetry/log.ts';
import type { Sender } from './network.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * The sender of a request: the peer, or, behind trusted proxies, the rightmost untrusted address in
 * `X-Forwarded-For`. The address counts as shared if a trusted proxy names no client. While no
 * proxy is trusted, it also counts as shared if a private peer forwards requests, because that peer
 * may be a proxy that the operator has not configured.
 */
export function senderOf(peer: string, forwardedFor: string | undefined): Sender {
  if (!ipaddr.isValid(peer)) return { address: peer, isShared: true };
  let nearest = ipaddr.process(peer);
  if (!isTrusted(nearest)) {
    const isProxy = Boolean(forwardedFor) && isUntrustedProxy(nearest);
    return {
      address: throttledPart(nearest),
      isShared: isProxy && config().trustedProxies.length === 0,
    };
  }
  for (const text of addressesIn(forwardedFor ?? '').reverse()) {
    if (!ipaddr.isValid(text)) break;
    nearest = ipaddr.process(text);
    if (!isTrusted(nearest)) return { address: throttledPart(nearest), isShared: false };
  }
  return { address: throttledPart(nearest), isShared: true };
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
  return peer !== undefined && ipaddr.isValid(peer) && isTrusted(ipaddr.process(peer));
}

/** Whether a connection comes from a trusted proxy or from this machine. */
export function isNear(peer: string): boolean {
  if (!ipaddr.isValid(peer)) return false;
  const address = ipaddr.process(peer);
  return address.range() === 'loopback' || isTrusted(address);
}

/**
 * Whether a peer is a proxy. While none is configured, any peer in a private network or on this
 * machine may be one.
 */
export function mayBeProxy(peer: string): boolean {
  if (!ipaddr.isValid(peer)) return true;
  const address = ipaddr.process(peer);
  if (config().trustedProxies.length > 0) return isTrusted(address);
  return ownRanges.has(address.range());
}

/** An IPv6 customer has a /64 and can use any address in it. */
function throttledPart(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const parts = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(':')}::/64`;
}

/**
 * Whether a peer that forwards and is not trusted is in a private network. The first such peer is
 * logged.
 */
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

/** Some of the untrusted peers that sent `X-Forwarded-For` to this process. */
export function untrustedProxies(): Set<string> {
  return once('untrusted-proxies', () => new Set<string>());
}
