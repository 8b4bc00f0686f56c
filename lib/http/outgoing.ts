import { type LookupAddress, lookup as resolve } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import ipaddr from 'ipaddr.js';
import { config } from '../config.ts';

/** Explains each refusal to call a private address. */
const whatAllows = '; BACKCHANNEL_TO_PRIVATE_ADDRESSES=on in the environment allows private ones.';

const timeout = 5000;

/** A client-supplied URI must not reach into the operator's network. */
function isPublic(address: string): boolean {
  if (config().backchannelToPrivateAddresses) return true;
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && !isIpv4Compatible(parsed);
}

/** All of ::/96, the deprecated IPv4-compatible addresses (RFC 4291 section 2.5.5.1). */
function isIpv4Compatible(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.kind() === 'ipv6' && address.match(ipaddr.parseCIDR('::/96'));
}

/** Resolves a host to allowed addresses only. The checked address is the one connected to. */
const publicLookup: typeof resolve = ((
  host: string,
  options: object,
  done: (error: Error | null, found?: LookupAddress[]) => void,
) => {
  resolve(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error);
    const allowed = found.filter(({ address }) => isPublic(address));
    return allowed.length > 0
      ? done(null, allowed)
      : done(new Error(`The host has no public address${whatAllows}`));
  });
}) as typeof resolve;

/**
 * Posts a form to a client-registered address and returns the status. Follows no redirects and
 * reads no body.
 * @throws Error if it can't be reached within 5 seconds or is a private address
 */
export async function postForm(address: string, fields: Record<string, string>): Promise<number> {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host) && !isPublic(host))
    throw new Error(`The address is not public${whatAllows}`);
  const body = new URLSearchParams(fields).toString();
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((done, failed) => {
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': Buffer.byteLength(body),
    };
    const options = {
      method: 'POST',
      headers,
      lookup: publicLookup,
      agent: false,
      signal: AbortSignal.timeout(timeout),
    } as const;
    const request = send(url, options, (response) => {
      response.destroy();
      done(response.statusCode ?? 0);
    });
    request.on('error', failed);
    request.end(body);
  });
}
