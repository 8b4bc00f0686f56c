import { descriptionOf, errorTable, type OAuthRefusal } from '../oauth/errors.ts';
import type { CheckedUri } from '../oauth/redirect-uri.ts';
import type { HttpHeaders, HttpResponse } from './message.ts';
import type { OwnAddress, ProviderAddress } from './own-address.ts';

/** RFC 6749 section 5.1: token responses must not be cached. */
const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };

export function json(status: number, value: unknown, headers: HttpHeaders = {}): HttpResponse {
  return jsonText(status, JSON.stringify(value), headers);
}

/** Like `json`, for a value that is already serialised. */
export function jsonText(status: number, body: string, headers: HttpHeaders = {}): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...noStore, ...headers },
    body,
  };
}

/**
 * 303: the browser follows with GET and does not repost (RFC 9700 section 4.12). The types admit
 * only addresses of this server, checked client URIs and the authorization endpoints of providers.
 */
export function redirect(
  location: OwnAddress | CheckedUri | ProviderAddress,
  cookies: string[] = [],
): HttpResponse {
  return {
    status: 303,
    headers: {
      location: location,
      ...noStore,
      ...(cookies.length ? { 'set-cookie': cookies } : {}),
    },
  };
}

export function cookiesOf(response: HttpResponse): string[] {
  return [response.headers['set-cookie'] ?? []].flat();
}

export function addCookies(response: HttpResponse, cookies: readonly string[]): HttpResponse {
  if (cookies.length > 0) response.headers['set-cookie'] = [...cookiesOf(response), ...cookies];
  return response;
}

export function html(status: number, body: string, headers: HttpHeaders = {}): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...noStore, ...headers },
    body,
  };
}

/** The error response of RFC 6749 section 5.2. */
export function jsonError(refusal: OAuthRefusal, issuer: string, requestId: string): HttpResponse {
  const { code, wire } = refusal;
  const value = {
    error: code,
    error_description: descriptionOf(refusal),
    error_uri: errorUri(code, issuer, requestId),
    ...wire.members,
  };
  return json(wire.status ?? errorTable[code].status, value, wire.headers);
}

/**
 * The page on this server that explains an error and shows the attempt to anyone who may see it.
 * Contains only characters that RFC 6749 section 5.2 allows in `error_uri`.
 * @param requestId '' if the request has none
 */
export function errorUri(code: string, issuer: string, requestId: string): string {
  return `${issuer}/docs/errors/${code}${requestId && `?request=${requestId}`}`;
}
