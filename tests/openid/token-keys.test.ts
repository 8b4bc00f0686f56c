import { expect, test } from 'vitest';
import { ensureTokenKeys, rotateTokenKey } from '#lib/identity/token-keys.ts';
import { openToken } from '#lib/identity/tokens.ts';
import { listTokenKeys, revokeKey, rotateKeys } from '#lib/management/key/keys.ts';
import { credentials, me, post, redeem, refresh } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { prisma } from '../support/prisma.ts';
import { newClient } from '../support/seed.ts';
import { asking, signIn } from './sign-in.ts';

const server = await openServer({});
const second = await server.secondProcess();
const cli = { id: 'cli' };
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
const keyOf = async (token: string) =>
  (await openToken(token, 'code', 'accessToken', 'refreshToken', 'clientToken'))?.keyId;
const newest = async () => Number((await listTokenKeys())[0]?.kid.split('-')[1]);

test('a new token key is not used for a minute, then by every process; tokens of the old one stay valid', async () => {
  const { person, client, tokens } = await signIn(server);
  const old = await keyOf(tokens.access_token);
  await rotateKeys(cli, new Date());
  const early = (await refresh(second, tokens.refresh_token)).body;
  expect(await keyOf(String(early.access_token))).toBe(old);
  await (await prisma()).tokenKey.update({
    where: { id: await newest() },
    data: { createdAt: ago(90) },
  });
  await rotateTokenKey(ago(61));
  const late = (await refresh(server, String(early.refresh_token))).body;
  const code = await person.code(asking(client));
  for (const token of [String(late.access_token), String(late.refresh_token), code])
    expect(await keyOf(token)).toBe(await newest());
  for (const at of [server, second]) {
    expect((await me(at, tokens.access_token)).status).toBe(200);
    expect((await me(at, String(late.access_token))).status).toBe(200);
  }
  expect((await redeem(second, client, code)).status).toBe(200);
});

test('two rotations of the token key at the same time leave one key in use', async () => {
  await Promise.all([rotateTokenKey(ago(61)), rotateTokenKey(ago(61))]);
  const inUse = (await listTokenKeys()).filter(({ retiredAt }) => retiredAt === null);
  expect(inUse.map(({ kid }) => kid)).toEqual([`tokens-${await newest()}`]);
});

test('a revoked token key ends all its tokens immediately in every process, and a new key replaces it', async () => {
  const { person, client, tokens } = await signIn(server, {
    grants: ['authorization_code', 'refresh_token', 'client_credentials'],
  });
  const machine = await newClient({ grants: ['client_credentials'], redirectUris: [] });
  const own = await post(server, '/oauth/token', {
    ...credentials(machine),
    grant_type: 'client_credentials',
  });
  const code = await person.code(asking(client));
  for (const at of [server, second]) expect((await me(at, tokens.access_token)).status).toBe(200);
  const introspected = async (token: unknown) =>
    (await post(second, '/oauth/introspect', { ...credentials(machine), token: String(token) }))
      .body.active;
  expect(await introspected(own.body.access_token)).toBe(true);

  await revokeKey(`tokens-${await keyOf(tokens.access_token)}`, cli, new Date());
  for (const at of [second, server]) {
    expect((await me(at, tokens.access_token)).status).toBe(401);
    expect((await refresh(at, tokens.refresh_token, credentials(client))).status).toBe(400);
    expect((await redeem(at, client, code)).status).toBe(400);
  }
  expect(await introspected(own.body.access_token)).toBe(false);
  const fresh = await redeem(server, client, await person.code(asking(client)));
  expect((await me(second, String(fresh.body.access_token))).status).toBe(200);
  await expect(revokeKey('tokens-0', cli, new Date())).rejects.toThrow(
    'There is no key "tokens-0"',
  );
});

test('a retired token key is deleted once nothing made with it can be valid', async () => {
  const day = 24 * 3600;
  const db = await prisma();
  const { tokens } = await signIn(server);
  const used = await keyOf(tokens.refresh_token);
  await db.tokenKey.update({ where: { id: used }, data: { createdAt: ago(400 * day) } });
  await rotateTokenKey(ago(120));
  const kept = async () => (await db.tokenKey.findUnique({ where: { id: used } })) !== null;
  await db.tokenKey.update({ where: { id: used }, data: { retiredAt: ago(0) } });
  const soon = new Date(Date.now() + 2 * day * 1000);
  await ensureTokenKeys(soon);
  expect(await kept()).toBe(true);
  expect((await me(server, tokens.access_token)).status).toBe(200);
  await db.authorization.deleteMany();
  await ensureTokenKeys(new Date(Date.now() + 60_000));
  expect(await kept()).toBe(true);
  await ensureTokenKeys(soon);
  expect(await kept()).toBe(false);
});

test('token keys are not published, and are encrypted in the database', async () => {
  const keys = (await (await fetch(`${server.base}/oauth/jwks`)).json()) as { keys: unknown[] };
  expect(JSON.stringify(keys)).not.toMatch(/tokens-|HS256|"oct"/);
  for (const { sealed } of await (await prisma()).tokenKey.findMany())
    expect(sealed).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
});
