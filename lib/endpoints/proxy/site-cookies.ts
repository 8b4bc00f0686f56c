import { randomBytes } from 'node:crypto';
import type { HttpRequest } from '../../http/message.ts';
import { readCookies } from '../../http/message.ts';
import type { Site } from '../../oauth/site.ts';
import { cookieName, setCookie } from '../../sealed/cookies.ts';

/*
 * The cookies of a guarded site, on the site's own host. With https their names keep other hosts of
 * the domain from planting them; over plain http nothing can.
 */

const isSecure = (site: Site) => site.startsWith('https:');

type Name = 'site' | 'site_browser';

const read = (name: Name, site: Site, request: HttpRequest) =>
  readCookies(request, cookieName(name, isSecure(site)));

const write = (name: Name, site: Site, value: string, maxAge: number) =>
  setCookie(name, value, maxAge, isSecure(site));

/** Of two cookies of a name, somebody planted one: neither counts. */
const only = (values: readonly string[]) => (values.length === 1 ? values[0] : undefined);

/** The text of the cookie that proves a sign-in; undefined if it cannot be one. */
export function siteToken(site: Site, request: HttpRequest): string | undefined {
  const value = only(read('site', site, request));
  return value && value.length < 1000 ? value : undefined;
}

/** How many cookies the browser sends that would each prove a sign-in. */
export const countSiteTokens = (site: Site, request: HttpRequest): number =>
  read('site', site, request).length;

export const siteTokenCookie = (site: Site, token: string, maxAge: number) =>
  write('site', site, token, maxAge);

export const clearSiteToken = (site: Site) => write('site', site, '', 0);

/** The random value to which sign-ins that this browser begins on the site are bound. */
export function siteBrowser(site: Site, request: HttpRequest): string | undefined {
  const value = only(read('site_browser', site, request));
  return value && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
}

/** A new one, and the cookie that sets it. */
export function newSiteBrowser(site: Site): { browser: string; cookie: string } {
  const browser = randomBytes(32).toString('base64url');
  return { browser, cookie: write('site_browser', site, browser, 400 * 24 * 3600) };
}
