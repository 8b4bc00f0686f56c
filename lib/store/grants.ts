import { isWithin } from '../oauth/scope.ts';
import { newId } from '../oauth/secrets.ts';
import { type Columns, isMissingParent, readHeld, write } from './database.ts';

/**
 * A grant: the scopes a user allowed a client, and those remembered so consent isn't asked again.
 */
export type Grant = { id: string; scopes: string[]; remembered: string[] };

/** The grant of this user to this client, or null. */
export async function findGrant(userId: string, clientId: string): Promise<Grant | null> {
  const sql = 'SELECT id, scopes, remembered FROM grants WHERE user_id = $1 AND client_id = $2';
  const row = await readHeld<Columns<'grants', 'id' | 'scopes' | 'remembered'>>(sql, [
    userId,
    clientId,
  ]);
  return row
    ? { id: row.id, scopes: namesIn(row.scopes), remembered: namesIn(row.remembered) }
    : null;
}

const namesIn = (list: string) => list.split(' ').filter(Boolean);

const insertGrant = `
  INSERT INTO grants (id, user_id, client_id, scopes, remembered, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)
  ON CONFLICT (user_id, client_id) DO NOTHING RETURNING id`;
const widenGrant = `
  UPDATE grants SET scopes = $2, remembered = $3, updated_at = $4 WHERE id = $1 AND scopes = $5 AND remembered = $6 RETURNING id`;

/**
 * Adds scopes to a grant and returns its id; 'gone' if the user or the client was deleted.
 * Concurrent additions are all kept: a failed compare-and-set re-reads and retries. `held` is the
 * grant read before, or null.
 */
export async function widenGrantOf(
  userId: string,
  clientId: string,
  held: Grant | null,
  given: Pick<Grant, 'scopes' | 'remembered'>,
  now: Date,
): Promise<string | 'gone'> {
  try {
    return await widen(userId, clientId, held, given, now);
  } catch (error) {
    if (isMissingParent(error)) return 'gone';
    throw error;
  }
}

async function widen(
  userId: string,
  clientId: string,
  held: Grant | null,
  given: Pick<Grant, 'scopes' | 'remembered'>,
  now: Date,
): Promise<string> {
  for (let grant = held; ; grant = await findGrant(userId, clientId)) {
    if (!grant) {
      const values = [
        newId(now),
        userId,
        clientId,
        given.scopes.join(' '),
        given.remembered.join(' '),
        now,
      ];
      const inserted = await write<Columns<'grants', 'id'>>(insertGrant, values);
      if (inserted[0]) return inserted[0].id;
      continue;
    }
    if (isWithin(given.scopes, grant.scopes) && isWithin(given.remembered, grant.remembered))
      return grant.id;
    const wider = [union(grant.scopes, given.scopes), union(grant.remembered, given.remembered)];
    const updated = await write(widenGrant, [
      grant.id,
      ...wider,
      now,
      grant.scopes.join(' '),
      grant.remembered.join(' '),
    ]);
    if (updated[0]) return grant.id;
  }
}

const union = (one: readonly string[], other: readonly string[]) =>
  [...new Set([...one, ...other])].join(' ');
