import { holdingGrantsOf } from './access.ts';
import { ending, takingWords, type WhichClients } from './api-endings.ts';
import { inList } from './engine/parameters.ts';
import type { Statement } from './engine/statement.ts';
import { carries } from './withdrawals.ts';

/*
 * A scope of the server that clients may ask for no longer goes out of what people allowed them, so
 * that they are asked when it may be had again, and with it all that was issued with it. A code that is
 * stored in that instant is seen and ended, or finds its consent gone; and a grant gets a scope only
 * while its client may ask for it (`widenGrantOf`).
 */

/** The statements that take scopes of the server from a client: as many for one as for all. */
export function endingScopesOf(
  clientId: string,
  scopes: readonly string[],
  now: Date,
): Statement[] {
  if (scopes.length === 0) return [];
  const client = { are: '= :clientId', params: { clientId } };
  return [...holdingGrantsOf({ clientId }), ...takingScopes(scopes, client, now)];
}

/**
 * The statements that take a scope that becomes sensitive from the clients without a list of scopes. On PostgreSQL its
 * row is held `FOR UPDATE`: no grant gets it meanwhile.
 */
export function endingSensitive(name: string, now: Date): Statement[] {
  const withoutList = { are: 'IN (SELECT id FROM clients WHERE scopes IS NULL)', params: {} };
  return takingScopes([name], withoutList, now);
}

function takingScopes(scopes: readonly string[], clients: WhichClients, now: Date): Statement[] {
  const { params } = inList('name', scopes);
  const carried = scopes.map((name, at) => carries(name, `:name${at}`)).join(' OR ');
  const which = `client_id ${clients.are} AND (${carried})`;
  return [
    ...takingWords(scopes, now, clients),
    ending(which, { ...clients.params, ...params }, now),
  ];
}
