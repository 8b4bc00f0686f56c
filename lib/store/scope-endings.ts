import { holdingGrantsOf } from './access.ts';
import { endingAuthorizations, takingWords, type WhichClients } from './api-endings.ts';
import { inList } from './engine/parameters.ts';
import type { Statement } from './engine/statement.ts';
import { carries } from './withdrawals.ts';

/*
 * When clients may no longer ask for a scope of the server, it is removed from what people allowed
 * them, so that people are asked again if it becomes available again. Everything issued with the
 * scope ends too. A code that is being stored at that moment is either seen and ended, or finds its
 * consent gone. And a grant gets a scope only while its client may ask for it (`widenGrantOf`).
 */

/**
 * The statements that take scopes of the server from a client; the same number for one scope as for
 * all.
 */
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
 * The statements that take a scope that becomes sensitive from the clients without a list of
 * scopes. On PostgreSQL the caller locks its row `FOR UPDATE`, so that no grant gets it meanwhile.
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
    endingAuthorizations(which, { ...clients.params, ...params }, now),
  ];
}
