import { describe, expect, test } from 'vitest';
import { raiseRevision } from '#lib/store/engine/revision.ts';
import { basic, credentials, me, post, refresh, type Tokens, tokensOf } from '../support/app.ts';
import { alikeOn, allAlikeOn } from '../support/on-each-database.ts';
import { databaseOf, openServer } from '../support/open-server.ts';
import { newPerson } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newPkce, type TestClient } from '../support/seed.ts';
import { authorizationOf, changeAuthorization, readToken, remade } from '../support/tokens.ts';

const server = await openServer();
const alike = alikeOn(databaseOf(server.databaseUrl));
const allAlike = allAlikeOn(databaseOf(server.databaseUrl));
const person = await newPerson(server);
const client = await newClient();
const other = await newClient();

const newTokens = (params: Record<string, string> = {}, of: TestClient = client) =>
  tokensOf(server, person, of, params);
const refreshed = async (token: string, more: Record<string, string> = {}) => {
  const { status, body } = await refresh(server, token, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Tokens;
};
const refused = async (token: string, more: Record<string, string> = {}) => {
  const { status, body } = await refresh(server, token, more);
  expect(status).not.toBe(200);
  return body.error;
};
/** Makes a token look as if it had been rotated this many seconds ago. */
const ago = async (token: string, seconds: number) =>
  changeAuthorization(token, { rotatedAt: new Date(Date.now() - seconds * 1000) });

describe('the answer to the refresh grant (interface section 3)', () => {
  test('has the five fields; the new tokens work', async () => {
    const { refresh_token, access_token } = await newTokens();
    const { status, headers, body } = await refresh(server, refresh_token);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'profile email',
      refresh_token: expect.any(String),
    });
    expect(body.access_token).not.toBe(access_token);
    expect(body.refresh_token).not.toBe(refresh_token);
    expect((await me(server, String(body.access_token))).status).toBe(200);
    await refreshed(String(body.refresh_token));
  });

  test('is given after the access token has expired, expires_in seconds after its issue', async () => {
    const { access_token, expires_in, refresh_token } = await newTokens(
      {},
      await newClient({ accessTokenTtl: 1 }),
    );
    expect(expires_in).toBe(1);
    const ended = async () => (await me(server, access_token)).status;
    await expect.poll(ended, { timeout: 20_000 }).toBe(401);
    expect((await refreshed(refresh_token)).access_token).not.toBe(access_token);
  });

  alike('never has a field request_token', async () => {
    expect(await refreshed((await newTokens()).refresh_token)).not.toHaveProperty('request_token');
  });
});

allAlike('refresh grant: parameters in the query (interface section 3)', () => {
  test('all or some of them are accepted', async () => {
    const { refresh_token } = await newTokens();
    const first = await post(
      server,
      `/oauth/token?grant_type=refresh_token&refresh_token=${refresh_token}`,
      {},
    );
    expect(first.status).toBe(200);
    const next = String(first.body.refresh_token);
    expect(
      (await post(server, '/oauth/token?grant_type=refresh_token', { refresh_token: next })).status,
    ).toBe(200);
  });

  test('an empty body needs no content type', async () => {
    const { refresh_token } = await newTokens();
    const url = `${server.base}/oauth/token?grant_type=refresh_token&refresh_token=${refresh_token}`;
    expect((await fetch(url, { method: 'POST' })).status).toBe(200);
  });

  test('a parameter in both places is refused and nothing consumed', async () => {
    const { refresh_token } = await newTokens();
    const twice = await post(server, `/oauth/token?grant_type=refresh_token`, {
      grant_type: 'refresh_token',
      refresh_token,
    });
    expect(twice.body.error).toBe('invalid_request');
    await refreshed(refresh_token);
  });

  test('client credentials in the query must be right', async () => {
    const { refresh_token } = await newTokens();
    const path = (secret: string) =>
      `/oauth/token?grant_type=refresh_token&refresh_token=${refresh_token}&client_id=${client.id}&client_secret=${secret}`;
    expect((await post(server, path('wrong'), {})).body.error).toBe('invalid_client');
    expect((await post(server, path(client.secret), {})).status).toBe(200);
  });

  test.each(['authorization_code', 'client_credentials', 'nonsense'])(
    'are refused for any other grant: %s',
    async (grant_type) => {
      const code = await person.code({ client_id: client.id, response_type: 'code' });
      const query = new URLSearchParams({ grant_type, code, ...credentials(client) });
      expect(await post(server, `/oauth/token?${query}`, {})).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
      const params = { grant_type: 'authorization_code', code, ...credentials(client) };
      expect((await post(server, '/oauth/token', params)).status).toBe(200);
    },
  );
});

