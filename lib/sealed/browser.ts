import { createHmac, randomBytes } from 'node:crypto';
import { config } from '../config.ts';
import type { HttpRequest, PageRequest } from '../http/message.ts';
import { postedFrom, wrongAddress } from '../http/opened-at.ts';
import { refusePage } from '../oauth/errors.ts';
import { first, type Params } from '../oauth/params.ts';
import { digest, sameDigest } from '../oauth/secrets.ts';
import { cookieOf, setCookie } from './cookies.ts';
import { deriveKey } from './seal.ts';

/** Seconds; browsers keep no cookie for longer. */
const browserLife = 400 * 24 * 3600;

/**
 * The browser's random value. Pending requests are bound to it, and CSRF values derive from it.
 * Created when absent, never replaced.
 */
export function browserOf(request: PageRequest): string | undefined {
  const value = cookieOf(request, 'browser');
  return value && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
}

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
 * Begins another turn: this browser signed out, or acts for another account. Forms that it was shown
 * before are refused.
 */
export function turnCookie(): string {
  return setCookie('turn', randomBytes(16).toString('base64url'), browserLife);
}

/** Which turn of this browser it is; undefined: it has acted for one account, and never signed out. */
export function turnOf(request: PageRequest): string | undefined {
  const value = cookieOf(request, 'turn');
  return value && /^[A-Za-z0-9_-]{22}$/.test(value) ? value : undefined;
}

/** The CSRF value for a page's forms, with the turn of the browser in which the page is shown. */
export function csrfIn(request: PageRequest): string {
  const turn = turnOf(request);
  const csrf = csrfOf(browserOf(request) ?? '');
  return turn === undefined ? csrf : `${csrf}.${turn}`;
}

/**
 * Refuses a form that was shown in an earlier turn of this browser.
 * @throws PageRefusal
 */
export function checkTurn(request: PageRequest, fields: Params): void {
  const [, turn] = (first(fields, 'csrf') ?? '').split('.');
  if (turn !== turnOf(request))
    refusePage(
      'account_switched',
      'The form was shown before this browser signed out or switched accounts.',
    );
}

/** The CSRF value a form must send back. */
export function csrfOf(browser: string): string {
  return createHmac('sha256', csrfKey(0)).update(browser).digest('base64url');
}

function csrfKey(index: number): Uint8Array {
  return deriveKey(config().serverSecrets[index] ?? '', 'csrf');
}

/**
 * Refuses a form post that doesn't come from one of our pages in this browser. A missing Origin
 * passes (old browsers, curl): the CSRF value covers it.
 * @throws PageRefusal
 */
export function checkFormPost(request: HttpRequest, fields: Params): void {
  checkPostedHere(request);
  const browser = browserOf(request);
  const [sent] = (first(fields, 'csrf') ?? '').split('.');
  const good =
    browser &&
    sent &&
    config().serverSecrets.some((_, index) => {
      const expected = createHmac('sha256', csrfKey(index)).update(browser).digest('base64url');
      return sameDigest(expected, sent);
    });
  if (!good) refusePage('form_stale', 'The CSRF value is missing or belongs to another browser.');
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

/** How a sealed value names the browser it belongs to; of one without the cookie, so that none is that browser. */
export function boundTo(request: PageRequest): string {
  return browserDigest(browserOf(request) ?? '');
}

/** Whether a sealed value with this name belongs to the browser of a request. */
export function isBoundTo(name: string | null, request: PageRequest): boolean {
  const browser = browserOf(request);
  return browser !== undefined && name === browserDigest(browser);
}

/** The name of a browser in sealed values, from its cookie's value. */
export function browserDigest(browser: string): string {
  return digest(browser);
}
