import { describe, expect, test } from 'vitest';
import { basic, refresh, tokensOf } from '../support/app.ts';
import { nextDecides } from '../support/next-differences.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, newPerson } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { send } from '../support/raw.ts';
import { newClient } from '../support/seed.ts';

const server = await openServer();

// Which methods each address accepts, and which addresses scripts of other origins may call.
const endpoints: { path: string; methods: string[]; cors?: true }[] = [
  { path: '/oauth/authorize', methods: ['GET', 'POST'] },
  { path: '/oauth/continue', methods: ['GET'] },
  { path: '/oauth/cancel', methods: ['GET'] },
  { path: '/oauth/par', methods: ['POST'], cors: true },
  { path: '/oauth/token', methods: ['POST'], cors: true },
  { path: '/oauth/device_authorization', methods: ['POST'], cors: true },
  { path: '/oauth/me', methods: ['GET', 'POST'], cors: true },
  { path: '/login/submit', methods: ['POST'] },
  { path: '/consent/submit', methods: ['POST'] },
  { path: '/switch/submit', methods: ['POST'] },
  { path: '/logout/submit', methods: ['POST'] },
  { path: '/setup/submit', methods: ['POST'] },
  { path: '/account/password/submit', methods: ['POST'] },
  { path: '/account/apps/submit', methods: ['POST'] },
];

const ask = (path: string, method: string, headers: Record<string, string> = {}) =>
  fetch(server.base + path, {
    method,
    headers: { Origin: 'https://app.example', ...headers },
    redirect: 'manual',
  });

describe.each(endpoints)('$path', ({ path, methods, cors }) => {
  const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
    (method) => !methods.includes(method),
  );

  test.each(others)('%s is 405 with the header Allow', async (method) => {
    const response = await ask(path, method);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')?.split(', ').sort()).toEqual(
      [...methods, 'OPTIONS'].sort(),
    );
  });

  test('OPTIONS is 204', async () => {
    const response = await ask(path, 'OPTIONS', { 'Access-Control-Request-Method': 'POST' });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(cors ? '*' : null);
    if (cors)
      expect(response.headers.get('access-control-allow-headers')).toBe(
        'Authorization, Content-Type, DPoP',
      );
  });

  test(
    cors
      ? 'scripts of any origin may read the answer, without credentials'
      : 'no script of another origin may read the answer',
    async () => {
      const response = await ask(path, methods[0] ?? '');
      expect(response.headers.get('access-control-allow-origin')).toBe(cors ? '*' : null);
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      expect(response.headers.get('access-control-expose-headers')).toBe(
        cors ? 'WWW-Authenticate, X-Request-Id, DPoP-Nonce' : null,
      );
    },
  );

  test('every answer has X-Request-Id and X-Content-Type-Options: nosniff', async () => {
    const response = await ask(path, methods[0] ?? '');
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{16,}$/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('x-powered-by')).toBeNull();
  });

  test('a refused method is a page for browsers and JSON for programs', async () => {
    const response = await ask(path, others.at(-1) ?? '');
    expect(response.headers.get('content-type')).toMatch(
      cors ? /^application\/json/ : /^text\/html/,
    );
  });
});

test('two Authorization headers: 400 invalid_request, whatever they say', async () => {
  const { access_token, refresh_token, client } = await tokensOf(server, await newPerson(server));
  const bearer = `Bearer ${access_token}`;
  const { Authorization } = basic(client);
  const twice: [string, string, string][] = [
    ['/oauth/me', bearer, bearer],
    ['/oauth/me', bearer, Authorization],
    ['/oauth/token', Authorization, Authorization],
    ['/oauth/token', Authorization, bearer],
    ['/oauth/introspect', Authorization, Authorization],
    ['/oauth/revoke', Authorization, Authorization],
  ];
  const form = 'Content-Type: application/x-www-form-urlencoded';
  const body = `grant_type=refresh_token&refresh_token=${refresh_token}&token=${refresh_token}`;
  for (const [path, one, other] of twice) {
    const head = `POST ${path} HTTP/1.1\r\n${form}\r\nAuthorization: ${one}\r\nauthorization: ${other}`;
    const answer = await send(server.port, head, path === '/oauth/me' ? '' : body);
    // Node passes Next.js only the first header, which is judged like any other.
    if (server.mount === 'next' && nextDecides.secondAuthorizationUnseen) continue;
    expect([answer.status, JSON.parse(answer.body).error], path).toEqual([400, 'invalid_request']);
  }
  if (server.mount === 'direct') expect((await refresh(server, refresh_token)).status).toBe(200);
});

test('HEAD on the authorization endpoint is 405 and issues no code', async () => {
  const person = await newPerson(server);
  const client = await newClient({ firstParty: true });
  const path = authorizePath({ client_id: client.id, response_type: 'code' });
  const response = await person.request(path, { method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([405, '']);
  expect(await (await prisma()).authorization.count({ where: { clientId: client.id } })).toBe(0);
});

test.each(['/mount/oauth/jwks', '/mount/healthz', '/mount'])(
  '%s is 404: the internal path of the route handler is not public',
  async (path) => {
    expect((await ask(path, 'GET')).status).toBe(404);
  },
);
