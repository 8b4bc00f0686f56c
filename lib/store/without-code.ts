import { listed } from './access.ts';
import { isRefusedByAdmins } from './client-requests.ts';
import type { Statement } from './engine/statement.ts';
import { consentedParams } from './withdrawals.ts';

/*
 * Such an authorization is created as already redeemed, so nothing is checked again before its
 * access token works. That is why the statement that stores it checks everything that redeeming a
 * code would check, on the current rows.
 */

/**
 * An authorization for which no code was redeemed: it came from another authorization, or another
 * server granted it.
 */
export type WithoutCode = {
  id: string;
  clientId: string;
  clientEpoch: number;
  grantId: string;
  /** What the grant of the client must contain at this moment. */
  consented: readonly string[];
  scope: string;
  resources: readonly string[];
  /** When it ends. */
  endsAt: Date;
};

/** Its values, as parameters of the statement that stores it. */
export function storedAs<Said extends WithoutCode>(
  { consented, resources, ...said }: Said,
  now: Date,
) {
  return { ...said, ...consentedParams(consented), resources: resources.join(' '), now };
}

/**
 * SQL: at this moment the user of the grant `g` may use its client, and admins have not refused the
 * client. Earlier checks saw the client as it was then.
 */
export const isLetIn = `EXISTS (SELECT 1 FROM clients k WHERE k.id = g.client_id
  AND (k.access <> 'listed' OR ${listed('k.id', 'g.user_id')})
  AND (k.origin = 'admin' OR NOT ${isRefusedByAdmins('k.id')}))`;

/**
 * Locks the grant on PostgreSQL, in a separate statement. A change that ends access or removes the
 * grant locks it too, so either the next statement sees that change, or that change sees what was
 * stored.
 */
export const holdingGrant = (grantId: string): Statement => ({
  sql: 'SELECT id FROM grants WHERE id = :grantId FOR SHARE',
  params: { grantId },
});
