import { clientAt } from './clients.ts';

/*
 * An authorization that came from another one by token exchange (RFC 8693) is its child. Its life
 * depends on its parents: anything that reads it checks everything it came from. So whatever ends
 * an authorization need not know about its children, and none slips through while it is being made.
 * If a row above it is gone, it counts as gone too.
 */

/**
 * SQL: everything that this authorization came from is live. Nothing is looked up for one that came
 * from a sign-in. The user is the same all the way up, and is checked where the authorization is
 * read.
 * @param authorization the table or its alias, which is not `o`
 */
export const lineageLives = (authorization: string) => `(${isOfSignIn(authorization)} OR (
  WITH RECURSIVE above(parent_id, revoked_at, client_id, client_epoch) AS (
    SELECT o.parent_id, o.revoked_at, o.client_id, o.client_epoch FROM authorizations o WHERE o.id = ${authorization}.parent_id
    UNION ALL
    SELECT o.parent_id, o.revoked_at, o.client_id, o.client_epoch FROM authorizations o JOIN above ON o.id = above.parent_id)
  SELECT MIN(CASE WHEN above.revoked_at IS NULL AND k.id IS NOT NULL THEN 1 ELSE 0 END) = 1
    AND MAX(CASE WHEN above.parent_id IS NULL THEN 1 ELSE 0 END) = 1
  FROM above LEFT JOIN clients k ON k.id = above.client_id AND k.epoch = above.client_epoch))`;

/**
 * SQL: this authorization came from a sign-in. The statements that every request runs check just
 * this: with the recursive lookup a statement costs twice as much, even if there is nothing to look
 * up. It is written so that no index applies. Nearly all authorizations come from sign-ins, and
 * PostgreSQL would read them all through the index while it has no statistics.
 */
export const isOfSignIn = (authorization: string) =>
  `COALESCE(${authorization}.parent_id, '') = ''`;

/**
 * The ids of the clients that an authorization came through, the nearest first; empty if it came
 * from a sign-in.
 */
export const readLineage = (lineage: string): string[] => lineage.split(' ').filter(Boolean);

/**
 * Whether all these clients are still here: one that registered itself may have been shut out with
 * its host.
 */
export async function areHere(revision: number, lineage: readonly string[]): Promise<boolean> {
  for (const id of lineage) if (!(await clientAt(revision, id))) return false;
  return true;
}
