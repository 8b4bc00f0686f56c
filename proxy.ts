import { type NextRequest, NextResponse } from 'next/server';
import { makeNonce, pageHeaders } from '#lib/http/page-headers.ts';
import { formActionTarget } from '#lib/identity/flow-target.ts';

/** Puts the security headers on every page. It guards nothing: pages, actions and handlers do that themselves. */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  if (answersItself(request.nextUrl.pathname)) return NextResponse.next();
  const flow = request.nextUrl.searchParams.get('flow');
  const nonce = makeNonce();
  const headers = pageHeaders({
    nonce,
    // Chrome applies form-action to the redirects that follow a form post.
    formTargets: flow ? [await formActionTarget(flow)] : [],
    development: process.env.NODE_ENV === 'development',
  });
  const inner = new Headers(request.headers);
  inner.set('x-nonce', nonce);
  // Next.js takes the nonce for its own scripts from this one.
  inner.set('content-security-policy', headers['content-security-policy'] ?? '');
  const response = NextResponse.next({ request: { headers: inner } });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

const submits = ['login', 'consent', 'switch', 'setup', 'logout', 'account/password', 'account/apps'];
const endpoints = ['authorize', 'continue', 'token', 'me', 'revoke', 'introspect', 'jwks', 'logout'];
const handlers = new Set([
  ...submits.map((name) => `/${name}/submit`),
  ...endpoints.map((name) => `/oauth/${name}`),
  '/oauth',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/healthz',
  '/readyz',
]);

/** Route handlers set their own headers, and two of a kind would be sent. */
function answersItself(path: string): boolean {
  return handlers.has(path);
}

// All but the files of public/ and of the build, each by its full name: a 404 near them is a page too.
export const config = {
  matcher: '/((?!_next/static/|gatehouse\\.css$|form-post\\.js$|favicon\\.svg$|fonts/[a-z-]+\\.woff2$).*)',
};
