import { type Columns, write } from './engine/database.ts';
import { type Waiting, waitingTable } from './engine/queue.ts';
import type { SqlValue, Statement } from './engine/statement.ts';

/**
 * The statement that queues logout deliveries for ending sessions. Run it before their rows are
 * deleted. `condition` is on `sessions`.
 */
export function queuingLogouts(
  condition: string,
  params: Readonly<Record<string, SqlValue>>,
): Statement {
  const sql = `
    INSERT INTO logout_deliveries (session_hash, client_id, user_id, attempts, next_at)
    SELECT DISTINCT a.session_hash, a.client_id, a.user_id, 0, CAST(:next AS TIMESTAMPTZ)
    FROM sessions s JOIN grants g ON g.user_id = s.user_id JOIN clients c ON c.id = g.client_id
    JOIN authorizations a ON a.grant_id = g.id AND a.session_hash = s.hash AND a.redeemed_at IS NOT NULL
    WHERE c.backchannel_logout_uri IS NOT NULL AND ${condition}
    ON CONFLICT DO NOTHING`;
  return { sql, params: { ...params, next: new Date(0) } };
}

export async function queueLogouts(
  condition: string,
  params: Readonly<Record<string, SqlValue>>,
): Promise<void> {
  const statement = queuingLogouts(condition, params);
  await write(statement.sql, statement.params);
}

export type Delivery = Waiting &
  Columns<'logout_deliveries', 'sessionHash' | 'clientId' | 'userId'>;

/** The queue of logout deliveries. */
export const waitingDeliveries = waitingTable<Delivery>({
  table: 'logout_deliveries',
  key: ['session_hash', 'client_id'],
  columns: ['user_id'],
  batch: 20,
});
