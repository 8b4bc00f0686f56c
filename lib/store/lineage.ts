import { clientAt } from './clients.ts';

/*
 * An authorization that came from another one by token exchange (RFC 8693) is its child. It has nothing
 * of its own to live from: whatever reads it looks at all that it came from, so that nothing that ends
 * an authorization has to know of its children, and none slips by while one is made. Where a row above
 * it is gone, it is as good as gone.
 */

/**
 * SQL: all that this authorization came from lives. Nothing is looked up for one that came from a
 * sign-in. A person is the same all the way up, so theirs is asked where the authorization is read.
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
 * SQL: this authorization came from a sign-in. What every request asks says this alone: a statement with
 * the recursive look costs twice as much, whether there is anything to look up or not. No index answers it: nearly
 * all are of sign-ins, and PostgreSQL would read them all while it has no statistics.
 */
export const isOfSignIn = (authorization: string) =>
  `COALESCE(${authorization}.parent_id, '') = ''`;

/** The ids of the clients that an authorization came through, the nearest first; none: it came from a sign-in. */
export const readLineage = (lineage: string): string[] => lineage.split(' ').filter(Boolean);

/** Whether these clients may all be here: one that registered itself may have been shut out by its host. */
export async function areHere(revision: number, lineage: readonly string[]): Promise<boolean> {
  for (const id of lineage) if (!(await clientAt(revision, id))) return false;
  return true;
}
