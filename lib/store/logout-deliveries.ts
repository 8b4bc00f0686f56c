import { type Columns, date, type Moment, read, write } from './engine/database.ts';
import { type Waiting, type WaitingTable, waitingTable } from './engine/queue.ts';
import { givenIn } from './session-endings.ts';
import { shownName } from './shown-name.ts';

export type Delivery = Waiting &
  Columns<'logout_deliveries', 'sessionHash' | 'clientId' | 'userId'>;

/** When the next attempt of what was given up is. */
const never = new Date('9999-12-31T00:00:00Z');

const waiting = waitingTable<Delivery>({
  table: 'logout_deliveries',
  key: ['session_hash', 'client_id'],
  columns: ['user_id'],
  batch: 20,
  // An app that does not answer holds up only its own deliveries. All together take at most 400
  // connections.
  lanes: { by: 'client_id', most: 20 },
});

/**
 * The queue of logout deliveries. What failed last of all that was given up of a client stays, for
 * `failedLogouts`, until one succeeds or it is a month old.
 */
export const waitingDeliveries: WaitingTable<Delivery> = {
  ...waiting,
  giveUp: async (one) => {
    const { sessionHash, clientId, attempts } = one;
    const keep = `UPDATE logout_deliveries SET next_at = :never
      WHERE session_hash = :sessionHash AND client_id = :clientId AND attempts = :attempts AND failed_at IS NOT NULL
      RETURNING client_id`;
    const kept = await write(keep, { sessionHash, clientId, attempts, never });
    if (kept.length === 0) return waiting.giveUp(one);
    const others = `DELETE FROM logout_deliveries
      WHERE client_id = :clientId AND next_at = :never AND session_hash <> :sessionHash`;
    await write(others, { sessionHash, clientId, never });
  },
};

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

/**
 * Keeps why a delivery failed, for `failedLogouts`. @param failure the status that the client
 * answered, or why it could not be reached
 */
export async function noteFailedLogout(
  { sessionHash, clientId }: Delivery,
  failure: string,
  now: Date,
): Promise<void> {
  const sql = `UPDATE logout_deliveries SET failure = :failure, failed_at = :now
    WHERE session_hash = :sessionHash AND client_id = :clientId`;
  await write(sql, { sessionHash, clientId, failure, now });
}

/**
 * A client takes logout tokens again: what failed before is tried again, unless it was given up, and
 * no longer told of.
 */
export async function forgetFailedLogouts(clientId: string): Promise<void> {
  const givenUp = `DELETE FROM logout_deliveries
    WHERE client_id = :clientId AND failed_at IS NOT NULL AND next_at = :never`;
  await write(givenUp, { clientId, never });
  const sql = `UPDATE logout_deliveries SET failure = NULL, failed_at = NULL
    WHERE client_id = :clientId AND failed_at IS NOT NULL`;
  await write(sql, { clientId });
}

/** A client whose address for back-channel logout fails, and how it failed last. */
export type FailedLogout = {
  id: string;
  name: string;
  /** The status that it answered, or why it could not be reached. */
  failure: string;
  failedAt: Date;
  /** When the next delivery is tried; null if all were given up. */
  nextAt: Date | null;
};

/**
 * The enabled clients that some logout token still has to reach, or could not in the past month,
 * after the latest attempt failed; the latest first.
 */
export async function failedLogouts(
  limit: number,
  clientId: string | null = null,
): Promise<FailedLogout[]> {
  const only = clientId === null ? '' : 'AND client_id = :clientId';
  const sql = `WITH failed AS (
      SELECT client_id, failure, failed_at, MIN(next_at) OVER (PARTITION BY client_id) AS next_at,
        ROW_NUMBER() OVER (PARTITION BY client_id ORDER BY failed_at DESC, session_hash) AS place
      FROM logout_deliveries WHERE failed_at IS NOT NULL ${only}
    )
    SELECT c.id, ${shownName('c')} AS name, f.failure, f.failed_at, f.next_at
    FROM failed f JOIN clients c ON c.id = f.client_id
    WHERE f.place = 1 AND c.disabled_at IS NULL AND c.backchannel_logout_uri IS NOT NULL
    ORDER BY f.failed_at DESC, c.id LIMIT :limit`;
  type Found = Omit<FailedLogout, 'nextAt'> & { nextAt: Moment };
  const rows = await read<Found>(sql, { limit, ...(clientId !== null && { clientId }) });
  return rows.map((row) => {
    const nextAt = date(row.nextAt);
    return { ...row, nextAt: nextAt < never ? nextAt : null };
  });
}
