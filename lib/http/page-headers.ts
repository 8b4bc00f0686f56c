import { randomBytes } from 'node:crypto';

/** The header in which the proxy tells a page its own address; Next.js doesn't. */
export const pageHeader = 'x-gatehouse-page';

export const requestIdHeader = 'x-gatehouse-request-id';

/** The request header that tells a page that it may have been opened at a wrong address. */
export const unsureHeader = 'x-gatehouse-unsure';

type PageHeaders = {
  path: string;
  /** From `makeNonce`; set on the page's own scripts and styles. */
  nonce: string;
  /** CSP sources besides our own that a form on this page can lead to, including by redirect. */
  formTargets?: readonly string[];
  /** React needs eval for error messages, in development only. */
  development?: boolean;
};

/** A fresh nonce per page, so injected scripts don't run. */
export function makeNonce(): string {
  return randomBytes(16).toString('base64');
}

/**
 * The headers of every page, including error pages and 404. Each name is spelt the same everywhere,
 * because two spellings would be sent as two headers.
 */
export function pageHeaders(page: PageHeaders): Record<Lowercase<string>, string> {
  return {
    'content-security-policy': contentSecurityPolicy(page),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    // With `no-referrer` browsers send `Origin: null` from our own forms.
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
    ...openerPolicy(page.path),
    'permissions-policy':
      'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
  };
}

/** Pages of someone who is at home here, and not on the way to an app. */
const ownRooms = /^\/(?:account|admin|setup)(?:\/|$)/;

/** Recovery codes are also shown on the way to an app that asked for a second factor. */
const roomOnTheWay = /^\/account\/security\/codes(?:\/|$)/;

/**
 * An app that signs people in in a popup waits for its answer through `window.opener`, which a
 * single page with `same-origin` on the way would take from it for good (HTML, cross-origin opener
 * policies). So only pages that are on the way to no app have it.
 */
function openerPolicy(path: string): { 'cross-origin-opener-policy'?: string } {
  const isOnTheWay = !ownRooms.test(path) || roomOnTheWay.test(path);
  return isOnTheWay ? {} : { 'cross-origin-opener-policy': 'same-origin' };
}

function contentSecurityPolicy({
  nonce,
  formTargets = [],
  development = false,
}: PageHeaders): string {
  const targets = formTargets.filter(isSource);
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    ['form-action', "'self'", ...targets].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** An origin or a scheme only; anything else could inject a directive. */
function isSource(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(\/\/[a-z0-9.:[\]_-]+)?$/i.test(source);
}
