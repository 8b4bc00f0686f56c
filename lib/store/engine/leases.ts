import { type Columns, readOne, write } from './database.ts';

// No lease lasts beyond $4: a longer one was taken by a clock that was ahead.
const take = `
  INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, $4)
  ON CONFLICT (name) DO UPDATE SET holder = $2, expires_at = $4 
  WHERE leases.expires_at < $3 OR leases.holder = $2 OR leases.expires_at > $4
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
  return (await write(take, [name, holder, now, new Date(now.getTime() + life)])).length === 1;
}

/** When a lease of this life was taken last; null: never. */
export async function leaseTakenAt(name: string, life: number): Promise<Date | null> {
  const sql = 'SELECT expires_at FROM leases WHERE name = $1';
  const row = await readOne<Columns<'leases', 'expiresAt'>>(sql, [name]);
  return row ? new Date(row.expiresAt.getTime() - life) : null;
}
