import { type Columns, read } from './engine/database.ts';
import { type Waiting, waitingTable } from './engine/queue.ts';
import { givenIn } from './session-endings.ts';

export type Delivery = Waiting &
  Columns<'logout_deliveries', 'sessionHash' | 'clientId' | 'userId'>;

/** The queue of logout deliveries. */
export const waitingDeliveries = waitingTable<Delivery>({
  table: 'logout_deliveries',
  key: ['session_hash', 'client_id'],
  columns: ['user_id'],
  batch: 20,
  // An app that does not answer holds up only its own deliveries. All together take at most 400
  // connections.
  lanes: { by: 'client_id', most: 20 },
});

const givenSince = `SELECT a.id ${givenIn}
  WHERE s.hash = :sessionHash AND g.client_id = :clientId AND a.redeemed_at IS NOT NULL AND a.revoked_at IS NULL
  LIMIT 1`;

/**
 * Whether the user is signed in to the app again in the session of this delivery. They had removed
 * the app from their account while the session went on, and allowed it again before it could be
 * notified. A logout token has the same `sid`, and would end the new sign-in.
 */
export async function isSignedInAgain({ sessionHash, clientId }: Delivery): Promise<boolean> {
  return (
    (await read<Columns<'authorizations', 'id'>>(givenSince, { sessionHash, clientId })).length > 0
  );
}
