import { pendingRequestLife } from '../oauth/authorization-request.ts';
import { claimsByScope } from '../oauth/claims.ts';
import { hasGrantEnded } from '../oauth/consent-period.ts';
import { addSeconds } from '../oauth/token-request.ts';
import { endingAppPasswords } from './app-passwords.ts';
import { type Columns, locking, read, write, writeTogether } from './engine/database.ts';
import { holds } from './engine/parameters.ts';
import type { SqlValue, Statement } from './engine/statement.ts';
import { findGrant, type Grant } from './grants.ts';
import { queuingLogouts } from './session-endings.ts';

/** The prefix of an answered request's id in spent_values. */
export const answeredPrefix = 'flow:';

/**
 * SQL: an authorization carries a scope of the server, or individual claims of the scope. @param
 * mark the parameter that contains its name
 */
export function carries(scope: string, mark: string): string {
  const claims = claimsByScope[scope as keyof typeof claimsByScope] ?? [];
  const asked = claims.map((claim) => `claims LIKE '%"${claim}"%'`);
  return `(${[holds('scope', mark), ...asked].join(' OR ')})`;
}

/** SQL: the grant `g` contains `count` words, which are the parameters of `consentedParams`. */
export const holdsConsented = (count: number): string =>
  Array.from({ length: count }, (_, at) => `AND ${holds('g.scopes', `:consented${at}`)}`).join(' ');

/** The words that a grant has to contain, as parameters. */
export const consentedParams = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(words.map((word, at) => [`consented${at}`, word]));

/** A client may have very many grants; small batches keep the database responsive. */
const batch = 200;

/**
 * Revokes a user's grant to a client (or to all clients, or everyone's to one client): remembered
 * consent and every authorization of a grant end in one step, and their app passwords before. Their requests stay marked as
 * answered, and apps that a user is signed in to in a session are notified that this has ended.
 * Returns the number of grants.
 */
export async function revokeGrants(
  of: { userId?: string; clientId?: string },
  now: Date,
): Promise<number> {
  const { userId = null, clientId = null } = of;
  const conditions = [userId && 'g.user_id = :userId', clientId && 'g.client_id = :clientId'];
  const where = conditions.filter(Boolean).join(' AND ');
  if (!where) throw new Error('Whose grants?');
  const params = { userId, clientId };
  const passwords = endingAppPasswords(of);
  await write(passwords.sql, passwords.params);
  for (let total = 0; ; ) {
    const ids = await read<Columns<'grants', 'id'>>(
      `SELECT g.id FROM grants g WHERE ${where} ORDER BY g.id LIMIT ${batch}`,
      params,
    );
    const last = ids.at(-1)?.id;
    if (last === undefined) {
      // The user was not asked about grants that exist only through this one, so they end with it.
      if (total > 0 && userId && clientId) await endGrants(onlyThrough, { userId, clientId }, now);
      return total;
    }
    const which = `${where} AND g.id <= :last`;
    const of = { ...params, last };
    total += await endGrants(which, of, now, [queuingLogouts(which, of)]);
  }
}

/**
 * SQL: grants of a user that exist only because tokens of this client were exchanged (RFC 8693).
 */
const onlyThrough = `g.user_id = :userId AND g.client_id <> :clientId AND g.remembered = ''
  AND EXISTS (SELECT 1 FROM authorizations d WHERE d.grant_id = g.id)
  AND NOT EXISTS (SELECT 1 FROM authorizations d WHERE d.grant_id = g.id AND NOT (${holds('d.lineage', ':clientId')}))`;

type Named = Readonly<Record<string, SqlValue>>;

async function endGrants(
  which: string,
  params: Named,
  now: Date,
  before: readonly Statement[] = [],
): Promise<number> {
  const then = [...before, ...endingGrants(which, params, now)];
  return (await writeTogether(holdingGrants(which, params), then)).length;
}

/**
 * Gives these grants `g`. On PostgreSQL the lock waits for codes that are being stored; later ones
 * find no grant.
 */
function holdingGrants(which: string, params: Named): Statement {
  return {
    sql: `SELECT g.id FROM grants g WHERE ${which} ORDER BY g.id ${locking('FOR UPDATE')}`,
    params,
  };
}

/** The statements that revoke all grants of a user and end their app passwords, as `revokeGrants`, for the same transaction as the reason. */
export function revokingGrantsOf(userId: string, now: Date): Statement[] {
  const which = 'g.user_id = :userId';
  const params = { userId };
  const hear = queuingLogouts(which, params);
  const passwords = endingAppPasswords({ userId });
  return [holdingGrants(which, params), hear, passwords, ...endingGrants(which, params, now)];
}

