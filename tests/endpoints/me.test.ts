import { describe, expect, test } from 'vitest';
import { me, post, readAnswer, tokensOf } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson } from '../support/person.ts';
import { newClient } from '../support/seed.ts';
import { remade } from '../support/tokens.ts';

const server = await openServer();
const person = await newPerson(server);
const { access_token, refresh_token } = await tokensOf(server, person);

const get = async (query: string, headers: Record<string, string> = {}) =>
  readAnswer(await fetch(`${server.base}/oauth/me${query}`, { headers }));

describe('the access token at the user information endpoint (interface section 4, RFC 6750)', () => {
  test.each<[string, () => ReturnType<typeof get>]>([
    ['in the header', () => get('', { Authorization: `Bearer ${access_token}` })],
    [
      'in the header, scheme in lower case',
      () => get('', { Authorization: `bearer ${access_token}` }),
    ],
    [
      'in the header, by POST',
      () => post(server, '/oauth/me', {}, { Authorization: `Bearer ${access_token}` }),
    ],
    ['in the query, by default', () => get(`?access_token=${access_token}`)],
    ['in the form of a POST', () => post(server, '/oauth/me', { access_token })],
  ])('%s', async (_, ask) => {
    const { status, headers, body } = await ask();
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toMatchObject({
      sub: person.user.id,
      username: person.user.username,
      email: person.user.email,
    });
  });

  test('none: 401 with a bare challenge', async () => {
    for (const headers of [
      {},
      { Authorization: 'Basic abc' },
      { Cookie: `access_token=${access_token}` },
    ]) {
      const answer = await get('', headers as Record<string, string>);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="[^"]*"$/);
    }
  });

  test.each([
    ['bad', 'nonsense'],
    ['of another kind', refresh_token],
    ['with a letter more', `${access_token}A`],
    ['in capitals', access_token.toUpperCase()],
  ])('%s: 401 invalid_token', async (_, token) => {
    const { status, headers, body } = await me(server, token);
    expect([status, body.error]).toEqual([401, 'invalid_token']);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="[^"]*", error="invalid_token"/);
  });

  test.each<[string, () => ReturnType<typeof get>]>([
    [
      'header and query',
      () => get(`?access_token=${access_token}`, { Authorization: `Bearer ${access_token}` }),
    ],
    ['twice in the query', () => get(`?access_token=${access_token}&access_token=${access_token}`)],
    [
      'query and form',
      () => post(server, `/oauth/me?access_token=${access_token}`, { access_token }),
    ],
    [
      'header and form',
      () =>
        post(server, '/oauth/me', { access_token }, { Authorization: `Bearer ${access_token}` }),
    ],
    ['a header without a token', () => get('', { Authorization: 'Bearer' })],
    [
      'two tokens in the header',
      () => get('', { Authorization: `Bearer ${access_token} ${access_token}` }),
    ],
  ])('%s: 400 invalid_request', async (_, ask) => {
    const { status, headers, body } = await ask();
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(headers.get('www-authenticate')).toMatch(/error="invalid_request"/);
  });

  test('unknown parameters are ignored, even repeated', async () => {
    expect((await get('?foo=1&foo=2', { Authorization: `Bearer ${access_token}` })).status).toBe(
      200,
    );
  });

  test('the session cookie is no access token: 401', async () => {
    expect((await person.request('/oauth/me')).status).toBe(401);
  });

  test('expired: 401 invalid_token', async () => {
    const tokens = await tokensOf(server, person);
    const expired = await remade(tokens.access_token, { expiresAt: new Date(Date.now() - 1) });
    expect((await me(server, expired)).body.error).toBe('invalid_token');
    expect((await me(server, await remade(tokens.access_token, {}))).status).toBe(200);
  });

  test('of client_credentials: 403 insufficient_scope', async () => {
    const machine = await newClient({ grants: ['client_credentials'], scopes: ['profile'] });
    const { body } = await post(server, '/oauth/token', {
      grant_type: 'client_credentials',
      client_id: machine.id,
      client_secret: machine.secret,
    });
    const answer = await me(server, String(body.access_token));
    expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_scope']);
  });
});

describe('claims at the user information endpoint (section 5)', () => {
  const told = async (scope: string) =>
    (await me(server, (await tokensOf(server, person, undefined, { scope })).access_token)).body;

  test('are always sub, username and email', async () => {
    expect(Object.keys(await told('address')).sort()).toEqual(['email', 'sub', 'username']);
  });

  test('with the scope email also email_verified', async () => {
    expect(Object.keys(await told('email')).sort()).toEqual([
      'email',
      'email_verified',
      'sub',
      'username',
    ]);
  });

  test('with the scope profile also preferred_username and updated_at', async () => {
    expect(await told('profile')).toMatchObject({
      preferred_username: person.user.username,
      updated_at: expect.any(Number),
    });
  });
});
