import { isWithin } from '../oauth/scope.ts';
import { newId } from '../oauth/secrets.ts';
import { type Columns, isMissingParent, readHeld, write } from './engine/database.ts';

/**
 * A grant: the scopes a user allowed a client, and those remembered so consent isn't asked again.
 */
export type Grant = {
  id: string;
  scopes: string[];
  remembered: string[];
  /** null: when the user removes it. */
  endsAt: Date | null;
};

/** What a user gives now. */
export type Given = Pick<Grant, 'scopes' | 'remembered'> & {
  /** When the grant ends from now on; what it says stays where nobody decided. */
  endsAt?: (held: Grant | null) => Date | null;
};

/** The grant of this user to this client, or null. */
export async function findGrant(userId: string, clientId: string): Promise<Grant | null> {
  const sql =
    'SELECT id, scopes, remembered, ends_at FROM grants WHERE user_id = :userId AND client_id = :clientId';
  const row = await readHeld<GrantRow>(sql, { userId, clientId });
  if (!row) return null;
  const { id, scopes, remembered, endsAt } = row;
  return { id, scopes: namesIn(scopes), remembered: namesIn(remembered), endsAt };
}

type GrantRow = Columns<'grants', 'id' | 'scopes' | 'remembered' | 'endsAt'>;

const namesIn = (list: string) => list.split(' ').filter(Boolean);

/** Of which user, and to which client. */
type Whose = { userId: string; clientId: string };

const insertGrant = `
  INSERT INTO grants (id, user_id, client_id, scopes, remembered, created_at, updated_at, ends_at) VALUES (:id, :userId, :clientId, :scopes, :remembered, :now, :now, :endsAt)
  ON CONFLICT (user_id, client_id) DO NOTHING RETURNING id`;
const widenGrant = `
  UPDATE grants SET scopes = :scopes, remembered = :remembered, updated_at = :now, ends_at = CAST(:endsAt AS TIMESTAMPTZ)
  WHERE id = :id AND scopes = :hadScopes AND remembered = :hadRemembered AND ends_at IS NOT DISTINCT FROM CAST(:ended AS TIMESTAMPTZ) RETURNING id`;

/**
 * Adds scopes to a grant and returns its id; 'gone' if the user or the client was deleted.
 * Concurrent additions are all kept: a failed compare-and-set re-reads and retries. `held` is the
 * grant read before, or null.
 */
export async function widenGrantOf(
  whose: Whose,
  held: Grant | null,
  given: Given,
  now: Date,
): Promise<string | 'gone'> {
  try {
    return await widen(whose, held, given, now);
  } catch (error) {
    if (isMissingParent(error)) return 'gone';
    throw error;
  }
}

async function widen(whose: Whose, held: Grant | null, given: Given, now: Date): Promise<string> {
  for (let grant = held; ; grant = await findGrant(whose.userId, whose.clientId)) {
    const id = grant ? await widenFrom(grant, given, now) : await insertOnce(whose, given, now);
    if (id !== null) return id;
  }
}

/** Stores the first grant; null if somebody else did meanwhile. */
async function insertOnce(whose: Whose, given: Given, now: Date): Promise<string | null> {
  const [inserted] = await write<Columns<'grants', 'id'>>(insertGrant, {
    ...whose,
    id: newId(now),
    scopes: given.scopes.join(' '),
    remembered: given.remembered.join(' '),
    now,
    endsAt: given.endsAt?.(null) ?? null,
  });
  return inserted?.id ?? null;
}

/** Adds to a grant what it has not; null if it changed meanwhile. */
async function widenFrom(grant: Grant, given: Given, now: Date): Promise<string | null> {
  const endsAt = given.endsAt ? given.endsAt(grant) : grant.endsAt;
  const isThere =
    endsAt?.getTime() === grant.endsAt?.getTime() &&
    isWithin(given.scopes, grant.scopes) &&
    isWithin(given.remembered, grant.remembered);
  if (isThere) return grant.id;
  const updated = await write(widenGrant, {
    id: grant.id,
    scopes: union(grant.scopes, given.scopes),
    remembered: union(grant.remembered, given.remembered),
    now,
    endsAt,
    hadScopes: grant.scopes.join(' '),
    hadRemembered: grant.remembered.join(' '),
    ended: grant.endsAt,
  });
  return updated[0] ? grant.id : null;
}

const union = (one: readonly string[], other: readonly string[]) =>
  [...new Set([...one, ...other])].join(' ');