/** The statements that delete these grants `g`, and keep their requests marked as answered. */
export function endingGrants(which: string, params: Named, now: Date): Statement[] {
  const flows = {
    sql: `INSERT INTO spent_values (hash, expires_at) SELECT '${answeredPrefix}' || a.id, CAST(:keptUntil AS TIMESTAMPTZ)
      FROM authorizations a JOIN grants g ON g.id = a.grant_id WHERE ${which} AND a.created_at > :askedSince
      ON CONFLICT (hash) DO NOTHING`,
    params: {
      ...params,
      keptUntil: addSeconds(now, pendingRequestLife),
      askedSince: addSeconds(now, -pendingRequestLife),
    },
  };
  return [flows, { sql: `DELETE FROM grants AS g WHERE ${which}`, params }];
}

/**
 * The grant of this user to this client, or null. A grant whose time is over is ended before
 * anything is added to it.
 */
export async function currentGrant(
  userId: string,
  clientId: string,
  now: Date,
): Promise<Grant | null> {
  const grant = await findGrant(userId, clientId);
  if (!grant || !hasGrantEnded(grant, now)) return grant;
  await endGrants('g.id = :id AND g.ends_at <= :now', { id: grant.id, now }, now);
  return null;
}

/** Ends the grants whose time is over, with everything issued on them. Returns their number. */
export async function endGrantsInTime(now: Date): Promise<number> {
  const sql = `SELECT g.id FROM grants g WHERE g.ends_at <= :now ORDER BY g.ends_at LIMIT ${batch}`;
  for (let total = 0; ; ) {
    const ids = await read<Columns<'grants', 'id'>>(sql, { now });
    for (const { id } of ids)
      total += await endGrants('g.id = :id AND g.ends_at <= :now', { id, now }, now);
    if (ids.length < batch) return total;
  }
}

/**
 * Revokes one word of a grant with the codes and tokens that carry it: a scope, including those with
 * individual claims of it; an API with all of its scopes; or one scope of an API
 * (`lib/oauth/api.ts`). The last word takes the whole grant.
 */
export async function withdrawScope(
  userId: string,
  clientId: string,
  scope: string,
  now: Date,
): Promise<'scope' | 'all' | 'nothing'> {
  for (;;) {
    const grant = await findGrant(userId, clientId);
    if (!grant?.scopes.includes(scope)) return 'nothing';
    if (grant.scopes.every(goesWith(scope)))
      return (await revokeGrants({ userId, clientId }, now)) > 0 ? 'all' : 'nothing';
    // Concurrent changes each remove their scope from what the others left.
    if (await narrowed(grant, scope, now)) return 'scope';
  }
}

const isOfApi = (word: string) => word.includes(':');

/** Whether a word of a grant goes with another one: an API takes its scopes along. */
const goesWith = (word: string) => (other: string) =>
  other === word || (isOfApi(word) && other.startsWith(`${word}#`));

/**
 * The API of a word, and its scope; '' for all of the API. The name of a scope can contain a # too.
 */
function partsOf(word: string): [api: string, scope: string] {
  const at = word.indexOf('#');
  return at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
}

async function narrowed(grant: Grant, scope: string, now: Date): Promise<boolean> {
  const goes = goesWith(scope);
  const without = (names: string[]) => names.filter((name) => !goes(name)).join(' ');
  // If the word belongs to no API: no identifier equals '-'.
  const [api, ofApi] = isOfApi(scope) ? partsOf(scope) : ['-', ''];
  const isFor = `(${holds('resources', ':api')} AND (:ofApi = '' OR ${holds('scope', ':ofApi')}))`;
  const narrow: Statement = {
    sql: `UPDATE grants SET scopes = :scopes, remembered = :remembered, updated_at = :now
      WHERE id = :id AND scopes = :hadScopes AND remembered = :hadRemembered RETURNING id`,
    params: {
      id: grant.id,
      scopes: without(grant.scopes),
      remembered: without(grant.remembered),
      now,
      hadScopes: grant.scopes.join(' '),
      hadRemembered: grant.remembered.join(' '),
    },
  };
  const end: Statement = {
    sql: `UPDATE authorizations SET revoked_at = :now WHERE grant_id = :id AND revoked_at IS NULL AND (${carries(scope, ':scope')} OR ${isFor})`,
    params: { id: grant.id, scope, now, api, ofApi },
  };
  return (await writeTogether(narrow, [end])).length > 0;
}
