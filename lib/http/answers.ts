import { descriptionOf, errorTable, type OAuthRefusal } from '../oauth/errors.ts';
import type { CheckedUri } from '../oauth/redirect-uri.ts';
import type { HttpHeaders, HttpResponse } from './message.ts';
import type { OwnAddress } from './own-address.ts';

/** RFC 6749 section 5.1: token answers are kept by nobody. */
const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };

export function json(status: number, value: unknown, headers: HttpHeaders = {}): HttpResponse {
  return jsonText(status, JSON.stringify(value), headers);
}

/** As `json`, of a value that has been written out already. */
export function jsonText(status: number, body: string, headers: HttpHeaders = {}): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...noStore, ...headers },
    body,
  };
}

/**
 * 303: the browser goes on with GET, and what it posted here is not posted there (RFC 9700 section 4.12).
 * It leads to an address of ours or a checked one of a client's; anything else does not compile.
 */
export function redirect(location: OwnAddress | CheckedUri, cookies: string[] = []): HttpResponse {
  return {
    status: 303,
    headers: {
      location: location,
      ...noStore,
      ...(cookies.length ? { 'set-cookie': cookies } : {}),
    },
  };
}

export function html(status: number, body: string, headers: HttpHeaders = {}): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...noStore, ...headers },
    body,
  };
}

/** The error response of RFC 6749 section 5.2. */
export function jsonError(refusal: OAuthRefusal, issuer: string): HttpResponse {
  const { code, wire } = refusal;
  const value = {
    error: code,
    error_description: descriptionOf(refusal),
    error_uri: errorUri(code, issuer),
  };
  return json(wire.status ?? errorTable[code].status, value, wire.headers);
}

/** The page of this server that explains an error. */
export function errorUri(code: string, issuer: string): string {
  return `${issuer}/docs/errors/${code}`;
}
