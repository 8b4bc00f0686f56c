import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, newLogFile } from '../support/database.ts';
import { send } from '../support/raw.ts';
import { type Server, startServer } from '../support/server.ts';

const run = promisify(execFile);
const form = 'grant_type=refresh_token&refresh_token=none';

/** The request without its upgrade headers, and the status that it gets without them. */
const addresses: [head: string, body: string, status: number][] = [
  ['GET /healthz', '', 200],
  ['GET /readyz', '', 200],
  ['GET /.well-known/openid-configuration', '', 200],
  ['GET /oauth/jwks', '', 200],
  ['GET /oauth/authorize?client_id=none', '', 400],
  ['GET /oauth/me', '', 401],
  ['POST /oauth/token', form, 400],
  ['POST /?oauth=token', form, 400],
  ['POST /oauth/revoke', 'token=none', 401],
  ['POST /oauth/introspect', 'token=none', 401],
  ['POST /login/submit', 'username=x', 403],
  ['GET /login', '', 200],
  ['GET /docs', '', 200],
  ['GET /no-such-page', '', 404],
  ['GET /gatehouse.css', '', 200],
  ['POST /login', 'x=y', 404],
  ['GET /_next/webpack-hmr', '', 404],
];

/**
 * The headers that java.net.http sends with the first request on a connection, and other requests
 * for an upgrade.
 */
const wishes = {
  'h2c as Java sends it':
    'Connection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\nUpgrade: h2c',
  'a WebSocket':
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'TLS within the connection': 'Connection: Upgrade\r\nUpgrade: TLS/1.2, HTTP/1.1',
  'an unknown protocol': 'Upgrade: nonsense\r\nConnection: upgrade',
} as const;

let server: Server;
beforeAll(async () => {
  const databaseUrl = await createDatabase('sqlite');
  server = await startServer({ mount: 'direct', databaseUrl, logFile: newLogFile('upgrade') });
});
afterAll(() => server.stop());

function asked(head: string, body: string, wish = ''): Promise<{ status: number }> {
  const type = body ? '\r\nContent-Type: application/x-www-form-urlencoded' : '';
  const wished = wish ? `\r\n${wish}` : '';
  return send(server.port, `${head} HTTP/1.1${type}${wished}`, body);
}

// The order matters, because the first page that Next.js renders changes the server it runs in.
describe('a request with an Upgrade header is answered as without it (RFC 9110 section 7.8)', () => {
  test('before a page was rendered', async () => {
    for (const [head, body, status] of addresses
      .filter(([, , status]) => status !== 404)
      .slice(0, 10))
      expect([head, (await asked(head, body, wishes['h2c as Java sends it'])).status]).toEqual([
        head,
        status,
      ]);
  });

  describe.each(Object.entries(wishes))('after a page was rendered: %s', (_, wish) => {
    beforeAll(async () => {
      expect((await asked('GET /login', '')).status).toBe(200);
    });

    test.each(addresses)('%s', async (head, body, status) => {
      expect((await asked(head, body)).status).toBe(status);
      expect((await asked(head, body, wish)).status).toBe(status);
    });
  });

  test('from the HTTP client of Java', { timeout: 120_000 }, async ({ skip }) => {
    const version = await run('java', ['-version']).catch(() => null);
    if (!version) return skip('There is no java on this machine.');
    await asked('GET /login', '');
    const paths = [
      '/healthz',
      'POST /oauth/token',
      '/oauth/me',
      '/login',
      'POST /oauth/introspect',
    ];
    const { stdout } = await run('java', ['tests/clients/java/Ask.java', server.origin, ...paths]);
    expect(stdout.trim().split('\n')).toEqual(['200', '400', '401', '200', '401']);
  });
});
