import { database, inOneTransaction, read } from '#lib/store/engine/database.ts';

const waiting = `SELECT 1 AS found FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/**
 * Runs `other` while the transaction of `open` is open. The transaction is committed as soon as
 * `other` waits for it or is done. Returns both results, that of `open` first.
 * @param look looks at the state just before the commit
 */
export async function beside<A, B>(
  open: () => Promise<A>,
  other: () => Promise<B>,
  look: () => Promise<void> = async () => {},
): Promise<[A, B]> {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  const opened = inOneTransaction(async () => {
    const value = await open();
    reach();
    await gate;
    return { keep: true, value };
  });
  await Promise.race([reached, opened]);
  let isDone = false;
  const done = other().finally(() => {
    isDone = true;
  });
  try {
    // On SQLite, `other` waits for the single writer.
    if (database().kind === 'postgresql') while (!isDone && (await read(waiting, {})).length === 0);
    await look();
  } finally {
    letGo();
  }
  return Promise.all([opened, done]);
}
