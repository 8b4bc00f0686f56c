import { once } from '../once.ts';
import { writeTogether } from './engine/database.ts';
import { inList } from './engine/parameters.ts';
import type { Statement } from './engine/statement.ts';

/*
 * A code that is never redeemed is a row for an hour. A process remembers the latest codes of each
 * grant. When it has issued too many, it deletes the oldest that are still unredeemed. One mark on
 * the grant keeps their requests answered, so that neither rows nor marks grow.
 */

/**
 * How many unredeemed codes of a user and an app may stay, and after how many more a process looks
 * again.
 */
export const mostUnredeemed = 50;
export const looksAfter = 10;

/** The maximum number of grants whose codes a process remembers: those that had one last. */
const mostGrants = 2000;

const recent = () => once('recent-codes', () => new Map<string, string[]>());

/**
 * Remembers the authorization of a code; if there are too many, the oldest unredeemed ones are
 * deleted.
 */
export async function boundUnredeemed(grantId: string, id: string): Promise<void> {
  const ids = [...(recent().get(grantId) ?? []), id];
  const isMany = ids.length >= mostUnredeemed + looksAfter;
  const oldest = isMany ? ids.splice(0, looksAfter) : [];
  remember(grantId, ids);
  if (isMany) await writeTogether(marking(grantId, oldest), [removing(oldest)]);
}

function remember(grantId: string, ids: string[]): void {
  const grants = recent();
  grants.delete(grantId);
  const [longestAgo] = grants.keys();
  if (grants.size >= mostGrants && longestAgo !== undefined) grants.delete(longestAgo);
  grants.set(grantId, ids);
}

const places = Array.from({ length: looksAfter }, (_, index) => `:id${index}`);
const unredeemed = `id IN (${places.join(', ')}) AND redeemed_at IS NULL`;
const remove = `DELETE FROM authorizations WHERE ${unredeemed}`;
// The grant comes first, because withdrawals of consent take the locks in this order.
const mark = `
  UPDATE grants SET answered_to = CASE WHEN answered_to > :latest THEN answered_to ELSE :latest END
  WHERE id = :grantId AND EXISTS (SELECT 1 FROM authorizations WHERE ${unredeemed}) RETURNING id`;

const removing = (ids: string[]): Statement => ({
  sql: remove,
  params: inList('id', ids).params,
});

/** Takes the latest id, because ids sort by the time of the request. */
function marking(grantId: string, ids: string[]): Statement {
  const latest = [...ids].sort().at(-1) ?? '';
  return { sql: mark, params: { ...inList('id', ids).params, grantId, latest } };
}

/**
 * SQL: no code of the grant `g` that answered the request with this id can have been deleted to
 * make room.
 */
export const unanswered = (id: string) => `(g.answered_to IS NULL OR g.answered_to < ${id})`;
