import { type SqlValue, type Statement, write } from './database.ts';

/**
 * The statement that notes which clients have to hear that sessions end; it runs before the
 * sessions' rows go. `condition` is about `sessions`, with `$1` for its value.
 */
export function queuingLogouts(
  condition: string,
  value: SqlValue,
  more: SqlValue[] = [],
): Statement {
  const next = `$${more.length + 2}`;
  const sql = `
    INSERT INTO logout_deliveries (session_hash, client_id, user_id, attempts, next_at)
    SELECT DISTINCT a.session_hash, a.client_id, a.user_id, 0, CAST(${next} AS TIMESTAMPTZ)
    FROM sessions s JOIN grants g ON g.user_id = s.user_id JOIN clients c ON c.id = g.client_id
    JOIN authorizations a ON a.grant_id = g.id AND a.session_hash = s.hash AND a.redeemed_at IS NOT NULL
    WHERE c.backchannel_logout_uri IS NOT NULL AND ${condition}
    ON CONFLICT DO NOTHING`;
  return { sql, params: [value, ...more, new Date(0)] };
}

export async function queueLogouts(
  condition: string,
  value: SqlValue,
  more: SqlValue[] = [],
): Promise<void> {
  const { sql, params } = queuingLogouts(condition, value, more);
  await write(sql, params);
}

export type Delivery = { sessionHash: string; clientId: string; userId: string; attempts: number };

/** Takes deliveries that are due, for this process alone until `retryAt`. */
export async function takeDeliveries(now: Date, retryAt: Date): Promise<Delivery[]> {
  const due = 'SELECT session_hash, client_id FROM logout_deliveries WHERE next_at <= $1 LIMIT 20';
  const sql = `
    UPDATE logout_deliveries SET attempts = attempts + 1, next_at = $2
    WHERE next_at <= $1 AND (session_hash, client_id) IN (${due})
    RETURNING session_hash, client_id, user_id, attempts`;
  return (await write(sql, [now, retryAt])).map((row) => ({
    sessionHash: String(row.session_hash),
    clientId: String(row.client_id),
    userId: String(row.user_id),
    attempts: Number(row.attempts),
  }));
}

/** Tries again later. */
export async function postponeDelivery(
  { sessionHash, clientId }: Delivery,
  until: Date,
): Promise<void> {
  await write(
    'UPDATE logout_deliveries SET next_at = $3 WHERE session_hash = $1 AND client_id = $2',
    [sessionHash, clientId, until],
  );
}

/** Done, or given up. */
export async function dropDelivery({ sessionHash, clientId }: Delivery): Promise<void> {
  await write('DELETE FROM logout_deliveries WHERE session_hash = $1 AND client_id = $2', [
    sessionHash,
    clientId,
  ]);
}
