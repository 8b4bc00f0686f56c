import { type NextRequest, NextResponse } from 'next/server.js';
import { isEndpointPath } from '#app/paths.ts';
import { isForPrograms } from '#app/unknown-address.ts';
import { makeNonce, pageHeader, pageHeaders, requestIdHeader } from '#lib/http/page-headers.ts';
import { transportHeaders } from '#lib/http/transport.ts';
import { fadingFlash } from '#lib/interaction/flash.ts';
import { logoutFormTarget } from '#lib/interaction/logout-request.ts';
import { formActionTarget } from '#lib/interaction/pending-request.ts';
import { browserCookie, ensureBrowser } from '#lib/sealed/browser.ts';

/**
 * Sets the security headers of every page and the browser cookie forms are bound to, since a page
 * can't set cookies. It guards nothing: pages, actions and handlers do that themselves.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  // The internal folder that endpoint addresses are rewritten to must not be reachable.
  if (isIn(request.nextUrl.pathname, '/mount')) return new NextResponse(null, { status: 404 });
  if (answersItself(request.nextUrl)) return NextResponse.next();
  const nonce = makeNonce();
  const headers = pageHeaders({
    path: request.nextUrl.pathname,
    nonce,
    // Chrome applies form-action to the redirects that follow a form post.
    formTargets: await formTargets(request.nextUrl.searchParams),
    development: process.env.NODE_ENV === 'development',
  });
  const inner = new Headers(request.headers);
  inner.set('x-nonce', nonce);
  inner.set('x-gatehouse-method', request.method);
  inner.set(pageHeader, addressOf(request.nextUrl));
  const id = crypto.randomUUID();
  inner.set(requestIdHeader, id);
  // Next.js takes the nonce for its own scripts from this one.
  inner.set('content-security-policy', headers['content-security-policy'] ?? '');
  const plain = { header: (name: string) => request.headers.get(name) ?? undefined };
  const { browser, cookies } =
    request.method === 'GET' ? ensureBrowser(plain) : { browser: '', cookies: [] };
  if (cookies.length > 0) inner.append('cookie', `${browserCookie()}=${browser}`);
  const response = NextResponse.next({ request: { headers: inner } });
  response.headers.set('x-request-id', id);
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  if (request.method === 'GET') {
    const fading = await fadingFlash(plain, isIn(request.nextUrl.pathname, '/admin'));
    if (fading) response.headers.append('set-cookie', fading);
  }
  for (const [name, value] of Object.entries({ ...headers, ...transportHeaders() }))
    response.headers.set(name, String(value));
  return response;
}

const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

/** Path and query without Next.js's own parameter. */
function addressOf(url: NextRequest['nextUrl']): string {
  const query = new URLSearchParams(url.searchParams);
  query.delete('_rsc');
  return query.size > 0 ? `${url.pathname}?${query}` : url.pathname;
}

async function formTargets(query: URLSearchParams): Promise<string[]> {
  const [flow, logout] = [query.get('flow'), query.get('request')];
  return [flow ? await formActionTarget(flow) : '', logout ? await logoutFormTarget(logout) : ''];
}

/** The exact shapes of these routes: anything else nearby is a page, even if a 404. */
const pictureRoute =
  /^\/(?:pictures\/[^/]+|marks\/[^/]+|logos\/[^/]+\/[^/]+|branding\/(?:logo|colours|app-colours)\/[^/]+)$/;

/** Endpoints set their own headers, which would otherwise be duplicated. */
function answersItself({ pathname, searchParams }: NextRequest['nextUrl']): boolean {
  return (
    isEndpointPath(pathname) ||
    isForPrograms(pathname) ||
    pictureRoute.test(pathname) ||
    (pathname === '/' && searchParams.has('oauth'))
  );
}

// Everything but the files of public/ and of the build, by full name: a 404 nearby is a page too.
export const config = {
  matcher:
    '/((?!_next/static/|gatehouse\\.css$|form-post\\.js$|address\\.js$|enhance\\.js$|crop\\.js$|dashboard\\.js$|guard\\.js$|live\\.js$|palette\\.js$|work\\.js$|favicon\\.svg$|favicon\\.ico$|fonts/figtree-latin(?:-ext)?\\.woff2$).*)',
};
