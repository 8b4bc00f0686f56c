import { listed } from './access.ts';
import { isRefusedByAdmins } from './client-requests.ts';
import type { Statement } from './engine/statement.ts';
import { consenting } from './withdrawals.ts';

/*
 * Such an authorization is born redeemed: nothing is asked once more before its access token works. So the
 * statement that stores it asks what a redeemed code is asked, of the rows as they are.
 */

/** An authorization that no code was redeemed for: it is of another one, or another server granted it. */
export type WithoutCode = {
  id: string;
  clientId: string;
  clientEpoch: number;
  grantId: string;
  /** What the grant of the client must hold in this instant. */
  consented: readonly string[];
  scope: string;
  resources: readonly string[];
  /** When it ends. */
  endsAt: Date;
};

/** What is said of one, as parameters of the statement that stores it. */
export function storedAs<Said extends WithoutCode>(
  { consented, resources, ...said }: Said,
  now: Date,
) {
  return { ...said, ...consenting(consented), resources: resources.join(' '), now };
}

/**
 * SQL: the person of the grant `g` may use its client in this instant, and admins have not refused it. What was
 * judged before was of a client as it was then.
 */
export const isLetIn = `EXISTS (SELECT 1 FROM clients k WHERE k.id = g.client_id
  AND (k.access <> 'listed' OR ${listed('k.id', 'g.user_id')})
  AND (k.origin = 'admin' OR NOT ${isRefusedByAdmins('k.id')}))`;

/**
 * Holds the grant on PostgreSQL, in a statement of its own: a change that ends access, or takes the grant, locks
 * it as well, and the next statement sees what has become of it, or is seen by that change.
 */
export const holdingGrant = (grantId: string): Statement => ({
  sql: 'SELECT id FROM grants WHERE id = :grantId FOR SHARE',
  params: { grantId },
});
