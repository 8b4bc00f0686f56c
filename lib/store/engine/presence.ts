import { hostname } from 'node:os';
import { read, write } from './database.ts';
import { takeLease } from './leases.ts';

/**
 * Each process that serves keeps a lease of this life, in milliseconds, on its database. So anyone
 * about to replace the contents learns that the database is in use, even from another machine. A
 * process that was killed is forgotten when its lease expires.
 */
const life = 45_000;
const prefix = 'server:';
/** The lease that all servers of one database hold together, by their issuer. */
const issuerLease = 'issuer';

/**
 * Claims a database for the servers of an issuer. Of two that start at once for different ones,
 * one gets it.
 * @returns null, or the issuer that has claimed it
 */
export async function claimIssuer(issuer: string, now: Date): Promise<string | null> {
  if (await takeLease(issuerLease, issuer, life, now)) return null;
  const sql = 'SELECT holder FROM leases WHERE name = :name';
  const [held] = await read<{ holder: string }>(sql, { name: issuerLease });
  return held && held.holder !== issuer ? held.holder : null;
}

/**
 * Records that this process serves from this database; to be repeated well within `life`.
 * @param issuer the address that it serves for, or null
 */
export async function showPresence(id: string, issuer: string | null, now: Date): Promise<void> {
  const holder = `process ${process.pid} of ${hostname()}${issuer === null ? '' : ` for ${issuer}`}`;
  await takeLease(prefix + id, holder, life, now);
  if (issuer !== null) await takeLease(issuerLease, issuer, life, now);
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

/** Records that this process no longer serves. The last one for an issuer gives the database back. */
export async function endPresence(id: string, now: Date): Promise<void> {
  await write('DELETE FROM leases WHERE name = :name', { name: prefix + id });
  const sql = `DELETE FROM leases WHERE name = :issuerLease
    AND NOT EXISTS (SELECT 1 FROM leases s WHERE s.name LIKE :names AND s.expires_at > :now
      AND s.holder LIKE '% for ' || leases.holder)`;
  await write(sql, { issuerLease, names: `${prefix}%`, now });
}

/** A condition on leases that selects the processes serving now. */
export const presentNow = `name LIKE '${prefix}%' AND expires_at >`;
