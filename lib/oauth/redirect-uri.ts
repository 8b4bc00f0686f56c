import { appAddressFault, isRegistered, normalIn } from './app-address.ts';
import type { Client } from './client.ts';
import { type PageProblem, refusePage } from './errors.ts';
import type { Rule } from './facts.ts';
import { first, isRepeated, type Params } from './params.ts';
import { nameByProof } from './self-given-name.ts';
import type { ProtocolSettings } from './settings.ts';
import { type Wording, wording } from './wording.ts';

/** The kind of a redirect URI: https, loopback, a private-use scheme, or plain http. */
export type RedirectKind = 'https' | 'loopback' | 'private-use' | 'http';

declare const trusted: unique symbol;

/** A client URI that is safe to redirect to. Only the checks in this file create one. */
export type CheckedUri = string & { readonly [trusted]: true };

/** Where an authorization response is sent. Only `checkRedirectUri` creates one. */
export type RedirectTarget = {
  readonly [trusted]: true;
  readonly uri: CheckedUri;
  readonly kind: RedirectKind;
  /** The request named it (RFC 6749 section 4.1.3 lets the token request depend on this). */
  readonly sent: boolean;
  readonly registered: boolean;
  /** An admin is trying the app: the response goes to this session's dashboard, not to the app. */
  readonly triedBy?: string;
};

const responseParams = ['code', 'state', 'iss', 'error', 'error_description'];

/** 127.0.0.0/8, [::1], localhost and *.localhost. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[::1\]|([a-z0-9-]+\.)*localhost)$/i.test(hostname);
}

/**
 * The fault in a redirect URI or post-logout redirect URI that is to be registered, or null: that
 * of any address of an app, or a query that would be taken for the answer.
 */
export function redirectUriFault(text: string): Wording | null {
  return appAddressFault(text) ?? reservedFault(new URL(text));
}

function reservedFault({ searchParams }: URL): Wording | null {
  const name = responseParams.find((each) => searchParams.has(each));
  if (name === undefined) return null;
  return wording(
    'refused.address.reserved',
    'Its query contains "{name}", which is reserved for the response.',
    { name },
  );
}

/** The kind of a URI that passed `redirectUriFault`. */
export function redirectKind(uri: string): RedirectKind {
  const { protocol, hostname } = new URL(uri);
  if (protocol === 'https:') return 'https';
  if (protocol !== 'http:') return 'private-use';
  return isLoopbackHost(hostname) ? 'loopback' : 'http';
}

const isOfWeb = (protocol: string) => protocol === 'https:' || protocol === 'http:';

/** Its host with the port, or a private-use scheme as a whole (RFC 8252 section 7.1). */
export function addressPlace(uri: string): string {
  const { protocol, host } = new URL(uri);
  return isOfWeb(protocol) ? host : protocol.slice(0, -1);
}

/** Whether two addresses have the same scheme and belong to the same place. */
export function isAtPlaceOf(one: string, other: string): boolean {
  return (
    new URL(one).protocol === new URL(other).protocol && addressPlace(one) === addressPlace(other)
  );
}

/**
 * Determines where the response to this authorization request is sent (RFC 6749 section 3.1.2.3,
 * RFC 9700 section 2.1): to a registered URI, compared as strings or, if a setting allows it, to an
 * unregistered one.
 * @throws PageRefusal
 */
export function checkRedirectUri(
  params: Params,
  client: Client,
  settings: ProtocolSettings,
): RedirectTarget {
  const sent = first(params, 'redirect_uri');
  const expected = client.redirectUris;
  const refuse = (problem: PageProblem, reason: string, rule: Rule, normal?: string): never =>
    refusePage(problem, reason, null, {
      asked: { client: { id: client.id, name: nameByProof(client) }, redirectUri: sent },
      facts: { rule, received: sent, expected: normal === undefined ? expected : [normal] },
    });
  if (isRepeated(params, 'redirect_uri'))
    refuse('redirect_uri_repeated', 'redirect_uri was sent more than once.', 'parameter.repeated');
  if (sent === undefined) {
    const only = omitted(client, settings);
    return only.uri === null
      ? refuse('redirect_uri_missing', only.reason, 'redirect-uri.missing')
      : only.uri;
  }
  if (isRegistered(sent, client.redirectUris, client.type)) return target(sent, true, true);
  const wording = redirectUriFault(sent);
  if (wording)
    refuse('redirect_uri_forbidden', wording.english, 'redirect-uri.forbidden', normalIn(wording));
  const unregistered = unregisteredFault(client, settings);
  if (unregistered) refuse('redirect_uri_unregistered', unregistered, 'redirect-uri.unregistered');
  if (redirectKind(sent) === 'http')
    refuse(
      'redirect_uri_forbidden',
      'An unregistered redirect_uri must not use plain http.',
      'redirect-uri.forbidden',
    );
  return target(sent, true, false);
}

/** Why a client may not name an address that is not registered; null if it may. */
function unregisteredFault(client: Client, settings: ProtocolSettings): string | null {
  if (client.redirectUris.length > 0) return 'redirect_uri is not registered for this client.';
  const may = client.type !== 'public' && settings.allowUnregisteredRedirectUri;
  return may ? null : 'This client has no registered redirect URI.';
}

/** The address for a request without one: the only registered address. */
function omitted(
  client: Client,
  settings: ProtocolSettings,
): { uri: RedirectTarget } | { uri: null; reason: string } {
  const [only, ...others] = client.redirectUris;
  if (settings.enforceRedirectUri)
    return { uri: null, reason: 'redirect_uri is missing. This server requires it.' };
  if (only === undefined)
    return { uri: null, reason: 'redirect_uri is missing, and this client has none registered.' };
  if (others.length > 0)
    return {
      uri: null,
      reason: 'redirect_uri is missing, and this client has several registered.',
    };
  return { uri: target(only, false, true) };
}

function target(uri: string, sent: boolean, registered: boolean): RedirectTarget {
  return { uri, kind: redirectKind(uri), sent, registered } as RedirectTarget;
}

/**
 * Adds response parameters to the query, form-encoded. The result keeps its type, because the
 * destination does not change.
 */
export function withParams<T extends string>(
  uri: T,
  answer: Record<string, string | undefined>,
): T {
  const pairs = formEncoded(answer);
  const joint = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&';
  return (pairs ? uri + joint + pairs : uri) as T;
}

/**
 * Adds response parameters as the fragment, which browsers send to no server (OAuth 2.0 Multiple
 * Response Types section 2.1). A redirect URI has none of its own.
 */
export function withFragment(
  uri: CheckedUri,
  answer: Record<string, string | undefined>,
): CheckedUri {
  return `${uri}#${formEncoded(answer)}` as CheckedUri;
}

const formEncoded = (answer: Record<string, string | undefined>): string =>
  Object.entries(answer)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
