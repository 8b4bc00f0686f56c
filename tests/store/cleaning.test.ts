import { expect, test } from 'vitest';
import { addSeconds } from '#lib/oauth/token-request.ts';
import {
  findAuthorization,
  revokeAuthorization,
  rotateRefreshToken,
} from '#lib/store/authorizations.ts';
import { deleteExpired, goesWith } from '#lib/store/cleaning.ts';
import { findClient } from '#lib/store/clients.ts';
import { database, read } from '#lib/store/engine/database.ts';
import { takeLease } from '#lib/store/engine/leases.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { count, flushUsage, touchLastUse } from '#lib/store/usage.ts';
import { redeem, store } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const now = new Date();
const year = 365 * 24 * 3600;
const rowsOf = async (table: string) =>
  Number((await read(`SELECT count(*) AS n FROM ${table}`, []))[0]?.n);

async function newCode() {
  const user = await newUser();
  const client = await newClient();
  const given = { scopes: ['profile'], remembered: ['profile'] };
  const grantId = await widenGrantOf({ userId: user.id, clientId: client.id }, null, given, now);
  const clientEpoch = (await findClient(client.id))?.epoch ?? 0;
  const id = await store({ userId: user.id, clientId: client.id, grantId, clientEpoch }, now);
  return { id, grantId, clientId: client.id };
}

const left = async (id: string) => (await findAuthorization(id)).authorization !== null;

onEachDatabase(() => {
  test('a table whose rows go with those of another one says so in the schema (ON DELETE CASCADE)', async () => {
    if (database().kind !== 'sqlite') return;
    for (const [table, other] of goesWith) {
      const keys = await read(
        `SELECT "table" AS other, on_delete FROM pragma_foreign_key_list('${table}')`,
        [],
      );
      expect(keys, table).toContainEqual({ other, onDelete: 'CASCADE' });
    }
    expect(goesWith.size).toBeGreaterThan(15);
  });

  test('an unused code is deleted after its request expires, a used one once its last token has expired', async () => {
    const unused = await newCode();
    const used = await newCode();
    await redeem(used.id, { idle: year, absolute: year, access: 3600 }, now);
    await deleteExpired(addSeconds(now, 3600));
    expect([await left(unused.id), await left(used.id)]).toEqual([true, true]);
    await deleteExpired(addSeconds(now, 3631));
    expect([await left(unused.id), await left(used.id)]).toEqual([false, true]);
    // The access token of the last refresh outlives the refresh token.
    await deleteExpired(addSeconds(now, year + 3599));
    expect(await left(used.id)).toBe(true);
    await deleteExpired(addSeconds(now, year + 3601));
    expect(await rowsOf('authorizations')).toBe(0);
  });

  test('refresh token rotation adds no rows, and reuse is detected as long as the authorization exists', async () => {
    const { id, clientId } = await newCode();
    await redeem(id, { idle: 1000, absolute: year, access: 10 }, now);
    const client = await findClient(clientId);
    if (!client) throw new Error('The client is gone.');
    const judged = { id, client, revision: null, exchanged: false };
    for (let counter = 0; counter < 5; counter += 1) {
      const next = { counter, scope: null, idleUntil: addSeconds(now, 5000) };
      expect(await rotateRefreshToken(judged, next, now)).toMatchObject({ scope: 'profile' });
    }
    expect(await rowsOf('authorizations')).toBe(1);
    await deleteExpired(addSeconds(now, year - 1));
    expect((await findAuthorization(id)).authorization).toMatchObject({ rotation: 5 });
    await deleteExpired(addSeconds(now, year + 11));
    expect(await left(id)).toBe(false);
  });

  test('a revoked authorization is deleted a day later', async () => {
    const { id } = await newCode();
    await redeem(id, { idle: year, absolute: year, access: year }, now);
    expect(await revokeAuthorization(id, now)).toBe(true);
    expect(await revokeAuthorization(id, now)).toBe(false);
    await deleteExpired(addSeconds(now, 3600));
    expect((await findAuthorization(id)).authorization?.revokedAt).toEqual(now);
    await deleteExpired(addSeconds(now, 2 * 24 * 3600));
    expect(await left(id)).toBe(false);
  });

  test('a recurring job belongs to one process at a time, and to another one when its lease ends', async () => {
    expect(await takeLease('job', 'one', 1000, now)).toBe(true);
    expect(await takeLease('job', 'two', 1000, now)).toBe(false);
    expect(await takeLease('job', 'one', 1000, addSeconds(now, 0.5))).toBe(true);
    expect(await takeLease('job', 'two', 1000, addSeconds(now, 2))).toBe(true);
  });

  test('usage counters add up over flushes, and the last use of a grant is updated only now and then', async () => {
    const { grantId, clientId } = await newCode();
    for (let index = 0; index < 3; index += 1) count('refresh', clientId, now);
    touchLastUse('grants', grantId, now);
    await flushUsage();
    count('refresh', clientId, now);
    touchLastUse('grants', grantId, addSeconds(now, 60));
    await flushUsage();
    const rows = await read(
      "SELECT value FROM usage_counters WHERE client_id = $1 AND name = 'refresh'",
      [clientId],
    );
    expect(rows.map((row) => Number(row.value))).toEqual([4]);
    const [grant] = await read('SELECT last_used_at FROM grants WHERE id = $1', [grantId]);
    expect(new Date(grant?.lastUsedAt as string | number).getTime()).toBe(now.getTime());
  });

  test('cleaning deletes usage counters 500 rows at a time, and continues later when its time is up', async () => {
    for (let app = 0; app < 1100; app += 1) count('refresh', `app-${app}`, now);
    await flushUsage();
    const counters = await rowsOf('usage_counters');
    expect(counters).toBeGreaterThan(2200);
    const later101 = addSeconds(now, 101 * 24 * 3600);
    const sizes = await sizesOfWrites(async () => {
      await deleteExpired(later101, 0);
      expect(await rowsOf('usage_counters')).toBe(counters - 500);
      await deleteExpired(later101);
    });
    expect(await rowsOf('usage_counters')).toBe(0);
    expect(Math.max(...sizes)).toBe(500);
  });
});

/** The number of rows that each writing statement of some work returned. */
async function sizesOfWrites(work: () => Promise<void>): Promise<number[]> {
  const sizes: number[] = [];
  const noted = <R extends unknown[]>(rows: R) => {
    sizes.push(rows.length);
    return rows;
  };
  const db = database();
  if (db.kind === 'sqlite') {
    const run = db.write.bind(db);
    db.write = async (...unit) => noted(await run(...unit));
  } else {
    const run = db.query.bind(db);
    db.query = async (...statement) => noted(await run(...statement));
  }
  await work();
  Reflect.deleteProperty(db, db.kind === 'sqlite' ? 'write' : 'query');
  return sizes;
}
