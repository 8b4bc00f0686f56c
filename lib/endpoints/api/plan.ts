import type { AuditEntry } from '../../store/audit-entry.ts';
import { inOneTransaction } from '../../store/engine/database.ts';
import { inTurn } from './turn.ts';

/**
 * What a call would change, as the events that it would add to the audit log. The call is carried
 * out in a transaction that is rolled back. Its answer is dropped, because a secret in it would not
 * be valid.
 */
export async function planCall(work: () => Promise<unknown>) {
  const events = await inTurn(() =>
    inOneTransaction(async (events) => {
      await work();
      return { keep: false, value: events() };
    }),
  );
  return { plan: true, changes: events.map(changeOf) };
}

const changeOf = ({ type, userId = null, clientId = null, detail = {} }: AuditEntry) => ({
  type,
  user_id: userId,
  client_id: clientId,
  detail,
});
