import { type TraceFilter, throughs } from '#lib/management/attempt/traces.ts';
import { rules } from '#lib/oauth/facts.ts';
import { knownOption, switchOf } from '../../params.ts';
import { idOf, type Meant, meantIn } from '../ui/match.tsx';
import { daysIn } from '../ui/table/days.ts';

type Asked = Meant & {
  /**
   * Null if the filter names a user or client that does not exist, or a request without an attempt.
   */
  filter: TraceFilter | null;
};

/**
 * The filter in the address of the attempts, for the page and the export. Days are in the given
 * time zone.
 */
export async function readAttempts(
  query: Readonly<Record<string, string>>,
  zone: string,
): Promise<Asked> {
  const meant = await meantIn(query);
  const [userId, clientId] = [idOf(meant.person), idOf(meant.client)];
  if (userId === null || clientId === null || query.request?.trim())
    return { filter: null, ...meant };
  const failed = switchOf(query.result, 'failed', 'ok');
  const rule = knownOption(rules, query.reason);
  const through = knownOption(throughs, query.through);
  return { filter: { rule, through, failed, userId, clientId, ...daysIn(query, zone) }, ...meant };
}
