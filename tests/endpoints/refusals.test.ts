import { describe, expect, test } from 'vitest';
import { basic, credentials, post, tokensOf } from '../support/app.ts';
import { linesAbout, logOf } from '../support/log-lines.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, newPerson, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { type ClientOptions, newClient, type TestClient } from '../support/seed.ts';

const server = await openServer();
const person = await newPerson(server);
const canary = 'canary-that-is-in-no-log';

type Refused = { status: number; headers: Headers };
type Case = {
  what: string;
  ask: (client: TestClient) => Promise<Refused>;
  line: Record<string, unknown>;
  client?: ClientOptions;
  /** The request does not show which client it is. */
  nobody?: true;
};

const authorize = (client: TestClient, params: Record<string, string>): Promise<Refused> =>
  new Person(server).request(
    authorizePath({ client_id: client.id, response_type: 'code', state: canary, ...params }),
  );
const token = (client: TestClient, params: Record<string, string>) =>
  post(server, '/oauth/token', { ...credentials(client), ...params });

const cases: Case[] = [
  {
    what: 'sent back to the client: a scope',
    ask: (client) => authorize(client, { scope: 'nonsense' }),
    line: { path: '/oauth/authorize', method: 'GET', code: 'invalid_scope' },
  },
  {
    what: 'sent back to the client: the response type',
    ask: (client) => authorize(client, { response_type: 'token' }),
    line: { path: '/oauth/authorize', code: 'unsupported_response_type' },
  },
  {
    what: 'sent back to the client: PKCE',
    ask: (client) => authorize(client, {}),
    client: { requirePkce: true },
    line: {
      path: '/oauth/authorize',
      code: 'invalid_request',
      reason: 'code_challenge is required for this client (PKCE, S256).',
    },
  },
  {
    what: 'sent back to the client: prompt=none',
    ask: (client) => authorize(client, { prompt: 'none' }),
    line: {
      code: 'login_required',
      reason: 'The user is not signed in, or signed in too long ago.',
    },
  },
  {
    what: 'sent back to the client by form_post',
    ask: (client) => authorize(client, { prompt: 'none', response_mode: 'form_post' }),
    line: { code: 'login_required' },
  },
  {
    what: 'sent back to the client, of a POST',
    ask: (client) =>
      new Person(server).request('/oauth/authorize', {
        method: 'POST',
        body: new URLSearchParams({ client_id: client.id, state: canary }).toString(),
      }),
    line: { method: 'POST', code: 'invalid_request', reason: 'response_type is missing.' },
  },
  {
    what: 'shown on a page: an unregistered address',
    ask: (client) => authorize(client, { redirect_uri: `https://evil.example/?${canary}` }),
    line: { problem: 'redirect_uri_unregistered', redirectUri: 'https://evil.example/?…' },
  },
  {
    what: 'shown on a page instead of being sent to an address that is not registered, with its true reason',
    ask: (client) => authorize(client, { redirect_uri: 'https://a.example/cb', prompt: 'none' }),
    client: { redirectUris: [] },
    line: {
      code: 'login_required',
      reason: 'The user is not signed in, or signed in too long ago.',
    },
  },
  {
    what: 'shown on a page: a disabled client',
    ask: (client) => authorize(client, {}),
    client: { disabled: true },
    line: { problem: 'client_disabled' },
  },
  {
    what: 'shown on a page: an unknown client',
    ask: (client) => authorize({ ...client, id: 'nobody' }, {}),
    nobody: true,
    line: { problem: 'client_unknown' },
  },
  {
    what: 'told by the token endpoint: a code',
    ask: (client) => token(client, { grant_type: 'authorization_code', code: canary }),
    line: { path: '/oauth/token', code: 'invalid_grant', reason: 'There is no such code.' },
  },
  {
    what: 'told by the token endpoint: a refresh token',
    ask: (client) => token(client, { grant_type: 'refresh_token', refresh_token: canary }),
    line: { path: '/oauth/token', code: 'invalid_grant' },
  },
  {
    what: 'told by the token endpoint: a secret',
    ask: (client) =>
      post(
        server,
        '/oauth/token',
        { grant_type: 'authorization_code', code: canary },
        basic(client, client.id, canary),
      ),
    line: { code: 'invalid_client', reason: 'The client secret is wrong.' },
  },
  {
    what: 'told by the token endpoint: a grant type, with the client that is named',
    ask: (client) => token(client, { grant_type: 'password', password: canary }),
    line: { code: 'unsupported_grant_type' },
  },
  {
    what: 'told by the token endpoint before anybody is known: a secret in the URL',
    ask: () => post(server, `/oauth/token?client_secret=${canary}`, {}),
    nobody: true,
    line: { code: 'invalid_request' },
  },
  {
    what: 'told by the revocation endpoint',
    ask: (client) => post(server, '/oauth/revoke', credentials(client)),
    line: { path: '/oauth/revoke', code: 'invalid_request', reason: 'token is missing.' },
  },
  {
    what: 'told by the introspection endpoint',
    ask: (client) => post(server, '/oauth/introspect', { client_id: client.id, token: canary }),
    line: { path: '/oauth/introspect', code: 'invalid_client' },
  },
  {
    what: 'told by the user information endpoint: no person',
    ask: async (client) => {
      const { body } = await token(client, { grant_type: 'client_credentials' });
      return post(server, '/oauth/me', { access_token: String(body.access_token) });
    },
    client: { grants: ['client_credentials'], scopes: [] },
    line: { path: '/oauth/me', code: 'insufficient_scope' },
  },
  {
    what: 'told by the user information endpoint: a token',
    ask: () => post(server, '/oauth/me', { access_token: canary }),
    nobody: true,
    line: { path: '/oauth/me', code: 'invalid_token' },
  },
  {
    what: 'of a method',
    ask: () => fetch(`${server.base}/oauth/token?secret=${canary}`, { method: 'DELETE' }),
    nobody: true,
    line: { path: '/oauth/token', method: 'DELETE', reason: expect.stringContaining('POST') },
  },
  {
    what: 'of a sign-out request',
    ask: () =>
      new Person(server).request(
        `/oauth/logout?id_token_hint=${canary}&post_logout_redirect_uri=https://a.example/`,
      ),
    nobody: true,
    line: {
      path: '/oauth/logout',
      reason: 'id_token_hint was not issued by this server.',
    },
  },
];

