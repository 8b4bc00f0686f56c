import { appAddressFault } from './app-address.ts';
import { initiateParameters } from './initiate-login.ts';
import { redirectKind } from './redirect-uri.ts';
import { type Wording, wording } from './wording.ts';

/*
 * Addresses of a client other than redirect URIs: pages that people open, and addresses that this
 * server itself calls.
 */

/** The fault in a link shown on the consent page, or null. */
export function linkFault(link: string): Wording | null {
  const shown = { link: link.slice(0, 200) };
  const sound =
    link.length <= 2000 &&
    /^[\x21-\x7e]+$/.test(link) &&
    /^https?:\/\/[^/]/i.test(link) &&
    URL.canParse(link);
  if (!sound)
    return wording(
      'refused.link.form',
      '"{link}" is not a link. Start it with https:// or http://.',
      shown,
    );
  const { username, password } = new URL(link);
  return username || password
    ? wording('refused.link.credentials', '"{link}" contains a username or password.', shown)
    : null;
}

/** The fault of an address that begins a sign-in without TLS. */
export const startWithoutTls = wording(
  'refused.link.startHttps',
  'The start address must start with https://.',
);

/**
 * The fault in the address where a sign-in begins, or null (OpenID Connect Core section 4, Dynamic
 * Client Registration section 2: https). Its query must not contain the parameters that this server
 * adds.
 */
export function initiateLoginFault(uri: string): Wording | null {
  const fault = appAddressFault(uri);
  if (fault) return fault;
  if (!['https', 'loopback'].includes(redirectKind(uri))) return startWithoutTls;
  const { searchParams } = new URL(uri);
  const name = initiateParameters.find((each) => searchParams.has(each));
  if (name === undefined) return null;
  return wording('refused.link.startParameter', 'Leave out {name}: the server adds it.', { name });
}

/**
 * The fault in the address of a client's keys, or null (RFC 7591 section 2). It must be https,
 * because anyone who can change the keys can act as the client.
 */
export function jwksUriFault(uri: string): Wording | null {
  const fault = appAddressFault(uri);
  if (fault) return fault;
  return new URL(uri).protocol === 'https:'
    ? null
    : wording('refused.link.keysHttps', 'The address of the keys must start with https://.');
}

/**
 * The fault in a back-channel logout URI, or null (OpenID Connect Back-Channel Logout section 2.2).
 */
export function backchannelFault(uri: string): Wording | null {
  const fault = appAddressFault(uri);
  if (fault) return fault;
  const fine = ['https', 'loopback'].includes(redirectKind(uri));
  return fine
    ? null
    : wording(
        'refused.link.backchannelHttps',
        'The back-channel address must start with https://.',
      );
}
