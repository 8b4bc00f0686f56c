import pg from 'pg';
import { expect, test } from 'vitest';
import { keyInUse, tokenKeysAt } from '#lib/identity/token-keys.ts';
import { findAccessToken } from '#lib/identity/tokens.ts';
import { makeToken } from '#lib/oauth/tokens.ts';
import { revokeAuthorization, rotateRefreshToken } from '#lib/store/authorizations.ts';
import { findClient } from '#lib/store/clients.ts';
import { read } from '#lib/store/engine/database.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { redeem, store } from '../support/authorizations.ts';
import { onDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const now = new Date();
const live = { idle: 3600, absolute: 3600, access: 3600 };

/** Runs every step of an authorization, so that their statements are prepared. */
async function takeAllSteps(): Promise<void> {
  const user = await newUser();
  const { id: clientId } = await newClient();
  const client = await findClient(clientId);
  if (!client) throw new Error('The client is gone.');
  const given = { scopes: ['profile'], remembered: ['profile'] };
  const grantId = await widenGrantOf({ userId: user.id, clientId }, null, given, now);
  const id = await store({ userId: user.id, clientId, grantId, clientEpoch: client.epoch }, now);
  await redeem(id, live, now);
  const judged = { id, client, revision: await readRevision(), exchanged: false };
  const idleUntil = new Date(now.getTime() + 60_000);
  expect(
    await rotateRefreshToken(judged, { counter: 0, scope: null, idleUntil }, now),
  ).toBeTruthy();
  const expiresAt = idleUntil;
  const said = { id, counter: 1, expiresAt, life: 60, detail: '', jkt: null } as const;
  const key = keyInUse(await tokenKeysAt(await readRevision()), now);
  const text = makeToken({ ...said, kind: 'accessToken' }, key);
  expect((await findAccessToken(text, now)).token?.user?.id).toBe(user.id);
  await revokeAuthorization(id, now);
  expect((await findAccessToken(text, now)).token).toBeNull();
}

onDatabase('postgresql', () => {
  /*
   * For a table without statistics, PostgreSQL considers every matching index as good as the
   * primary key. It would then read through all authorizations of an app, or all that are in no
   * exchange, for each request until the table is analysed. For several tokens at once it would read
   * the whole table.
   */
  test('before PostgreSQL has statistics of the table, an authorization is found by its primary key', async () => {
    await takeAllSteps();
    const prepared = await read<{ statement: string }>(
      'SELECT statement FROM pg_prepared_statements',
      [],
    );
    const steps = prepared
      .map(({ statement }) => statement)
      .filter((sql) => /\bauthorizations\b/.test(sql) && /\bid = (?:\$|t\.id)/.test(sql));
    expect(steps.length).toBeGreaterThan(4);
    expect(steps.filter((sql) => sql.includes('unnest'))).toHaveLength(1);
    const client = new pg.Client(process.env.DATABASE_URL);
    await client.connect();
    try {
      for (const sql of steps) {
        const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN) ${sql}`);
        const used =
          JSON.stringify(rows).match(/authorizations_\w+|Seq Scan on authorizations a\b/g) ?? [];
        expect([sql, used.filter((index) => index !== 'authorizations_pkey')]).toEqual([sql, []]);
      }
    } finally {
      await client.end();
    }
  });
});
