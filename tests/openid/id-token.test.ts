import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { clientFields } from '#lib/oauth/client.ts';
import { post, refresh, tokensOf } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { newVisitor, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newPkce } from '../support/seed.ts';
import { asking, type OpenIdTokens, openIdTokens, readIdToken, signIn } from './sign-in.ts';

const server = await openServer();
const now = () => Math.floor(Date.now() / 1000);

test.each(clientFields.idTokenAlg.of)(
  'an ID token signed with %s says which user signed in, at which client, when and how',
  async (alg) => {
    const { user, client, tokens } = await signIn(
      server,
      { idTokenAlg: alg },
      { nonce: 'n-0S6_WzA2Mj' },
    );
    const { protectedHeader, payload } = await readIdToken(server, client, tokens.id_token);
    expect(protectedHeader).toEqual({ alg, kid: expect.any(String), typ: 'JWT' });
    expect(payload).toEqual({
      iss: server.issuer,
      sub: user.id,
      aud: client.id,
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 3600,
      auth_time: expect.any(Number),
      amr: ['pwd'],
      acr: 'urn:gatehouse:single',
      nonce: 'n-0S6_WzA2Mj',
      at_hash: createHash('sha256')
        .update(tokens.access_token)
        .digest()
        .subarray(0, 16)
        .toString('base64url'),
      sid: expect.any(String),
    });
    expect(Math.abs(now() - (payload.iat ?? 0))).toBeLessThan(30);
    expect(payload.auth_time).toBeLessThanOrEqual(payload.iat ?? 0);
  },
);

test('an ID token has no nonce if the request had none', async () => {
  const { client, tokens } = await signIn(server);
  expect((await readIdToken(server, client, tokens.id_token)).payload).not.toHaveProperty('nonce');
});

test('an ID token has the claims of the scopes profile and email', async () => {
  const { user, client, tokens } = await signIn(
    server,
    {},
    { scope: 'openid profile email phone' },
  );
  const { payload } = await readIdToken(server, client, tokens.id_token);
  expect(payload).toMatchObject({
    name: 'Ada Lovelace',
    preferred_username: user.username,
    email: user.email,
    email_verified: false,
  });
  expect(payload).not.toHaveProperty('updated_at');
});

test('two apps in one browser get the same sub, auth_time and sid; another browser gets another sid', async () => {
  const { user, person, client, tokens } = await signIn(server);
  const other = await newClient();
  const one = (await readIdToken(server, client, tokens.id_token)).payload;
  const two = (
    await readIdToken(server, other, (await openIdTokens(server, person, other)).id_token)
  ).payload;
  expect([two.sub, two.auth_time, two.sid]).toEqual([one.sub, one.auth_time, one.sid]);
  const elsewhere = await openIdTokens(server, new Person(server, user.username), client);
  expect((await readIdToken(server, client, elsewhere.id_token)).payload.sid).not.toBe(one.sid);
});

test('without the scope openid there is no ID token, nor after a refresh', async () => {
  const person = await newVisitor(server);
  const tokens = await tokensOf(server, person, undefined, { scope: 'profile' });
  expect(tokens).not.toHaveProperty('id_token');
  expect(await refreshed(tokens.refresh_token)).not.toHaveProperty('id_token');
});

async function refreshed(token: string, more: Record<string, string> = {}) {
  const { status, body } = await refresh(server, token, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as OpenIdTokens;
}

describe('the ID token of a refresh answer (OpenID Connect Core section 12.2)', () => {
  test.each(clientFields.idTokenAlg.of)(
    'signed with %s: same iss, sub, aud, auth_time, amr and sid; new iat and at_hash; no nonce',
    async (alg) => {
      const { client, tokens } = await signIn(server, { idTokenAlg: alg }, { nonce: 'n-0S6_WzA2' });
      const first = (await readIdToken(server, client, tokens.id_token)).payload;
      const anHourAgo = new Date((Number(first.auth_time) - 3600) * 1000);
      await (await prisma()).authorization.updateMany({
        where: { clientId: client.id },
        data: { authTime: anHourAgo },
      });
      const again = await refreshed(tokens.refresh_token);
      const { protectedHeader, payload } = await readIdToken(server, client, again.id_token);
      expect(protectedHeader).toEqual({ alg, kid: expect.any(String), typ: 'JWT' });
      const { nonce: _, ...rest } = first;
      expect(payload).toEqual({
        ...rest,
        auth_time: Number(first.auth_time) - 3600,
        iat: expect.any(Number),
        exp: (payload.iat ?? 0) + 3600,
        at_hash: expect.any(String),
      });
      expect(payload.iat).toBeGreaterThanOrEqual(first.iat ?? 0);
      expect(payload.at_hash).not.toBe(first.at_hash);
    },
  );

  test.each(clientFields.idTokenAlg.of)(
    'signed with %s: a repeated refresh within 30 seconds gets the same claims',
    async (alg) => {
      const { tokens } = await signIn(server, { idTokenAlg: alg });
      const first = await refreshed(tokens.refresh_token);
      const second = await refreshed(tokens.refresh_token);
      // Each ES256 signature is different, but what is signed is the same.
      const [head, said] = first.id_token.split('.');
      const id_token = expect.stringMatching(`^${head}\\.${said}\\.`);
      expect(second).toEqual({ ...first, id_token, expires_in: expect.any(Number) });
    },
  );

  test('comes with each refresh, also for a public client', async () => {
    const { verifier, challenge } = newPkce();
    const client = await newClient({ type: 'public' });
    const person = await newVisitor(server);
    const code = await person.code(asking(client, challenge));
    const sent = { client_id: client.id, code, code_verifier: verifier };
    const { body } = await post(server, '/oauth/token', {
      grant_type: 'authorization_code',
      ...sent,
    });
    let token = String(body.refresh_token);
    for (let times = 0; times < 3; times += 1) {
      const again = await refreshed(token, { client_id: client.id });
      await readIdToken(server, client, again.id_token);
      token = again.refresh_token;
    }
  });

  test('has the current claims of the user', async () => {
    const { user, client, tokens } = await signIn(server, {}, { scope: 'openid profile' });
    await (await prisma()).user.update({
      where: { id: user.id },
      data: { name: 'Ada King', updatedAt: new Date() },
    });
    const { id_token } = await refreshed(tokens.refresh_token);
    expect((await readIdToken(server, client, id_token)).payload.name).toBe('Ada King');
  });

  test('is left out where the scope of this access token is narrowed to one without openid', async () => {
    const { tokens } = await signIn(server, {}, { scope: 'openid email' });
    const narrow = await refreshed(tokens.refresh_token, { scope: 'email' });
    expect(narrow).not.toHaveProperty('id_token');
    expect(await refreshed(narrow.refresh_token)).toHaveProperty('id_token');
  });

  test('is left out for a client with idTokenOnRefresh off, whose first answer still has one', async () => {
    const { tokens } = await signIn(server, { idTokenOnRefresh: false });
    expect(tokens).toHaveProperty('id_token');
    expect(await refreshed(tokens.refresh_token)).not.toHaveProperty('id_token');
  });
});
