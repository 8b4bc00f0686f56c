import { initiateParameters } from './initiate-login.ts';
import { isLoopbackHost } from './redirect-uri.ts';

/*
 * Addresses of a client that are no redirect URIs: pages that people open, and those that this server
 * itself sends something to.
 */

/** The fault in a link shown on the consent page, or null. */
export function linkFault(link: string): string | null {
  const sound =
    link.length <= 2000 &&
    /^[\x21-\x7e]+$/.test(link) &&
    /^https?:\/\/[^/]/i.test(link) &&
    URL.canParse(link);
  if (!sound) return `"${link.slice(0, 200)}" is not a link. Start it with https:// or http://.`;
  const { username, password } = new URL(link);
  return username || password ? `"${link.slice(0, 200)}" contains a username or password.` : null;
}

/**
 * The fault in the address where a sign-in begins, or null (OpenID Connect Core section 4, Dynamic
 * Client Registration section 2: https). What is added to it may not be in it already.
 */
export function initiateLoginFault(uri: string): string | null {
  const fault = linkFault(uri) ?? (uri.includes('#') ? 'Leave out the part from # on.' : null);
  if (fault) return fault;
  const { protocol, hostname, searchParams } = new URL(uri);
  if (protocol !== 'https:' && !isLoopbackHost(hostname))
    return 'The start address must start with https://.';
  const twice = initiateParameters.find((name) => searchParams.has(name));
  return twice ? `Leave out ${twice}: the server adds it.` : null;
}

/**
 * The fault in a back-channel logout URI, or null (OpenID Connect Back-Channel Logout section 2.2).
 */
export function backchannelFault(uri: string): string | null {
  const fault =
    linkFault(uri) ??
    (uri.includes('#') ? 'The back-channel address must not have a fragment.' : null);
  if (fault) return fault;
  const { protocol, hostname } = new URL(uri);
  const fine = protocol === 'https:' || isLoopbackHost(hostname);
  return fine ? null : 'The back-channel address must start with https://.';
}
