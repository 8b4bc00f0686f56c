import { expect } from 'vitest';
import { inOneTransaction, read } from '#lib/store/engine/database.ts';
import { outsideTransaction } from '#lib/store/engine/transaction.ts';
import { databaseOf, type TestServer } from './open-server.ts';

/** Whether something is waiting for a PostgreSQL lock. */
async function isBlocked(): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await read(sql, {})).length > 0;
}

/**
 * Whether a request sent to a server has reached its writes. On SQLite, its reads are over once
 * other requests that were sent later have been answered.
 */
export const hasComeFarAt =
  ({ base, databaseUrl }: TestServer) =>
  async (): Promise<boolean> => {
    if (databaseOf(databaseUrl) === 'postgresql') return isBlocked();
    for (let each = 0; each < 20; each += 1)
      await fetch(`${base}/oauth/me`, { headers: { Authorization: 'Bearer none' } });
    return true;
  };

/**
 * Does `first`, and leaves it uncommitted until `second` has its answer or waits.
 * @param waits whether the second one is waiting
 */
export async function overtaken<Answer>(
  first: () => Promise<unknown>,
  second: () => Promise<Answer>,
  waits: () => Promise<boolean> = isBlocked,
): Promise<{ answer: Answer; waited: boolean }> {
  let [isOver, waited] = [false, false];
  const over = () => {
    isOver = true;
  };
  let answer: Promise<Answer> | null = null;
  await inOneTransaction(async () => {
    await first();
    answer = outsideTransaction(second);
    answer.then(over, over);
    const isThere = async () => isOver || (await outsideTransaction(waits));
    await expect.poll(isThere, { timeout: 30_000 }).toBe(true);
    waited = !isOver;
    return { keep: true, value: null };
  });
  if (!answer) throw new Error('It was begun.');
  return { answer: await answer, waited };
}
