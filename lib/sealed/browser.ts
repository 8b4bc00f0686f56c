import { createHmac, randomBytes } from 'node:crypto';
import { config } from '../config.ts';
import type { HttpRequest, PageRequest } from '../http/message.ts';
import { postedFrom, wrongAddress } from '../http/opened-at.ts';
import { refusePage } from '../oauth/errors.ts';
import { first, type Params } from '../oauth/params.ts';
import { digest, sameDigest } from '../oauth/secrets.ts';
import { cookieName, cookieOf, setCookie } from './cookies.ts';
import { deriveKey } from './seal.ts';

/** Seconds; browsers keep no cookie longer than this. */
const browserLife = 400 * 24 * 3600;

/**
 * The browser's random value. Pending requests are bound to it, and CSRF values are derived from
 * it. It is created if absent, and never replaced.
 */
export function browserOf(request: PageRequest): string | undefined {
  const value = cookieOf(request, 'browser');
  return value && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
}

export const browserCookie = () => cookieName('browser');

/** The browser's value and, if it had none, the cookie that sets it. */
export function ensureBrowser(request: PageRequest): {
  browser: string;
  cookies: string[];
} {
  const held = browserOf(request);
  if (held) return { browser: held, cookies: [] };
  const browser = newBrowser();
  return { browser, cookies: [setCookie('browser', browser)] };
}

function newBrowser(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Marks that this browser has signed out, or acts for another account from now on, so that forms it
 * was shown before are refused.
 * @param userId the account that it acts for now
 */
export function turnCookie(request: PageRequest, userId?: string): string {
  const whose = userId === undefined ? '' : whoseIn(request, userId);
  return setCookie('turn', randomBytes(16).toString('base64url') + whose, browserLife);
}

/** A user's name in this browser's turn, which outlives their session. */
const whoseIn = (request: PageRequest, userId: string) =>
  digest(`${browserOf(request)} ${userId}`).slice(0, 22);

/** Whether the forms of this browser are shown to this user already. */
export const isTurnOf = (request: PageRequest, userId: string): boolean =>
  turnOf(request)?.slice(22) === whoseIn(request, userId);

/** The current turn of this browser; undefined: no one has signed in here yet. */
export function turnOf(request: PageRequest): string | undefined {
  const value = cookieOf(request, 'turn');
  return value && /^[A-Za-z0-9_-]{22}([A-Za-z0-9_-]{22})?$/.test(value) ? value : undefined;
}

/** The CSRF value for a page's forms, with the turn of the browser and a number of the page's own. */
export function csrfIn(request: PageRequest): string {
  const number = randomBytes(12).toString('base64url');
  return `${csrfOf(browserOf(request) ?? '')}.${turnOf(request) ?? ''}.${number}`;
}

/**
 * Refuses a form that was shown before this browser signed out or switched accounts.
 * @throws PageRefusal
 */
export function checkTurn(request: PageRequest, fields: Params): void {
  const [, turn] = (first(fields, 'csrf') ?? '').split('.');
  if ((turn || undefined) !== turnOf(request))
    refusePage(
      'account_switched',
      'The form was shown before this browser signed out or switched accounts.',
    );
}

export function csrfOf(browser: string): string {
  return createHmac('sha256', csrfKey(0)).update(browser).digest('base64url');
}

function csrfKey(index: number): Uint8Array {
  return deriveKey(config().serverSecrets[index] ?? '', 'csrf');
}

/**
 * Refuses a form post that doesn't come from one of our pages in this browser. A missing Origin
 * header passes (old browsers, curl), because the CSRF value covers it.
 * @throws PageRefusal
 */
export function checkFormPost(request: HttpRequest, fields: Params): void {
  checkPostedHere(request);
  if (!hasCsrf(request, fields))
    refusePage('form_stale', 'The CSRF value is missing or belongs to another browser.');
}

/** Whether a form post comes from one of our pages in this browser. */
export const isOwnForm = (request: PageRequest, fields: Params): boolean =>
  postedFrom((name) => request.header(name)) === 'here' && hasCsrf(request, fields);

function hasCsrf(request: PageRequest, fields: Params): boolean {
  const browser = browserOf(request);
  const [sent] = (first(fields, 'csrf') ?? '').split('.');
  if (!browser || !sent) return false;
  return config().serverSecrets.some((_, index) => {
    const expected = createHmac('sha256', csrfKey(index)).update(browser).digest('base64url');
    return sameDigest(expected, sent);
  });
}

/**
 * The part of `checkFormPost` that needs no body: the Origin and Sec-Fetch-Site headers.
 * @throws PageRefusal
 */
export function checkPostedHere(request: PageRequest): void {
  const place = postedFrom((name) => request.header(name));
  if (place === 'foreign') refusePage('cross_site', 'The form was posted from another site.');
  if (place !== 'here') throw wrongAddress(place.at, 'post');
}

/**
 * How a sealed value names the browser it belongs to. Without the cookie this is a name that no
 * browser matches.
 */
export function boundTo(request: PageRequest): string {
  return browserDigest(browserOf(request) ?? '');
}

/** Whether a sealed value that names this browser belongs to the browser of the request. */
export function isBoundTo(name: string | null, request: PageRequest): boolean {
  const browser = browserOf(request);
  return browser !== undefined && name === browserDigest(browser);
}

/** A browser's name in sealed values, derived from its cookie. */
export function browserDigest(browser: string): string {
  return digest(browser);
}
