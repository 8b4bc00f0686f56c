import { isWithin } from '../oauth/scope.ts';
import { newId } from '../oauth/secrets.ts';
import { type Columns, isMissingParent, readOne, writeTogether } from './engine/database.ts';
import { readHeld } from './engine/held.ts';
import { holds, inList, wordsIn } from './engine/parameters.ts';
import type { Statement } from './engine/statement.ts';

/**
 * A grant: the scopes that a user allowed a client, and those remembered so that consent is not
 * asked for again.
 */
export type Grant = {
  id: string;
  scopes: string[];
  remembered: string[];
  /** null: it lasts until the user removes it. */
  endsAt: Date | null;
};

/** What a user allows now. */
type Given = Pick<Grant, 'scopes' | 'remembered'> & {
  /** When the grant ends from now on; if not set, its end stays as it is. */
  endsAt?: (held: Grant | null) => Date | null;
};

/** The grant of this user to this client, or null. */
export async function findGrant(userId: string, clientId: string): Promise<Grant | null> {
  const sql =
    'SELECT id, scopes, remembered, ends_at FROM grants WHERE user_id = :userId AND client_id = :clientId';
  const row = await readHeld<GrantRow>(sql, { userId, clientId });
  if (!row) return null;
  const { id, scopes, remembered, endsAt } = row;
  return { id, scopes: wordsIn(scopes), remembered: wordsIn(remembered), endsAt };
}

type GrantRow = Columns<'grants', 'id' | 'scopes' | 'remembered' | 'endsAt'>;

/** The user of a grant, and its client. */
type Whose = { userId: string; clientId: string };

const insertGrant = `
  INSERT INTO grants (id, user_id, client_id, scopes, remembered, created_at, updated_at, ends_at) VALUES (:id, :userId, :clientId, :scopes, :remembered, :now, :now, :endsAt)
  ON CONFLICT (user_id, client_id) DO NOTHING RETURNING id`;
const widenGrant = `
  UPDATE grants SET scopes = :scopes, remembered = :remembered, updated_at = :now, ends_at = CAST(:endsAt AS TIMESTAMPTZ)
  WHERE id = :id AND scopes = :hadScopes AND remembered = :hadRemembered AND ends_at IS NOT DISTINCT FROM CAST(:ended AS TIMESTAMPTZ) RETURNING id`;

/** SQL: the client `c` may ask for the scope `s` of the server, as `mayAsk` says. */
const mayAsk = `((c.scopes IS NULL AND NOT s.sensitive) OR ${holds('c.scopes', 's.name')})`;

/**
 * Gives a row if each of these words means something: a scope of the server that the client may ask
 * for, an API, or a scope of an API.
 */
const meaningAll = (clientId: string, words: readonly string[]): Statement => {
  const { params } = inList('word', words);
  const means = Object.keys(params).map(
    (
      word,
    ) => `AND (EXISTS (SELECT 1 FROM scopes s JOIN clients c ON c.id = :clientId WHERE s.name = :${word} AND ${mayAsk})
      OR EXISTS (SELECT 1 FROM apis WHERE identifier = :${word} OR substr(:${word}, 1, length(identifier) + 1) = identifier || '#'))`,
  );
  return {
    sql: `SELECT 1 AS found WHERE TRUE ${means.join(' ')}`,
    params: { ...params, clientId },
  };
};

/**
 * Locks the scopes on PostgreSQL. A scope is then deleted, or taken from the client, either before
 * a grant gets it, or afterwards, and then from the grant too.
 */
const holdingScopes = (clientId: string, words: readonly string[]): Statement[] => {
  const { marks, params } = inList('word', words);
  const sql = `SELECT s.name FROM scopes s, clients c WHERE s.name IN (${marks}) AND c.id = :clientId ORDER BY s.name FOR KEY SHARE`;
  return words.length > 0 ? [{ sql, params: { ...params, clientId } }] : [];
};

/**
 * Adds scopes to a grant and returns its id; 'gone' if the user, the client or a scope was deleted,
 * or the client may no longer ask for a scope. Concurrent additions are all kept: a failed
 * compare-and-set re-reads and retries. `held` is the grant read before, or null.
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

async function widen(
  whose: Whose,
  held: Grant | null,
  given: Given,
  now: Date,
): Promise<string | 'gone'> {
  const meaning = meaningAll(whose.clientId, given.scopes);
  for (let grant = held; ; grant = await findGrant(whose.userId, whose.clientId)) {
    const id = grant
      ? await widenFrom(whose, grant, given, now)
      : await insertOnce(whose, given, now);
    if (id !== null) return id;
    if (!(await readOne(meaning.sql, meaning.params))) return 'gone';
  }
}

/** Whether it was written: not if a scope is gone, or another request was faster. */
async function writeGiven(
  { clientId }: Whose,
  { scopes }: Given,
  statement: Statement,
): Promise<boolean> {
  const then: Statement[] = [{ ...statement, must: true }];
  const hold = holdingScopes(clientId, scopes);
  return (await writeTogether(meaningAll(clientId, scopes), then, hold)).length > 0;
}

/** Stores the first grant; null if another request did so meanwhile, or a scope is gone. */
async function insertOnce(whose: Whose, given: Given, now: Date): Promise<string | null> {
  const id = newId(now);
  const params = {
    ...whose,
    id,
    now,
    scopes: given.scopes.join(' '),
    remembered: given.remembered.join(' '),
    endsAt: given.endsAt?.(null) ?? null,
  };
  return (await writeGiven(whose, given, { sql: insertGrant, params })) ? id : null;
}

/** Adds to a grant what it lacks; null if it changed meanwhile, or a scope is gone. */
async function widenFrom(
  whose: Whose,
  grant: Grant,
  given: Given,
  now: Date,
): Promise<string | null> {
  const endsAt = given.endsAt ? given.endsAt(grant) : grant.endsAt;
  const isThere =
    endsAt?.getTime() === grant.endsAt?.getTime() &&
    isWithin(given.scopes, grant.scopes) &&
    isWithin(given.remembered, grant.remembered);
  if (isThere) return grant.id;
  const params = {
    id: grant.id,
    scopes: union(grant.scopes, given.scopes),
    remembered: union(grant.remembered, given.remembered),
    now,
    endsAt,
    hadScopes: grant.scopes.join(' '),
    hadRemembered: grant.remembered.join(' '),
    ended: grant.endsAt,
  };
  return (await writeGiven(whose, given, { sql: widenGrant, params })) ? grant.id : null;
}

const union = (one: readonly string[], other: readonly string[]) =>
  [...new Set([...one, ...other])].join(' ');
