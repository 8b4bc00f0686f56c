import { type Columns, read, readOne, write } from './database.ts';
import { inList } from './parameters.ts';
import type { Statement } from './statement.ts';

// No lease lasts beyond `:expiresAt`: a longer one was taken by a clock that was ahead.
const take = `
  INSERT INTO leases (name, holder, expires_at) VALUES (:name, :holder, :expiresAt)
  ON CONFLICT (name) DO UPDATE SET holder = :holder, expires_at = :expiresAt
  WHERE leases.expires_at < :now OR leases.holder = :holder OR leases.expires_at > :expiresAt
  RETURNING name`;

/**
 * Takes or renews the lease of a job for this process; false if another process holds it. `life` in
 * milliseconds.
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

/** The statement that does so: it gives no row where another process holds it. */
export function takingLease(name: string, holder: string, life: number, now: Date): Statement {
  return { sql: take, params: { name, holder, now, expiresAt: new Date(now.getTime() + life) } };
}

/** Those of these leases that somebody holds. */
export async function leasesHeld(names: readonly string[], now: Date): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const { marks, params } = inList('name', names);
  const sql = `SELECT name FROM leases WHERE name IN (${marks}) AND expires_at >= :now`;
  const rows = await read<Columns<'leases', 'name'>>(sql, { ...params, now });
  return new Set(rows.map(({ name }) => name));
}

/** When a lease of this life was taken last; null: never. */
export async function leaseTakenAt(name: string, life: number): Promise<Date | null> {
  const sql = 'SELECT expires_at FROM leases WHERE name = :name';
  const row = await readOne<Columns<'leases', 'expiresAt'>>(sql, { name });
  return row ? new Date(row.expiresAt.getTime() - life) : null;
}
