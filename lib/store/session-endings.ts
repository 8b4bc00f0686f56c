import { locking, writeTogether } from './engine/database.ts';
import type { SqlValue, Statement } from './engine/statement.ts';

/*
 * How sessions end: the codes given in them become void, and every app that got tokens in one is queued
 * for a logout token. A concurrent redemption either commits first, and is queued, or gets no tokens.
 */

type Values = Readonly<Record<string, SqlValue>>;

/** `user_epoch` of an authorization whose code is void: no user ever has this epoch. */
const noEpoch = -1;

/**
 * The statements that end sessions, for the same transaction as the reason. Their order matters on
 * PostgreSQL: a code that is being stored locks its session, one that is being redeemed locks its
 * row, and each is waited for before the next statement looks. The first statement gives the
 * sessions.
 * @param condition on `sessions s`, in parameters of `params`
 */
export const endingSessionsThat = (
  condition: string,
  params: Values,
): [Statement, ...Statement[]] => [
  holding(condition, params),
  endingCodes(condition, params),
  endingSites(condition, params),
  queuingLogouts(condition, params),
  { sql: `DELETE FROM sessions AS s WHERE ${condition}`, params },
];

/**
 * Ends sessions; false: there are none, and nothing has happened. @param along statements for the
 * same transaction
 */
export async function endSessionsThat(
  condition: string,
  params: Values,
  along: readonly Statement[] = [],
): Promise<boolean> {
  const [first, ...then] = endingSessionsThat(condition, params);
  return (await writeTogether(first, [...then, ...along])).length > 0;
}

function holding(condition: string, params: Values): Statement {
  const sql = `SELECT s.hash FROM sessions s WHERE ${condition} ORDER BY s.hash ${locking('FOR UPDATE')}`;
  return { sql, params };
}

/** The authorizations `a` of sessions, found through the index on the user of a grant. */
export const givenIn =
  'FROM sessions s JOIN grants g ON g.user_id = s.user_id JOIN authorizations a ON a.grant_id = g.id AND a.session_hash = s.hash';

/**
 * The codes become void but are not revoked, because a code presented after it was revoked counts
 * as used twice.
 */
const endingCodes = (condition: string, params: Values): Statement => ({
  sql: `UPDATE authorizations SET user_epoch = ${noEpoch} WHERE redeemed_at IS NULL
    AND id IN (SELECT a.id ${givenIn} WHERE a.redeemed_at IS NULL AND ${condition})`,
  params,
});

/** What lets people into guarded sites ends with its session: no one there would be told. */
const endingSites = (condition: string, params: Values): Statement => ({
  sql: `UPDATE authorizations SET revoked_at = CAST(:ended AS TIMESTAMPTZ) WHERE revoked_at IS NULL
    AND id IN (SELECT a.id ${givenIn} WHERE ${condition}
      AND EXISTS (SELECT 1 FROM client_addresses k WHERE k.client_id = a.client_id AND k.kind = 'site'))`,
  params: { ...params, ended: new Date() },
});

/**
 * Queues logout deliveries (OpenID Connect Back-Channel Logout section 2.5) for apps that got
 * tokens in a session. A delivery that already waits, with longer and longer pauses, starts again.
 * @param condition on `sessions s`; or on `grants g` that are removed while the session goes on,
 * because the app would not be notified when the session ends
 */
export const queuingLogouts = (condition: string, params: Values): Statement => ({
  sql: `INSERT INTO logout_deliveries (session_hash, client_id, user_id, attempts, next_at)
    SELECT DISTINCT a.session_hash, a.client_id, a.user_id, 0, CAST(:next AS TIMESTAMPTZ)
    ${givenIn} JOIN clients c ON c.id = g.client_id
    WHERE c.backchannel_logout_uri IS NOT NULL AND a.redeemed_at IS NOT NULL AND ${condition}
    ON CONFLICT (session_hash, client_id) DO UPDATE SET attempts = 0, next_at = excluded.next_at`,
  params: { ...params, next: new Date(0) },
});
