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

/** Route handlers set their own headers, and two of a kind would be sent. */
function answersItself(path: string): boolean {
  return /^\/(oauth\/[a-z]+|oauth|\.well-known\/[a-z-]+|healthz|readyz)$|\/submit$/.test(path);
}

export const config = { matcher: '/((?!_next/static/|_next/image|fonts/).*)' };
