import { decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { readIdTokenHint, rotateSigningKeys, sign } from '#lib/identity/signing.ts';
import { listKeys, revokeKey } from '#lib/management/key/keys.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { newApi } from '../support/apis.ts';
import { refresh } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { introspect } from '../support/target.ts';
import { openIdTokens, readIdToken, signIn } from './sign-in.ts';

const server = await openServer({});
const second = await server.secondProcess();
const cli = { id: 'cli' };
const minute = 60_000;

const published = async (at: { base: string }) =>
  ((await (await fetch(`${at.base}/oauth/jwks`)).json()) as { keys: { kid: string }[] }).keys.map(
    (key) => key.kid,
  );

test('a revoked signing key is immediately gone in every process, and another key signs instead', async () => {
  const { person, client, tokens, user } = await signIn(server);
  const kid = decodeProtectedHeader(tokens.id_token).kid ?? '';
  for (const each of [server, second]) expect(await published(each)).toContain(kid);
  const hint = async () => readIdTokenHint(tokens.id_token, await readRevision(), new Date());
  expect(await hint()).toMatchObject({ sub: user.id });

  const left = await revokeKey(kid, cli, new Date());
  expect(left.map((key) => key.kid)).not.toContain(kid);
  for (const each of [server, second]) {
    expect(await published(each)).not.toContain(kid);
    expect(await published(each)).toEqual(
      expect.arrayContaining(left.filter((key) => !key.retiredAt).map((key) => key.kid)),
    );
  }
  expect(await hint()).toBeNull();
  const { id_token } = await openIdTokens(server, person, client);
  const fresh = await readIdToken(server, client, id_token);
  expect(fresh.protectedHeader.kid).not.toBe(kid);
  expect(left.map((key) => key.kid)).toContain(fresh.protectedHeader.kid);
});

test('a signing key replaced long ago does not sign again when its successor is revoked', async () => {
  const made = await rotateSigningKeys(new Date(Date.now() - 20 * minute));
  const current = (await listKeys()).find((key) => made.includes(key.kid) && key.alg === 'RS256');
  await revokeKey(current?.kid ?? '', cli, new Date());
  const inUse = (await listKeys()).find((key) => key.alg === 'RS256' && key.retiredAt === null);
  const token = await sign({}, { alg: 'RS256', typ: 'JWT' }, await readRevision(), new Date());
  expect(decodeProtectedHeader(token).kid).toBe(inUse?.kid);
});

test('revoking the old signing key just after a rotation makes the new key sign immediately', async () => {
  const signer = decodeProtectedHeader(
    await sign({}, { alg: 'ES256', typ: 'JWT' }, await readRevision(), new Date()),
  ).kid;
  const made = await rotateSigningKeys(new Date());
  await revokeKey(signer ?? '', cli, new Date());
  const token = await sign({}, { alg: 'ES256', typ: 'JWT' }, await readRevision(), new Date());
  expect(made).toContain(decodeProtectedHeader(token).kid);
});

test('a JWT access token becomes inactive when its signing key is revoked; its refresh token stays valid', async () => {
  const api = await newApi({ tokenFormat: 'jwt' });
  const asked = { resource: api.identifier };
  const { client, tokens } = await signIn(server, {}, asked);
  const kid = decodeProtectedHeader(tokens.access_token).kid ?? '';
  const seen = async () => (await introspect(server, client, tokens.access_token)).active;
  expect(await seen()).toBe(true);
  await revokeKey(kid, cli, new Date());
  expect(await seen()).toBe(false);
  const next = String((await refresh(server, tokens.refresh_token)).body.access_token);
  expect(decodeProtectedHeader(next).kid).not.toBe(kid);
  expect(await introspect(server, client, next)).toMatchObject({ active: true });
});

test('revoking an unknown signing key is refused', async () => {
  await expect(revokeKey('nonsense', cli, new Date())).rejects.toThrow(
    'There is no signing key "nonsense".',
  );
});
