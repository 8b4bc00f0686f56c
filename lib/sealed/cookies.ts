import { config } from '../config.ts';
import { type PageRequest, readCookie } from '../http/message.ts';

/**
 * A cookie's whole name; the short one stands in one file of the code only. With https, the
 * `__Host-` prefix keeps sibling hosts from planting our cookies.
 * @param secure whether the host that has the cookie is at https
 */
export function cookieName(name: string, secure = isSecure()): string {
  return secure ? `__Host-gh_${name}` : `gh_${name}`;
}

function isSecure(): boolean {
  return config().issuer.startsWith('https:');
}

export function cookieOf(request: PageRequest, name: string): string | undefined {
  return readCookie(request, cookieName(name));
}

/** A Set-Cookie value. Without `maxAge` (seconds) the cookie ends with the browser. */
export function setCookie(
  name: string,
  value: string,
  maxAge?: number,
  secure = isSecure(),
): string {
  const life = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
  return `${cookieName(name, secure)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}${life}`;
}

export function clearCookie(name: string): string {
  return setCookie(name, '', 0);
}

/** The request as the browser will send it next time, with the cookies it is being given now. */
export function withCookies(request: PageRequest, given: readonly string[]): PageRequest {
  const pairs = given.map((cookie) => cookie.split(';', 1)[0]);
  // If a name appears twice, the first one counts.
  const cookie = [...pairs, request.header('cookie') ?? ''].join('; ');
  return {
    ...(request.method && { method: request.method }),
    header: (name) => (name === 'cookie' ? cookie : request.header(name)),
  };
}
