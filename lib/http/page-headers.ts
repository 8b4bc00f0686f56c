import { randomBytes } from 'node:crypto';

/** How the proxy tells a page its own address, which Next.js does not. */
export const pageHeader = 'x-gatehouse-page';

/** How the proxy tells a page what names its request; the browser is told, too. */
export const requestIdHeader = 'x-gatehouse-request-id';

export type PageHeaders = {
  /** From `makeNonce`; the page's own scripts and styles carry it. */
  nonce: string;
  /** CSP sources besides ourselves that a form of this page may lead to, also by redirects after it. */
  formTargets?: readonly string[];
  /** React needs eval for its error messages while developing, and only then. */
  development?: boolean;
};

/** A fresh value per page: whoever cannot guess it cannot run a script in it. */
export function makeNonce(): string {
  return randomBytes(16).toString('base64');
}

/** The headers of every page, error pages and 404 included; spelled as everywhere, or they would be sent twice. */
export function pageHeaders(page: PageHeaders): Record<Lowercase<string>, string> {
  return {
    'content-security-policy': contentSecurityPolicy(page),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    // With `no-referrer` browsers send `Origin: null` from our own forms.
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy':
      'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
  };
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

/** An origin or a scheme; anything else could add a directive of its own. */
function isSource(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(\/\/[a-z0-9.:[\]_-]+)?$/i.test(source);
}
