import { markOf } from '../marks/mark.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type Columns, read, writeTogether } from './engine/database.ts';
import { raising } from './engine/revision.ts';

export type Logo = Columns<'client_logos', 'type' | 'bytes'>;

/** Replaces a client's logo. False if the client doesn't exist. */
export async function storeLogo(
  clientId: string,
  logo: Logo & { hash: string },
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const named = {
    sql: 'UPDATE clients SET logo = :hash WHERE id = :clientId RETURNING id',
    params: { clientId, hash: logo.hash },
  };
  const stored = {
    sql: `INSERT INTO client_logos (client_id, hash, type, bytes) VALUES (:clientId, :hash, :type, :bytes)
      ON CONFLICT (client_id) DO UPDATE SET hash = :hash, type = :type, bytes = :bytes`,
    params: { clientId, hash: logo.hash, type: logo.type, bytes: logo.bytes },
  };
  return (await writeTogether(named, [stored, raising(), auditing(event, now)])).length > 0;
}

/** Removes a client's logo. False if it has none. */
export async function removeLogo(clientId: string, event: AuditEntry, now: Date): Promise<boolean> {
  const unnamed = {
    sql: 'UPDATE clients SET logo = NULL WHERE id = :clientId AND logo IS NOT NULL RETURNING id',
    params: { clientId },
  };
  const gone = {
    sql: 'DELETE FROM client_logos WHERE client_id = :clientId',
    params: { clientId },
  };
  return (await writeTogether(unnamed, [gone, raising(), auditing(event, now)])).length > 0;
}

/** A client's logo, if it still has this hash. */
export async function findLogo(clientId: string, hash: string): Promise<Logo | null> {
  const [row] = await read<Logo>(
    'SELECT type, bytes FROM client_logos WHERE client_id = :clientId AND hash = :hash',
    { clientId, hash },
  );
  return row ?? null;
}

/** The hashes of all logos, by client id; this server's own under a slash and their number. */
export async function readLogoHashes(): Promise<ReadonlyMap<string, string>> {
  const rows = await read<Columns<'client_logos', 'clientId' | 'hash'>>(
    "SELECT client_id, hash FROM client_logos UNION ALL SELECT '/' || CAST(id AS TEXT), hash FROM brand_logo",
    {},
  );
  return new Map(rows.map(({ clientId, hash }) => [clientId, hash]));
}

type Pictured = Columns<'clients', 'id' | 'origin' | 'recipe' | 'logo'>;

/**
 * The address of a client's picture: its logo, or else the mark of the program that it is. The
 * address of a logo changes with the content, so browsers may cache it for ever.
 */
export function pictureOf(client: Pictured): string | undefined {
  const { id, logo } = client;
  return logo ? `/logos/${encodeURIComponent(id)}/${logo}` : markOf(client);
}
