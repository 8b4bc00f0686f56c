import { hostname } from 'node:os';
import { write } from './database.ts';
import { takeLease } from './leases.ts';

/**
 * Each process that serves keeps a lease of this life, in milliseconds, on its database. So anyone
 * about to replace the contents learns that the database is in use, even from another machine. A
 * process that was killed is forgotten when its lease expires.
 */
const life = 45_000;
const prefix = 'server:';

/** Records that this process serves from this database; to be repeated well within `life`. */
export async function showPresence(id: string, now: Date): Promise<void> {
  await takeLease(prefix + id, `process ${process.pid} of ${hostname()}`, life, now);
  await write('DELETE FROM leases WHERE name LIKE :names AND expires_at < :before', {
    names: `${prefix}%`,
    before: new Date(now.getTime() - life),
  });
}

/** Records that this process no longer serves. */
export async function endPresence(id: string): Promise<void> {
  await write('DELETE FROM leases WHERE name = :name', { name: prefix + id });
}

/** A condition on leases that selects the processes serving now. */
export const presentNow = `name LIKE '${prefix}%' AND expires_at >`;
