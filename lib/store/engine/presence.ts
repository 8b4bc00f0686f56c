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

/**
 * Records that this process serves from this database; to be repeated well within `life`.
 * @param issuer the address that it serves for, or null
 */
export async function showPresence(id: string, issuer: string | null, now: Date): Promise<void> {
  const holder = `process ${process.pid} of ${hostname()}${issuer === null ? '' : ` for ${issuer}`}`;
  await takeLease(prefix + id, holder, life, now);
  await write('DELETE FROM leases WHERE name LIKE :names AND expires_at < :before', {
    names: `${prefix}%`,
    before: new Date(now.getTime() - life),
  });
}

/**
 * The issuer that a process named with its presence; null if it named none, as servers without
 * ISSUER and those of older releases.
 */
export const issuerIn = (holder: string): string | null =>
  / for (https?:\/\/\S+)$/.exec(holder)?.[1] ?? null;

/** Records that this process no longer serves. */
export async function endPresence(id: string): Promise<void> {
  await write('DELETE FROM leases WHERE name = :name', { name: prefix + id });
}

/** A condition on leases that selects the processes serving now. */
export const presentNow = `name LIKE '${prefix}%' AND expires_at >`;
