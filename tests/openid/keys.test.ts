import { decodeProtectedHeader } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import {
  publicKeySet,
  publishedBeforeSigning,
  readIdTokenHint,
  rotateSigningKeys,
  sign,
} from '#lib/identity/signing.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { startsEmpty } from '../support/database.ts';
import { openServer } from '../support/open-server.ts';
import { prisma } from '../support/prisma.ts';
import { openIdTokens, readIdToken, type SignedIn, signIn } from './sign-in.ts';

const server = await openServer({});
const day = 24 * 3600_000;
/** Rotations some minutes ago, so that the server already signs with the new keys. */
const [rotated, rotatedAgain] = [Date.now() - 20 * 60_000, Date.now() - 15 * 60_000];
type Key = Record<string, string>;
const published = async () =>
  ((await (await fetch(`${server.base}/oauth/jwks`)).json()) as { keys: Key[] }).keys;

test.runIf(startsEmpty)(
  'the key set shows one key per algorithm, without private members, to scripts of any origin',
  async () => {
    const keys = await published();
    expect(keys.map((key) => key.alg).sort()).toEqual(['ES256', 'RS256']);
    for (const key of keys) {
      expect(key).toMatchObject({ use: 'sig', kid: expect.any(String) });
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])
        expect(key).not.toHaveProperty(secret);
    }
    const { headers } = await fetch(`${server.base}/oauth/jwks`);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
  },
);

let before: SignedIn;
let oldKid: string | undefined;

beforeAll(async () => {
  before = await signIn(server);
  oldKid = (await readIdToken(server, before.client, before.tokens.id_token)).protectedHeader.kid;
});

test('after a key rotation new ID tokens are signed by the new key, and old ones can still be verified', async () => {
  const made = await rotateSigningKeys(new Date(rotated));
  expect(made).toHaveLength(2);
  const { person, client, tokens } = before;
  const fresh = await readIdToken(
    server,
    client,
    (await openIdTokens(server, person, client)).id_token,
  );
  expect(made).toContain(fresh.protectedHeader.kid);
  expect((await readIdToken(server, client, tokens.id_token)).protectedHeader.kid).toBe(oldKid);
  expect((await published()).map((key) => key.kid)).toEqual(
    expect.arrayContaining([oldKid, ...made]),
  );
});

test('a retired signing key is published while its tokens may be valid, and verifies id_token_hint for longer', async () => {
  const revision = await readRevision();
  const kids = async (at: number) =>
    (await publicKeySet(revision, new Date(at))).keys.map((key) => key.kid);
  expect(await kids(rotated + day + 59 * 60_000)).toContain(oldKid);
  expect(await kids(rotated + day + 61 * 60_000)).not.toContain(oldKid);
  const hint = await readIdTokenHint(
    before.tokens.id_token,
    revision,
    new Date(Date.now() + 30 * day),
  );
  expect(hint).toMatchObject({ sub: before.user.id, aud: before.client.id });
});

test('two key rotations at the same time leave one key in use per algorithm', async () => {
  const at = new Date(rotatedAgain);
  const made = (await Promise.all([rotateSigningKeys(at), rotateSigningKeys(at)])).flat();
  const inUse = await (await prisma()).signingKey.findMany({ where: { retiredAt: null } });
  expect(inUse.map((key) => key.alg).sort()).toEqual(['ES256', 'RS256']);
  for (const { kid } of inUse) expect(made).toContain(kid);
  const { person, client } = before;
  const current = await readIdToken(
    server,
    client,
    (await openIdTokens(server, person, client)).id_token,
  );
  expect(inUse.map((key) => key.kid)).toContain(current.protectedHeader.kid);
});

test('a new signing key is published first, and signs once no cached key set can lack it', async () => {
  const rotatedAt = Date.now() + day;
  const made = await rotateSigningKeys(new Date(rotatedAt));
  const revision = await readRevision();
  const kidAt = async (ms: number) =>
    decodeProtectedHeader(
      await sign({}, { alg: 'RS256', typ: 'JWT' }, revision, new Date(rotatedAt + ms)),
    ).kid ?? '';
  expect((await publicKeySet(revision, new Date(rotatedAt))).keys.map((key) => key.kid)).toEqual(
    expect.arrayContaining(made),
  );
  expect(made).not.toContain(await kidAt(0));
  expect(made).not.toContain(await kidAt(300_000));
  expect(made).toContain(await kidAt(publishedBeforeSigning));
  expect(publishedBeforeSigning).toBeGreaterThan(300_000);
});
