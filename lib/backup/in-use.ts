import { existsSync } from 'node:fs';
import { presentNow } from '../store/engine/presence.ts';
import { BackupError } from './envelope.ts';
import { onSide } from './open-side.ts';

/**
 * Refuses to work on a database from which a server is serving.
 * @param cost a sentence on what it would cost to continue anyway
 * @throws BackupError
 */
export async function refuseInUse(databaseUrl: string, cost: string, now: Date): Promise<void> {
  const server = await serverOn(databaseUrl, now);
  if (server === null) return;
  throw new BackupError(
    `A server runs on this database: ${server}. Stop it first; one that was killed is forgotten within a minute. To go on all the same: --beside-server. ${cost}`,
  );
}

/** The process that serves from a database, or null. */
async function serverOn(databaseUrl: string, now: Date): Promise<string | null> {
  if (databaseUrl.startsWith('file:') && !existsSync(databaseUrl.slice('file:'.length)))
    return null;
  return onSide(databaseUrl, 'read', async (side) => {
    if (side.migration === null) return null;
    const at = side.kind === 'sqlite' ? now.getTime() : `'${now.toISOString()}'`;
    return side.text(
      `SELECT holder FROM leases WHERE ${presentNow} ${at} ORDER BY expires_at DESC LIMIT 1`,
    );
  });
}
