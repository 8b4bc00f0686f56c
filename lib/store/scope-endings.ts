import { holdingGrantsOf } from './access.ts';
import { ending, takingWords } from './api-endings.ts';
import type { Statement } from './engine/statement.ts';
import { carries } from './withdrawals.ts';

/**
 * The statements that take scopes of the server from a client: out of what people allowed it, so that
 * they are asked when it may have them again, and with all that was issued with them. A code that is stored in
 * that instant is seen and ended, or finds its consent gone; and a grant gets a scope only while its
 * client may ask for it (`widenGrantOf`).
 */
export function endingScopesOf(
  clientId: string,
  scopes: readonly string[],
  now: Date,
): Statement[] {
  if (scopes.length === 0) return [];
  const endings = scopes.flatMap((name) => {
    const which = `client_id = :clientId AND ${carries(name, ':name')}`;
    return [...takingWords([name], now, clientId), ending(which, { clientId, name }, now)];
  });
  return [...holdingGrantsOf({ clientId }), ...endings];
}
