import { presentNow } from '../store/engine/presence.ts';
import { type Connection, rowsIfThere } from './connection.ts';
import { disturbanceIn } from './disturbance.ts';
import { type InTheWay, isOfLastRelease, saidBy } from './migration-name.ts';
import { readMigration } from './migrations.ts';

/**
 * Which of the pending migrations cannot be applied while a server of the version before serves from
 * the same database; null: all can. What a name says is believed only if its SQL agrees.
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

/** A process that serves from a database now, as it names itself; null: none, or there are no tables yet. */
export async function whoServes(connection: Connection, now: Date): Promise<string | null> {
  const at = connection.kind === 'sqlite' ? now.getTime() : `'${now.toISOString()}'`;
  const sql = `SELECT holder FROM leases WHERE ${presentNow} ${at} ORDER BY expires_at DESC LIMIT 1`;
  const [row] = await rowsIfThere(connection, sql);
  return row ? String(row[0]) : null;
}
