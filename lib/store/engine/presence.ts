import { hostname } from 'node:os';
import { write } from './database.ts';
import { takeLease } from './leases.ts';

/**
 * Each process that serves keeps a lease of this life, in milliseconds, on its database: whoever
 * wants to replace what is in it learns that it is in use, also from another machine. One that was
 * killed is forgotten when its lease has ended.
 */
const life = 45_000;
const prefix = 'server:';

/** Says that this process serves from this database; to be repeated well within its life. */
export async function showPresence(id: string, now: Date): Promise<void> {
  await takeLease(prefix + id, `process ${process.pid} of ${hostname()}`, life, now);
  await write('DELETE FROM leases WHERE name LIKE :names AND expires_at < :before', {
    names: `${prefix}%`,
    before: new Date(now.getTime() - life),
  });
}

/** Says that it does no more. */
export async function endPresence(id: string): Promise<void> {
  await write('DELETE FROM leases WHERE name = :name', { name: prefix + id });
}

/** A condition on leases: those of processes that serve now. */
export const presentNow = `name LIKE '${prefix}%' AND expires_at >`;
