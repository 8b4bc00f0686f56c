import { expect, test } from 'vitest';
import { digest, newId, newSecret } from '#lib/oauth/secrets.ts';
import { later } from '#lib/oauth/token-request.ts';
import { deleteExpired, forgetReplays } from '#lib/store/cleaning.ts';
import { findClient } from '#lib/store/clients.ts';
import { findCode, redeemCode, revokeTokensOfCode, storeCode } from '#lib/store/codes.ts';
import { read } from '#lib/store/database.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { takeLease } from '#lib/store/leases.ts';
import { findRefreshToken, rotateRefreshToken } from '#lib/store/tokens.ts';
import { count, flushUsage, noteUse } from '#lib/store/usage.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const now = new Date();
const year = 365 * 24 * 3600;
const rowsOf = async (table: string) =>
  Number((await read(`SELECT count(*) AS n FROM ${table}`, []))[0]?.n);

async function newCode() {
  const [user, client] = [await newUser(), await newClient()];
  const grantId = await widenGrantOf(
    user.id,
    client.id,
    null,
    { scopes: ['profile'], remembered: ['profile'] },
    now,
  );
  const hash = digest(newSecret('code'));
  const epochs = { userEpoch: 0, clientEpoch: (await findClient(client.id))?.epoch ?? 0 };
  const request = {
    consented: [],
    redirectUri: client.redirectUri,
    redirectUriSent: true,
    stateHash: null,
    codeChallenge: null,
  };
  const person = {
    userId: user.id,
    sessionHash: null,
    nonce: null,
    claims: null,
    authTime: now,
    amr: 'pwd',
  };
  const code = {
    ...request,
    ...person,
    ...epochs,
    hash,
    clientId: client.id,
    grantId,
    scope: 'profile',
    flowId: newId(now),
  };
  await storeCode({ ...code, expiresAt: later(now, 30) }, now);
  return { hash, grantId, clientId: client.id };
}

async function redeem(hash: string, seconds: { access: number; refresh: number; family: number }) {
  const { code } = await findCode(hash);
  if (!code) throw new Error('The code is gone.');
  const refresh = digest(newSecret('refreshToken'));
  const accessToken = {
    hash: digest(newSecret('accessToken')),
    expiresAt: later(now, seconds.access),
  };
  const refreshToken = { hash: refresh, expiresAt: later(now, seconds.refresh) };
  const [familyExpiresAt, keepUntil] = [
    later(now, seconds.family),
    later(now, seconds.family + seconds.access),
  ];
  await redeemCode(
    { code, familyId: newId(now), familyExpiresAt, keepUntil, accessToken, refreshToken },
    now,
  );
  return refresh;
}

onEachDatabase(() => {
  test('expired rows go, live ones stay, and a used code stays as long as its tokens may live', async () => {
    const [unused, used] = [await newCode(), await newCode()];
    const refresh = await redeem(used.hash, { access: 10, refresh: year, family: year });
    await deleteExpired(later(now, 2 * 3600));
    expect((await findCode(unused.hash)).code).toBeNull();
    expect((await findCode(used.hash)).code?.usedAt).toBeInstanceOf(Date);
    expect((await findRefreshToken(refresh)).token?.alive).toBe(true);
    expect(await rowsOf('access_tokens')).toBe(0);
    await deleteExpired(later(now, year + 3600));
    expect((await findCode(used.hash)).code).toBeNull();
    expect(await rowsOf('token_families')).toBe(0);
    expect(await rowsOf('refresh_tokens')).toBe(0);
  });

  test('an access token works until it expires, also when its family has come to its absolute end', async () => {
    const code = await newCode();
    await redeem(code.hash, { access: 500, refresh: 100, family: 100 });
    await deleteExpired(later(now, 200));
    expect(await rowsOf('access_tokens')).toBe(1);
    // And so long the return of its code is noticed, and ends it.
    expect((await findCode(code.hash)).code?.usedAt).toBeInstanceOf(Date);
    await deleteExpired(later(now, 601));
    expect([await rowsOf('access_tokens'), await rowsOf('token_families')]).toEqual([0, 0]);
    expect((await findCode(code.hash)).code).toBeNull();
  });

  test('a rotated refresh token stays as long as its family, so that its return is seen; its kept answer goes after 30 seconds', async () => {
    const code = await newCode();
    const hash = await redeem(code.hash, { access: 10, refresh: 1000, family: year });
    const { token: old } = await findRefreshToken(hash);
    if (!old) throw new Error('The token is gone.');
    const successor = { hash: digest(newSecret('refreshToken')), expiresAt: later(now, 5000) };
    const accessToken = {
      hash: digest(newSecret('accessToken')),
      scope: 'profile',
      expiresAt: later(now, 10),
    };
    expect(
      await rotateRefreshToken(
        { old, usedScope: null, replay: 'sealed', successor, accessToken },
        now,
      ),
    ).toBe('rotated');
    await forgetReplays(later(now, 29));
    expect((await findRefreshToken(hash)).token?.replay).toBe('sealed');
    await forgetReplays(later(now, 31));
    expect((await findRefreshToken(hash)).token?.replay).toBeNull();
    await deleteExpired(later(now, 900));
    expect((await findRefreshToken(hash)).token).not.toBeNull();
    await deleteExpired(later(now, 5001));
    expect((await findRefreshToken(hash)).token).not.toBeNull();
    // Never used, and worth nothing any more.
    expect((await findRefreshToken(successor.hash)).token).toBeNull();
    await deleteExpired(later(now, year + 1));
    expect((await findRefreshToken(hash)).token).toBeNull();
  });

  test('a revoked family goes a day later with all its tokens', async () => {
    const code = await newCode();
    const hash = await redeem(code.hash, { access: year, refresh: year, family: year });
    await revokeTokensOfCode(code.hash, now);
    await deleteExpired(later(now, 3600));
    expect((await findRefreshToken(hash)).token?.alive).toBe(false);
    await deleteExpired(later(now, 2 * 24 * 3600));
    expect((await findRefreshToken(hash)).token).toBeNull();
  });

  test('a recurring job is one process’s at a time, and another’s when that one is gone', async () => {
    expect(await takeLease('job', 'one', 1000, now)).toBe(true);
    expect(await takeLease('job', 'two', 1000, now)).toBe(false);
    expect(await takeLease('job', 'one', 1000, later(now, 0.5))).toBe(true);
    expect(await takeLease('job', 'two', 1000, later(now, 2))).toBe(true);
  });

  test('counts add up over flushes, and the last use of a grant is noted once in a while', async () => {
    const { grantId, clientId } = await newCode();
    for (let index = 0; index < 3; index += 1) count('refresh', clientId, now);
    noteUse('grants', grantId, now);
    await flushUsage();
    count('refresh', clientId, now);
    noteUse('grants', grantId, later(now, 60));
    await flushUsage();
    const rows = await read(
      "SELECT value FROM usage_counters WHERE client_id = $1 AND name = 'refresh'",
      [clientId],
    );
    expect(rows.map((row) => Number(row.value))).toEqual([4]);
    const [grant] = await read('SELECT last_used_at FROM grants WHERE id = $1', [grantId]);
    expect(new Date(grant?.last_used_at as string | number).getTime()).toBe(now.getTime());
  });
});
