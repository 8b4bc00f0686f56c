import { hot, read } from './engine/database.ts';

/**
 * Lets those who change one thing by the version that they have seen come one after the other, on every
 * server: until the transaction ends that this is called in. SQLite has one writer anyway.
 */
export async function lockChangesOf(thing: string): Promise<void> {
  if (hot().kind === 'sqlite') return;
  const sql = 'SELECT pg_advisory_xact_lock(721149, hashtext(CAST(:thing AS TEXT))) AS held';
  await read(sql, { thing });
}
