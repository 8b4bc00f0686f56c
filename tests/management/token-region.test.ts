import { expect, test } from 'vitest';
import {
  ensureTokenKeys,
  keyInUse,
  rotateTokenKey,
  sealedTokenKey,
  tokenKeysAt,
} from '#lib/identity/token-keys.ts';
import { openToken } from '#lib/identity/tokens.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { makeToken, tokenKey } from '#lib/oauth/tokens.ts';
import { write } from '#lib/store/engine/database.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { storeTokenKey } from '#lib/store/token-keys.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { setEnvironment } from '../support/work-on.ts';

const now = new Date();
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

const said = () => ({
  kind: 'refreshToken' as const,
  id: newId(now),
  counter: 0,
  expiresAt: now,
  life: 0,
  detail: '',
  jkt: null,
});
/** A token of a server that was configured with this region and started this many minutes ago. */
async function made(region: number, minutes: number): Promise<string> {
  setEnvironment({ REGION: String(region) });
  await ensureTokenKeys(minutesAgo(minutes));
  return makeToken(said(), keyInUse(await tokenKeysAt(await readRevision()), now));
}
/** The region, as a proxy reads it without any key. */
const regionIn = (token: string) => Buffer.from(token.slice('gh_rt_'.length), 'base64url')[0];
const opens = async (token: string) => (await openToken(token, 'refreshToken')) !== null;

onEachDatabase(() => {
  test('a token begins with the REGION of its server, and tokens from before a change of REGION still work', async () => {
    const tokens = [await made(0, 9), await made(5, 7), await made(255, 5), await made(3, 3)];
    expect(tokens.map(regionIn)).toEqual([0, 5, 255, 3]);
    expect(await Promise.all(tokens.map(opens))).toEqual([true, true, true, true]);
    // The key stays the same when it is looked at again.
    expect(regionIn(await made(3, 2))).toBe(3);
    setEnvironment({ REGION: '0' });
  });

  test('after the last token key id of a region, the first free one is used', async () => {
    setEnvironment({ REGION: '9' });
    const row = { sealed: await sealedTokenKey.seal('AAAA'), createdAt: minutesAgo(1) };
    await storeTokenKey({ id: 9 * 256 + 255, ...row });
    await storeTokenKey({ id: 9 * 256, ...row });
    await write('UPDATE token_keys SET retired_at = NULL WHERE id = $1', [9 * 256 + 255]);
    await write('UPDATE token_keys SET retired_at = $1 WHERE id = $2', [now, 9 * 256]);
    expect(await rotateTokenKey(now)).toBe(9 * 256 + 1);
  });

  test('a token of an unknown region is refused', async () => {
    await made(0, 2);
    const elsewhere = tokenKey(7 * 256 + 1, new Uint8Array(32));
    expect(await opens(makeToken(said(), elsewhere))).toBe(false);
  });
});
