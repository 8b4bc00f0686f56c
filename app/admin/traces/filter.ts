import type { TraceFilter } from '#lib/management/attempt/traces.ts';
import { type Match, matchClient, matchUser } from '#lib/management/candidates.ts';
import { rules } from '#lib/oauth/facts.ts';
import { oneOf, switchOf } from '../../params.ts';
import { idOf } from '../ui/match.tsx';
import { daysIn } from '../ui/table/days.ts';

type Asked = {
  /** Null: the user or client in the filter does not exist, or a request is asked for that no attempt has. */
  filter: TraceFilter | null;
  person: Match | null;
  client: Match | null;
};

/** The filter in the address of the attempts, shared by page and export; days are those of a time zone. */
export async function readAttempts(
  query: Readonly<Record<string, string>>,
  zone: string,
): Promise<Asked> {
  const person = query.person?.trim() ? await matchUser(query.person.trim()) : null;
  const client = query.client?.trim() ? await matchClient(query.client.trim()) : null;
  const [userId, clientId] = [idOf(person), idOf(client)];
  if (userId === null || clientId === null || query.request?.trim())
    return { filter: null, person, client };
  const failed = switchOf(query.result, 'failed', 'ok');
  const rule = oneOf(rules, query.reason);
  return { filter: { rule, failed, userId, clientId, ...daysIn(query, zone) }, person, client };
}