describe('the one log line of each refusal, with request, client, endpoint, code and reason (section 6)', () => {
  test.each(cases)('$what', async ({ ask, line, client: options, nobody }) => {
    const client = await newClient(options);
    const { headers, status } = await ask(client);
    expect(status).toBeGreaterThanOrEqual(200);
    const requestId = headers.get('x-request-id') ?? '';
    // An audit event of the same request has its own line.
    const lines = (await linesAbout(server, [requestId])).filter(({ msg }) => msg !== 'audit');
    expect(lines).toEqual([
      expect.objectContaining({
        level: 30,
        msg: 'refused',
        requestId,
        method: expect.any(String),
        path: expect.any(String),
        clientId: nobody ? null : client.id,
        reason: expect.any(String),
        ...line,
      }),
    ]);
  });

  test.skipIf(server.mount === 'next')('is written for a target that is no path', async () => {
    const { headers } = await fetch(`${server.base}//nowhere?secret=${canary}`);
    const requestId = headers.get('x-request-id') ?? '';
    expect(await linesAbout(server, [requestId])).toEqual([
      expect.objectContaining({ msg: 'refused', problem: 'malformed_request', method: 'GET' }),
    ]);
  });

  test('never has a query string, code, token, secret or state', async () => {
    expect(await logOf(server)).not.toContain(canary);
  });
});

test("'Deny' on the consent page and 'Cancel' at sign-in are logged as events, not as refusals", async () => {
  const client = await newClient();
  const params = { client_id: client.id, response_type: 'code' };
  const consent = await person.open(authorizePath(params));
  const denied = person.postOf(consent, '/consent/submit', { decision: 'deny' });
  const answer = await person.request('/consent/submit', { method: 'POST', ...denied });
  const outsider = new Person(server);
  const login = await outsider.open(authorizePath(params));
  const cancelled = await outsider.request(login.at.replace('/login', '/oauth/cancel'));
  for (const { headers } of [answer, cancelled])
    expect(headers.get('location')).toMatch(`${client.redirectUri}?error=access_denied`);
  const ids = [answer, cancelled].map(({ headers }) => headers.get('x-request-id') ?? '');
  const lines = await linesAbout(server, ids);
  expect(lines.filter(({ msg }) => msg === 'refused')).toEqual([]);
  expect(lines).toContainEqual(
    expect.objectContaining({ msg: 'sign-in cancelled', clientId: client.id, requestId: ids[1] }),
  );
  const events = await (await prisma()).auditEvent.findMany({ where: { clientId: client.id } });
  expect(events).toMatchObject([{ type: 'consent.denied', requestId: ids[0] }]);
});

test('refusals are counted once per client and reason; a user’s decision is not', async () => {
  const client = await newClient();
  const tokens = await tokensOf(server, person, client);
  await authorize(client, { scope: 'nonsense' });
  await authorize(client, { redirect_uri: 'https://evil.example/' });
  await token(client, { grant_type: 'authorization_code', code: 'x' });
  await token({ ...client, secret: 'x' }, { grant_type: 'authorization_code', code: 'x' });
  await post(server, '/oauth/revoke', credentials(client));
  const consent = await person.open(
    authorizePath({ client_id: client.id, response_type: 'code', prompt: 'consent' }),
  );
  await person.decide(consent, 'deny');
  // Each process writes its counts every few seconds, in the order they arose.
  await token(client, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
  const counted = async (name: string) => {
    const rows = await (await prisma()).usageCounter.findMany({
      where: { name, clientId: client.id },
    });
    return rows.reduce((sum, { value }) => sum + value, 0);
  };
  await expect.poll(() => counted('refresh'), { timeout: 30_000 }).toBe(1);
  await expect.poll(() => counted('refusal'), { timeout: 30_000 }).toBe(5);
  await expect
    .poll(() => reasonsOf(client.id), { timeout: 30_000 })
    .toEqual({
      'scope.unknown': 1,
      'redirect-uri.unregistered': 1,
      'code.unknown': 1,
      'client-auth.wrong-secret': 1,
      other: 1,
    });
});

async function reasonsOf(clientId: string) {
  const rows = await (await prisma()).refusalCounter.findMany({ where: { clientId } });
  return Object.fromEntries(rows.map(({ rule, value }) => [rule, value]));
}
