import { randomUUID } from 'node:crypto';
import { type Columns, read, readOne, write } from './database.ts';
import { inList } from './parameters.ts';
import type { Statement } from './statement.ts';

// A lease that expires after `:latest` can be taken over: the clock that set it was further ahead
// than servers' clocks usually differ.
const take = `
  INSERT INTO leases (name, holder, expires_at) VALUES (:name, :holder, :expiresAt)
  ON CONFLICT (name) DO UPDATE SET holder = :holder, expires_at = :expiresAt
  WHERE leases.expires_at < :now OR leases.holder = :holder OR leases.expires_at > :latest
  RETURNING name`;

/**
 * Takes or renews the lease of a job for this process; false if another process holds it. `life` is
 * in milliseconds.
 */
export async function takeLease(
  name: string,
  holder: string,
  life: number,
  now: Date,
): Promise<boolean> {
  const { sql, params } = takingLease(name, holder, life, now);
  return (await write(sql, params)).length === 1;
}

/** The statement for `takeLease`: it gives no row if another process holds the lease. */
export function takingLease(name: string, holder: string, life: number, now: Date): Statement {
  const after = (lives: number) => new Date(now.getTime() + lives * life);
  return { sql: take, params: { name, holder, now, expiresAt: after(1), latest: after(2) } };
}

/**
 * Does work that only one process may do at a time, under a lease that is renewed for as long as
 * the work takes. After it has ended, successfully or not, no process, this one included, starts it
 * for another `life`.
 * @param life milliseconds after which another process takes over from one that died
 * @param work stops when the signal says that another process holds the lease
 * @returns what the work returns, or null if another process holds the lease
 * @throws what the work throws
 */
export async function whileLeased<T>(
  name: string,
  life: number,
  now: Date,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const holder = randomUUID();
  if (!(await takeLease(name, holder, life, now))) return null;
  const lost = new AbortController();
  const began = Date.now();
  const renew = async () => {
    const at = new Date(now.getTime() + Date.now() - began);
    if (!(await takeLease(name, holder, life, at)))
      lost.abort(new Error(`Another process holds the lease of ${name} by now.`));
  };
  // If the database is away, the next renewal tries again.
  const renewing = setInterval(() => void renew().catch(() => {}), life / 3);
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(renewing);
    await renew().catch(() => {});
  }
}

/** Those of these leases that some process holds. */
export async function leasesHeld(names: readonly string[], now: Date): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const { marks, params } = inList('name', names);
  const sql = `SELECT name FROM leases WHERE name IN (${marks}) AND expires_at >= :now`;
  const rows = await read<Columns<'leases', 'name'>>(sql, { ...params, now });
  return new Set(rows.map(({ name }) => name));
}

/** When a lease of this life was last taken; null: never. */
export async function leaseTakenAt(name: string, life: number): Promise<Date | null> {
  const sql = 'SELECT expires_at FROM leases WHERE name = :name';
  const row = await readOne<Columns<'leases', 'expiresAt'>>(sql, { name });
  return row ? new Date(row.expiresAt.getTime() - life) : null;
}
