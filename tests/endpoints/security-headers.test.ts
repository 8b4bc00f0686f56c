import { describe, expect, test } from 'vitest';
import { openServer } from '../support/open-server.ts';
import { send } from '../support/raw.ts';

const server = await openServer({ ISSUER: 'https://id.example.org' });

const pages: string[] = [
  'GET /',
  'GET /login',
  'GET /docs',
  'GET /no-such-page',
  'GET /logos/a/b/c',
  'GET /logos/a',
  'GET /pictures/a/b',
  'GET /pictures',
  'GET /marks/a/b',
  'GET /marks',
  'GET /branding/foo',
  'GET /branding/logo/a/b',
  'GET /branding/colours',
  'GET /branding/app-colours',
  'GET /fonts/none.woff2',
  'GET /fonts',
  'GET /fonts/figtree-latin.woff2/x',
  'GET /gatehouse.css/x',
  'GET /_next/none',
  'GET /_next/static/none',
  'GET /_next/static/chunks/none.js',
  'GET /oauth/authorize',
  'GET /oauth/logout?client_id=none',
  'GET /login/submit',
  'POST /login/submit',
  'GET /oauth/continue?flow=none',
];

test('with an https issuer the browser cookie is Secure and has the prefix __Host-', async () => {
  const { headers } = await send(server.port, 'GET /login HTTP/1.1');
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-gh_browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
  ]);
});

describe('security headers: every page has a CSP and cannot be framed', () => {
  test.each(pages)('%s', async (head) => {
    const { status, headers } = await send(server.port, `${head} HTTP/1.1`);
    expect(status).toBeGreaterThanOrEqual(200);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    if (!headers.get('content-type')?.startsWith('text/html')) return;
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors/);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toMatch(/^(same-origin|no-referrer)$/);
  });
});

describe('security headers: an https issuer has Strict-Transport-Security on every answer (RFC 6797)', () => {
  const others = ['GET /healthz', 'GET /oauth/me', 'POST /oauth/token', 'GET /oauth/jwks'];
  test.each([...pages.filter((head) => !/_next|fonts|css/.test(head)), ...others])(
    '%s',
    async (head) => {
      const { headers } = await send(server.port, `${head} HTTP/1.1`);
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    },
  );
});

describe('security headers: only pages on the way to no app sever the window that opened them', () => {
  const openerPolicy = async (head: string) =>
    (await send(server.port, `${head} HTTP/1.1`)).headers.get('cross-origin-opener-policy');

  test.each(pages)('%s', async (head) => {
    expect(await openerPolicy(head)).toBeNull();
  });

  test.each(['POST /account/password/submit', 'POST /setup/submit'])(
    '%s severs it',
    async (head) => {
      expect(await openerPolicy(head)).toBe('same-origin');
    },
  );
});
