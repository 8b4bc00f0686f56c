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

/** Schemes that run or display something in the browser instead of reaching an app. */
const forbiddenSchemes =
  /^(javascript|data|vbscript|file|blob|about|filesystem|view-source|ftp|wss?):/i;
const responseParams = ['code', 'state', 'iss', 'error', 'error_description'];

/** 127.0.0.0/8, [::1], localhost and *.localhost. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[::1\]|([a-z0-9-]+\.)*localhost)$/i.test(hostname);
}

/**
 * The fault in a redirect URI, or null. The URI must be in the form to which browsers normalise it,
 * so that comparing strings compares destinations.
 */
export function redirectUriFault(text: string): Wording | null {
  return textFault(text) ?? urlFault(text, new URL(text));
}

function textFault(text: string): Wording | null {
  if (text.length > 2000)
    return wording('refused.address.long', 'It is longer than 2000 characters.');
  if (!/^[\x21-\x7e]+$/.test(text))
    return wording(
      'refused.address.characters',
      'It contains white space, control or non-ASCII characters.',
    );
  if (text.includes('\\')) return wording('refused.address.backslash', 'It contains a backslash.');
  if (text.includes('#'))
    return wording('refused.address.fragment', 'It has a fragment (RFC 6749 section 3.1.2).');
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text) || !URL.canParse(text))
    return wording('refused.address.relative', 'It is not an absolute URI.');
  if (forbiddenSchemes.test(text))
    return wording('refused.address.scheme', 'Redirects to this scheme are not allowed.');
  return /^https?:\/\/[^/?]*\*/i.test(text)
    ? wording('refused.address.wildcard', "Wildcards aren't supported. List each URL.")
    : null;
}

function urlFault(text: string, url: URL): Wording | null {
  if (url.username || url.password || /^[^:]+:\/\/[^/?]*@/.test(text))
    return wording('refused.address.credentials', 'It contains a username or password.');
  if (/^https?:/i.test(text) && !url.hostname)
    return wording('refused.address.host', 'It has no host.');
  if (url.href !== text && url.href !== `${text}/`)
    return wording('refused.address.form', 'It is not in normal form; write {normal}', {
      normal: url.href.slice(0, 200),
    });
  const name = responseParams.find((each) => url.searchParams.has(each));
  if (name === undefined) return null;
  return wording(
    'refused.address.reserved',
    'Its query contains "{name}", which is reserved for the response.',
    { name },
  );
}

/** The kind of a URI that passed `redirectUriFault`. */
export function redirectKind(uri: string): RedirectKind {
  if (uri.startsWith('https:')) return 'https';
  if (!uri.startsWith('http:')) return 'private-use';
  return isLoopbackHost(new URL(uri).hostname) ? 'loopback' : 'http';
}

const isOfWeb = (protocol: string) => protocol === 'https:' || protocol === 'http:';

/**
 * The owner of an address: its host with the port, or a private-use scheme as a whole (RFC 8252
 * section 7.1).
 */
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
  const refuse = (problem: PageProblem, reason: string, rule: Rule): never =>
    refusePage(problem, reason, null, {
      asked: { client: { id: client.id, name: nameByProof(client) }, redirectUri: sent },
      facts: { rule, received: sent, expected },
    });
  if (isRepeated(params, 'redirect_uri'))
    refuse('redirect_uri_repeated', 'redirect_uri was sent more than once.', 'parameter.repeated');
  if (sent === undefined) {
    const only = omitted(client, settings);
    return only.uri === null
      ? refuse('redirect_uri_missing', only.reason, 'redirect-uri.missing')
      : only.uri;
  }
  const fault = redirectUriFault(sent);
  const registered = client.redirectUris.some((uri) => matches(uri, sent, client.type));
  if (client.redirectUris.length > 0 && !registered)
    refuse(
      'redirect_uri_unregistered',
      'redirect_uri is not registered for this client.',
      'redirect-uri.unregistered',
    );
  if (fault) refuse('redirect_uri_forbidden', fault.english, 'redirect-uri.forbidden');
  if (registered) return target(sent, true, true);
  if (client.type === 'public' || !settings.allowUnregisteredRedirectUri)
    refuse(
      'redirect_uri_unregistered',
      'This client has no registered redirect URI.',
      'redirect-uri.unregistered',
    );
  if (redirectKind(sent) === 'http')
    refuse(
      'redirect_uri_forbidden',
      'An unregistered redirect_uri must not use plain http.',
      'redirect-uri.forbidden',
    );
  return target(sent, true, false);
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

const loopbackLiteral = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/;
const loopbackName = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?=[/?]|$)/;

/**
 * Compares exactly, except for the port of a loopback URI (RFC 8252 section 7.3). The RFC means IP
 * literals, but installed apps use `localhost` just as often, and have no secret to lose.
 */
function matches(registered: string, sent: string, type: Client['type']): boolean {
  if (registered === sent) return true;
  const loopback = type === 'public' ? loopbackName : loopbackLiteral;
  if (!loopback.test(registered) || !loopback.test(sent)) return false;
  return registered.replace(loopback, 'http://$1') === sent.replace(loopback, 'http://$1');
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
