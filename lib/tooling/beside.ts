import { issuerIn, presentNow } from '../store/engine/presence.ts';
import { type Connection, rowsIfThere } from './connection.ts';
import { disturbanceIn } from './disturbance.ts';
import { type InTheWay, isOfLastRelease, saidBy } from './migration-name.ts';
import { readMigration } from './migrations.ts';

/**
 * Finds the first pending migration that cannot be applied while a server of the previous version
 * serves from the same database; null if all can. A name that claims "expand" is believed only if
 * the SQL agrees.
 * @param folder with the migrations of both kinds of database
 */
export function disturbing(
  { kind }: Pick<Connection, 'kind'>,
  pending: readonly string[],
  folder: string,
  version: string,
): InTheWay | null {
  for (const name of pending) {
    const said = saidBy(name);
    const disturbance = disturbanceIn(readMigration(kind, name, folder));
    if (disturbance) return { name, why: `it ${disturbance}` };
    if (said?.does !== 'expand') return { name, why: 'it does not say that it only adds' };
    if (!isOfLastRelease(said.after, version))
      return { name, why: `it is older than the release before ${version}` };
  }
  return null;
}

/**
 * The name that a process now serving from the database gave itself; null if there is none, or no
 * tables yet.
 */
export async function whoServes(connection: Connection, now: Date): Promise<string | null> {
  return (await servers(connection, now))[0] ?? null;
}

/** A process now serving from the database for another issuer than this one; null if none is. */
export async function whoServesElse(
  connection: Connection,
  issuer: string,
  now: Date,
): Promise<string | null> {
  const names = await servers(connection, now);
  return names.find((name) => ![null, issuer].includes(issuerIn(name))) ?? null;
}

/** More servers than any installation has. */
const mostServers = 1000;

async function servers(connection: Connection, now: Date): Promise<string[]> {
  const at = connection.kind === 'sqlite' ? now.getTime() : `'${now.toISOString()}'`;
  const sql = `SELECT holder FROM leases WHERE ${presentNow} ${at} ORDER BY expires_at DESC LIMIT ${mostServers}`;
  return (await rowsIfThere(connection, sql)).map(([holder]) => String(holder));
}
