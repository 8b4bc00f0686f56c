import { expect, test } from 'vitest';
import { addSeconds } from '#lib/oauth/token-request.ts';
import { rotateRefreshToken } from '#lib/store/authorizations.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { findClient } from '#lib/store/clients.ts';
import { database, read } from '#lib/store/engine/database.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { redeem, store } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const began = new Date();
const minutes = 60;
const signInsPerMinute = 20;
/**
 * Codes live for 30 seconds, access tokens for one minute, refresh tokens for one minute idle and
 * five minutes in all.
 */
const life = { idle: 60, absolute: 300, access: 60 };

async function sizes() {
  const count = async (table: string) =>
    Number((await read(`SELECT count(*) AS n FROM ${table}`, []))[0]?.n);
  const pages =
    database().kind === 'sqlite' ? Number((await read('PRAGMA page_count', []))[0]?.pageCount) : 0;
  return { rows: await count('authorizations'), pages };
}

onEachDatabase(() => {
  test('with steady sign-ins, refreshes and unused codes, rows and database file stop growing', async () => {
    const user = await newUser();
    const client = await newClient();
    const given = { scopes: ['profile'], remembered: ['profile'] };
    const grantId = await widenGrantOf(
      { userId: user.id, clientId: client.id },
      null,
      given,
      began,
    );
    const clientEpoch = (await findClient(client.id))?.epoch ?? 0;
    const of = { userId: user.id, clientId: client.id, grantId, clientEpoch };

    /** Signs in, and refreshes four times during the following minute. */
    const signIn = async (now: Date) => {
      const id = await store(of, now);
      await redeem(id, life, now);
      for (let counter = 0; counter < 4; counter += 1) {
        const next = { counter, scope: null, idleUntil: addSeconds(now, life.idle) };
        const whose = {
          id: client.id,
          epoch: clientEpoch,
          access: 'everybody',
          origin: 'admin',
        } as const;
        const judged = { id, client: whose, revision: null, exchanged: false };
        expect(
          await rotateRefreshToken(judged, next, addSeconds(now, counter * 10)),
        ).not.toBeNull();
      }
    };
    const seen: Awaited<ReturnType<typeof sizes>>[] = [];
    for (let minute = 0; minute < 2 * minutes; minute += 1) {
      const now = addSeconds(began, minute * 60);
      await deleteExpired(now);
      await Promise.all(Array.from({ length: signInsPerMinute }, () => signIn(now)));
      await store(of, now);
      seen.push(await sizes());
    }
    // Redeemed authorizations live for five minutes plus one; an unused code is remembered for an
    // hour.
    const [full, last] = [seen[minutes + 5], seen.at(-1)];
    expect(last?.rows).toBeLessThanOrEqual(7 * signInsPerMinute + minutes + 2);
    expect(last?.rows).toBe(full?.rows);
    expect(last?.pages).toBeLessThanOrEqual((full?.pages ?? 0) + 2);
    await deleteExpired(addSeconds(began, (2 * minutes + 70) * 60));
    expect((await sizes()).rows).toBe(0);
  });
});
