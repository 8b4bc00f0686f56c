import { type Columns, readOne, write } from './database.ts';

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
  return (
    (await write(take, { name, holder, now, expiresAt: new Date(now.getTime() + life) })).length ===
    1
  );
}

/** When a lease of this life was taken last; null: never. */
export async function leaseTakenAt(name: string, life: number): Promise<Date | null> {
  const sql = 'SELECT expires_at FROM leases WHERE name = :name';
  const row = await readOne<Columns<'leases', 'expiresAt'>>(sql, { name });
  return row ? new Date(row.expiresAt.getTime() - life) : null;
}
