import { readdirSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { programFolders, programNames } from '#app/unknown-address.ts';
import { findTraceOfRequest } from '#lib/store/trace-list.ts';
import { readAnswer } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { set } from '../support/settings.ts';
import { traceOf } from '../support/traces.ts';

const server = await openServer({});
const document = `${server.issuer}/.well-known/openid-configuration`;

const ask = async (path: string, init: RequestInit = {}) => {
  const answer = await readAnswer(await fetch(server.base + path, init));
  return { ...answer, says: String(answer.body.error_description) };
};
describe('an unknown address is 404 in JSON with the address that was meant', () => {
  test.each([
    ['POST', '/token', '/oauth/token'],
    ['POST', '/oauth/tokens', '/oauth/token'],
    ['POST', '/oauth/tokn', '/oauth/token'],
    ['POST', '/oauth/token/extra/token', '/oauth/token'],
    ['POST', '/oauth2/token', '/oauth/token'],
    ['POST', '/oauth2/v1/token', '/oauth/token'],
    ['POST', '/api/oidc/token', '/oauth/token'],
    ['POST', '/realms/main/protocol/openid-connect/token', '/oauth/token'],
    ['GET', '/authorize?client_id=x', '/oauth/authorize'],
    ['GET', '/OAuth/Authorise', '/oauth/authorize'],
    ['GET', '/oauth2/auth', '/oauth/authorize'],
    ['GET', '/userinfo', '/oauth/me'],
    ['GET', '/oauth/userinfo', '/oauth/me'],
    ['GET', '/connect/userinfo', '/oauth/me'],
    ['GET', '/.well-known/jwks.json', '/oauth/jwks'],
    ['GET', '/oauth2/certs', '/oauth/jwks'],
    ['POST', '/oauth/introspection', '/oauth/introspect'],
    ['GET', '/oauth/end-session', '/oauth/logout'],
    ['DELETE', '/oauth/revoke-token', '/oauth/revoke'],
  ])('%s %s: %s', async (method, path, meant) => {
    const answer = await ask(path, { method });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.body.error).toBe('invalid_request');
    expect(answer.says).toContain(`Did you mean ${server.issuer}${meant}?`);
    expect(answer.says).not.toContain('admin');
  });
});

describe('an unknown address of metadata is 404 with the issuer and its document', () => {
  test.concurrent.each([
    '/.well-known/openid-configuration/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/oauth',
    '/oauth/.well-known/openid-configuration',
    '/oauth/authorize/.well-known/openid-configuration',
    '/realms/main/.well-known/openid-configuration',
    '/some/thing/.well-known/oauth-authorization-server',
    '/.well-known/openid_configuration',
    '/openid-configuration',
  ])('%s', async (path) => {
    const answer = await ask(path, { headers: { accept: 'application/json' } });
    expect(answer.status).toBe(404);
    expect(answer.says).toContain(
      `The issuer is ${server.issuer}, and its document is at ${document}`,
    );
    const { steps } = await traceOf(answer);
    expect(steps).toMatchObject([{ step: 'address', received: path, expected: [document] }]);
  });

  test.skipIf(server.mount === 'next')('//.well-known/openid-configuration', async () => {
    const answer = await ask('//.well-known/openid-configuration');
    expect([answer.status, answer.says]).toEqual([404, expect.stringContaining(document)]);
    const token = await ask('//oauth/token', { method: 'POST' });
    expect(token.says).toContain(`Did you mean ${server.issuer}/oauth/token?`);
  });
});

test('an unknown address that cannot be guessed is 404 with the metadata’s address, and leaves no trace', async () => {
  const answer = await ask('/.well-known/traffic-advice');
  expect([answer.status, answer.says]).toEqual([404, expect.stringContaining(document)]);
  // Everything that came before this request is written together with it.
  await traceOf(await ask('/oauth/tokens'));
  expect(await findTraceOfRequest(answer.headers.get('x-request-id') ?? '')).toBeNull();
});

test('the trace of an unknown address has no client, no user and no query', async () => {
  const answer = await ask('/oauth2/token?client_secret=hunter2', { method: 'POST' });
  const trace = await traceOf(answer);
  expect(trace).toMatchObject({ clientId: null, userId: null });
  expect(trace.steps).toMatchObject([
    {
      step: 'address',
      outcome: 'refused',
      rule: 'address.unknown',
      behind: 'nobody',
      received: '/oauth2/token',
      expected: [`${server.issuer}/oauth/token`],
    },
  ]);
  expect(JSON.stringify(trace)).not.toContain('hunter2');
});

test('an unknown address like that of registration is answered according to CLIENT_REGISTRATION', async () => {
  const register = () => ask('/oauth2/register', { method: 'POST', body: '{}' });
  expect((await register()).says).toContain('an admin adds them');
  await set('CLIENT_REGISTRATION', 'open');
  await vi.waitFor(async () =>
    expect((await register()).says).toContain(`Did you mean ${server.issuer}/oauth/register?`),
  );
});

test('an unknown address opened in a browser is a 404 page with the address that was meant', async () => {
  const answer = await fetch(`${server.base}/authorize?client_id=x`, {
    headers: { accept: 'text/html' },
  });
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect(await answer.text()).toContain(`${server.issuer}/oauth/authorize`);
});

test('no page of this server is at an address reserved for programs', () => {
  const pages = readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('/page.tsx'))
    .map((file) => file.split('/')[0] ?? '');
  expect(pages).toContain('login');
  const taken = new Set<string>([...programFolders, ...programNames]);
  expect(pages.filter((page) => taken.has(page))).toEqual([]);
});

test.each(['/nothing', '/docs/nothing', '/docs/nothing/here', '/account/nothing'])(
  'the page that says there is nothing at %s has the id of its request',
  async (path) => {
    const answer = await fetch(`${server.base}${path}`, { redirect: 'manual' });
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  },
);
