import { once } from '../once.ts';
import { writeTogether } from './engine/database.ts';
import { inList } from './engine/parameters.ts';
import type { Statement } from './engine/statement.ts';

/*
 * A code that nobody redeems is a row for an hour. A process remembers the latest codes of each
 * grant; when it has issued so many, the oldest that are still not redeemed go. Their requests stay
 * answered by one mark on the grant, so that neither rows nor marks grow.
 */

/** So many unredeemed codes of a person and an app stay, and a process looks after every so many more. */
export const mostUnredeemed = 50;
export const looksAfter = 10;

/** Of so many grants a process remembers the codes, those that had one last. */
const mostGrants = 2000;

const recent = () => once('recent-codes', () => new Map<string, string[]>());

/** Remembers an authorization that a code is for; of too many the oldest unredeemed ones go. */
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
// The grant first, in the order in which consents that are withdrawn take the locks.
const mark = `
  UPDATE grants SET answered_to = CASE WHEN answered_to > :latest THEN answered_to ELSE :latest END
  WHERE id = :grantId AND EXISTS (SELECT 1 FROM authorizations WHERE ${unredeemed}) RETURNING id`;

const removing = (ids: string[]): Statement => ({
  sql: remove,
  params: inList('id', ids).params,
});

/** Ids sort by the time of the request. */
function marking(grantId: string, ids: string[]): Statement {
  const latest = [...ids].sort().at(-1) ?? '';
  return { sql: mark, params: { ...inList('id', ids).params, grantId, latest } };
}

/** SQL: no code of the grant `g` that answered the request with this id can have made room. */
export const unanswered = (id: string) => `(g.answered_to IS NULL OR g.answered_to < ${id})`;
