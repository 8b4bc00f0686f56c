import type { AuditEntry } from '../../store/audit-entry.ts';
import { inOneTransaction } from '../../store/engine/database.ts';
import { inTurn } from './turn.ts';

/**
 * What a call would change, by the events that would tell of it in the audit log: it is carried out in
 * a transaction that is not kept. Nothing that it would tell is told: a secret of it is nobody's.
 */
export async function planned(work: () => Promise<unknown>) {
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
