import { expect } from 'vitest';
import { inOneTransaction, read } from '#lib/store/engine/database.ts';
import { outsideTransaction } from '#lib/store/engine/transaction.ts';
import { databaseOf, type House } from './house.ts';

/** Whether something waits for a lock of PostgreSQL. */
async function isBlocked(): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await read(sql, {})).length > 0;
}

/**
 * Whether a request that was sent to a server has come to what it writes: on SQLite its reads are over when
 * others that were sent after it are answered.
 */
export const hasComeFarAt =
  ({ base, databaseUrl }: House) =>
  async (): Promise<boolean> => {
    if (databaseOf(databaseUrl) === 'postgresql') return isBlocked();
    for (let each = 0; each < 20; each += 1)
      await fetch(`${base}/oauth/me`, { headers: { Authorization: 'Bearer none' } });
    return true;
  };

/**
 * Does the first of two, and leaves it uncommitted until the second has its answer or waits for it.
 * @param waits whether the second waits
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