allAlike('grant_type at the token endpoint', () => {
  test.each([
    ['missing', {}, 'invalid_request'],
    ['empty', { grant_type: '' }, 'invalid_request'],
    ['unknown', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['in capitals', { grant_type: 'REFRESH_TOKEN' }, 'unsupported_grant_type'],
  ])('that is %s is refused', async (_, params, error) => {
    expect(await post(server, '/oauth/token', params as Record<string, string>)).toMatchObject({
      status: 400,
      body: { error },
    });
  });

  test('that the client may not use is unauthorized_client', async () => {
    const narrowed = await newClient();
    const { refresh_token } = await newTokens({}, narrowed);
    const data = { grants: 'authorization_code' };
    await (await prisma()).client.update({ where: { id: narrowed.id }, data });
    await raiseRevision();
    expect(await refused(refresh_token)).toBe('unauthorized_client');
  });
});

allAlike('client authentication in the refresh grant (section 4)', () => {
  test('is not required by default', async () => {
    await refreshed((await newTokens()).refresh_token);
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['its id alone', { client_id: client.id }, {}],
    ['id and secret', credentials(client), {}],
    ['Basic', {}, basic(client)],
  ])('is accepted with %s', async (_, fields, headers) => {
    const params = {
      grant_type: 'refresh_token',
      refresh_token: (await newTokens()).refresh_token,
      ...fields,
    };
    expect((await post(server, '/oauth/token', params, headers)).status).toBe(200);
  });

  test.each<[string, Record<string, string>, Record<string, string>, number, string]>([
    ['a wrong secret', { client_id: client.id, client_secret: 'wrong' }, {}, 401, 'invalid_client'],
    ['a wrong secret by Basic', {}, basic(client, client.id, 'wrong'), 401, 'invalid_client'],
    ['an unknown client', { client_id: 'nobody' }, {}, 401, 'invalid_client'],
    ['a secret without an id', { client_secret: client.secret }, {}, 400, 'invalid_request'],
    ['credentials of another client', credentials(other), {}, 400, 'invalid_grant'],
    ['the id of another client', { client_id: other.id }, {}, 400, 'invalid_grant'],
    [
      'Basic without a secret',
      {},
      { Authorization: `Basic ${Buffer.from(`${client.id}:`).toString('base64')}` },
      401,
      'invalid_client',
    ],
  ])('%s is refused and consumes nothing', async (_, fields, headers, status, error) => {
    const { refresh_token } = await newTokens();
    const answer = await post(
      server,
      '/oauth/token',
      { grant_type: 'refresh_token', refresh_token, ...fields },
      headers,
    );
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    await refreshed(refresh_token);
  });

  test('can be required of a client', async () => {
    const strict = await newClient({ requireClientAuthOnRefresh: true });
    const { refresh_token } = await newTokens({}, strict);
    expect(await refused(refresh_token)).toBe('invalid_client');
    expect(await refused(refresh_token, { client_id: strict.id })).toBe('invalid_client');
    await refreshed(refresh_token, credentials(strict));
  });
});

describe('the parameter refresh_token in the refresh grant', () => {
  alike('missing or empty: invalid_request', async () => {
    expect((await post(server, '/oauth/token', { grant_type: 'refresh_token' })).body.error).toBe(
      'invalid_request',
    );
    expect(await refused('')).toBe('invalid_request');
  });

  alike('unknown, or an access token: invalid_grant', async () => {
    expect(await refused('nonsense')).toBe('invalid_grant');
    expect(await refused((await newTokens()).access_token)).toBe('invalid_grant');
  });

  test('expires when it is not used', async () => {
    const { refresh_token } = await newTokens();
    await changeAuthorization(refresh_token, { idleUntil: new Date(Date.now() - 1) });
    expect(await refused(refresh_token)).toBe('invalid_grant');
    expect(await refused(refresh_token, credentials(client))).toBe('invalid_grant');
  });

  test('rotation does not move the absolute end of the token family', async () => {
    const short = await newClient({ refreshTokenTtl: 1000, refreshTokenMaxTtl: 500 });
    const { refresh_token } = await newTokens({}, short);
    const next = await refreshed(refresh_token);
    const ends = await Promise.all([refresh_token, next.refresh_token].map(readToken));
    expect(ends[1]?.expiresAt).toEqual(ends[0]?.expiresAt);
    const { idleUntil, endsAt } = await authorizationOf(refresh_token);
    expect([idleUntil, endsAt]).toEqual(Array(2).fill(ends[0]?.expiresAt));
    expect((endsAt?.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(500_000);
    await changeAuthorization(refresh_token, { endsAt: new Date(Date.now() - 1) });
    expect(await refused(next.refresh_token, credentials(short))).toBe('invalid_grant');
  });

  test('each use restarts the idle time', async () => {
    const { refresh_token } = await newTokens({}, await newClient({ refreshTokenTtl: 1000 }));
    await changeAuthorization(refresh_token, { idleUntil: new Date(Date.now() + 5000) });
    const next = await refreshed(refresh_token);
    const { idleUntil } = await authorizationOf(next.refresh_token);
    expect((idleUntil?.getTime() ?? 0) - Date.now()).toBeGreaterThan(900_000);
  });
});

describe('scope in the refresh grant (RFC 6749 section 6)', () => {
  test('may be narrowed for this access token; the refresh token keeps its own', async () => {
    const { refresh_token } = await newTokens({ scope: 'profile email' });
    const narrow = await refreshed(refresh_token, { scope: 'email' });
    expect(narrow.scope).toBe('email');
    expect((await me(server, narrow.access_token)).body).not.toHaveProperty('preferred_username');
    expect((await refreshed(narrow.refresh_token)).scope).toBe('profile email');
  });

  alike.each(['profile address', 'address', '"'])(
    'wider or malformed: invalid_scope, nothing consumed: %s',
    async (scope) => {
      const { refresh_token } = await newTokens({ scope: 'profile email' });
      expect(await refused(refresh_token, { scope })).toBe('invalid_scope');
      await refreshed(refresh_token);
    },
  );
});

describe('a repeated refresh with the same refresh token (section 4)', () => {
  test('within 30 seconds gets the same tokens, expires_in counted down', async () => {
    const { refresh_token } = await newTokens();
    const first = await refreshed(refresh_token);
    const second = await refreshed(refresh_token);
    expect(second).toEqual({ ...first, expires_in: expect.any(Number) });
    expect(second.expires_in).toBeLessThanOrEqual(first.expires_in);
    expect(second.expires_in).toBeGreaterThan(first.expires_in - 30);
    await refreshed(first.refresh_token);
  });

  test('later ends the whole token family, with an audit event', async () => {
    const tokens = await newTokens();
    const next = await refreshed(tokens.refresh_token);
    await ago(tokens.refresh_token, 31);
    expect(await refused(tokens.refresh_token)).toBe('invalid_grant');
    expect(await refused(next.refresh_token)).toBe('invalid_grant');
    for (const token of [tokens.access_token, next.access_token])
      expect((await me(server, token)).status).toBe(401);
    const events = await (await prisma()).auditEvent.findMany({
      where: { type: 'refresh-token.reused', clientId: client.id },
    });
    expect(events.some((event) => event.userId === person.user.id)).toBe(true);
  });

  test('long after the token had expired ends the whole token family as well', async () => {
    const tokens = await newTokens();
    const next = await refreshed(tokens.refresh_token);
    await ago(tokens.refresh_token, 40 * 24 * 3600);
    const expiresAt = new Date(Date.now() - 10 * 24 * 3600_000);
    expect(await refused(await remade(tokens.refresh_token, { expiresAt }))).toBe('invalid_grant');
    expect(await refused(next.refresh_token)).toBe('invalid_grant');
    expect((await me(server, next.access_token)).status).toBe(401);
  });

  test('within 30 seconds, but of an expired token, is refused and ends nothing', async () => {
    const tokens = await newTokens();
    const next = await refreshed(tokens.refresh_token);
    const expired = await remade(tokens.refresh_token, { expiresAt: new Date(Date.now() - 1) });
    expect(await refused(expired)).toBe('invalid_grant');
    await refreshed(next.refresh_token);
  });

  test('once the successor was used ends the token family, even within 30 seconds', async () => {
    const { refresh_token } = await newTokens();
    const next = await refreshed(refresh_token);
    const third = await refreshed(next.refresh_token);
    expect(await refused(refresh_token)).toBe('invalid_grant');
    expect(await refused(third.refresh_token)).toBe('invalid_grant');
  });

  test('of one token family does not affect another of the same client', async () => {
    const one = await newTokens();
    const two = await newTokens();
    await refreshed((await refreshed(one.refresh_token)).refresh_token);
    expect(await refused(one.refresh_token)).toBe('invalid_grant');
    expect((await me(server, two.access_token)).status).toBe(200);
    await refreshed(two.refresh_token);
  });

  test('with wrong credentials is refused and ends nothing', async () => {
    const { refresh_token } = await newTokens();
    const first = await refreshed(refresh_token);
    expect(await refused(refresh_token, { client_id: client.id, client_secret: 'wrong' })).toBe(
      'invalid_client',
    );
    expect(await refused(refresh_token, credentials(other))).toBe('invalid_grant');
    await refreshed(first.refresh_token);
  });

  test('with another scope is invalid_grant, and ends nothing', async () => {
    const { refresh_token } = await newTokens();
    const first = await refreshed(refresh_token, { scope: 'email' });
    expect(await refused(refresh_token)).toBe('invalid_grant');
    expect(await refused(refresh_token, { scope: 'profile' })).toBe('invalid_grant');
    expect((await refreshed(refresh_token, { scope: 'email' })).access_token).toBe(
      first.access_token,
    );
    await refreshed(first.refresh_token);
  });

  test('is possible without storing the answer: no token is in the database', async () => {
    const { refresh_token } = await newTokens();
    const first = await refreshed(refresh_token);
    const row = JSON.stringify(await authorizationOf(refresh_token));
    for (const token of [refresh_token, first.access_token, first.refresh_token])
      expect(row).not.toContain(token.slice(-24));
  });

  test('of a token with an unknown rotation counter is refused and ends nothing', async () => {
    const { refresh_token } = await newTokens();
    const next = await refreshed(refresh_token);
    const lost = await remade(next.refresh_token, { counter: 7 });
    expect(await refused(lost)).toBe('invalid_grant');
    await refreshed(next.refresh_token);
  });

  test('of a public client’s rotated token is refused, too', async () => {
    const open = await newClient({ type: 'public' });
    const { verifier, challenge } = newPkce();
    const code = await person.code({ client_id: open.id, response_type: 'code', ...challenge });
    const fields = {
      grant_type: 'authorization_code',
      code,
      client_id: open.id,
      code_verifier: verifier,
    };
    const tokens = (await post(server, '/oauth/token', fields)).body as Tokens;
    const next = await refreshed(tokens.refresh_token, { client_id: open.id });
    await refreshed(next.refresh_token);
    expect(await refused(tokens.refresh_token)).toBe('invalid_grant');
  });
});

test('tokens and client secrets are not in the database in a form that works', async () => {
  const tokens = await newTokens();
  const db = await prisma();
  const rows = JSON.stringify([
    await db.authorization.findMany(),
    await db.spentValue.findMany(),
    await db.tokenKey.findMany(),
    await db.clientSecret.findMany(),
  ]);
  for (const secret of [tokens.access_token, tokens.refresh_token, client.secret])
    expect(rows).not.toContain(secret.slice(-24));
});
