import { type By, perform } from '../../management/act.ts';
import type { AuditEntry } from '../../store/audit-entry.ts';
import { inOneTransaction } from '../../store/engine/database.ts';
import type { AnyAct } from './routes.ts';
import type { Said } from './said.ts';
import { inTurn } from './turn.ts';

/**
 * What a call would change, by the events that would tell of it in the audit log: it is carried out in
 * a transaction that is not kept. Nothing that it would tell is told: a secret of it is nobody's.
 */
export async function planned(act: AnyAct, said: Said, by: By) {
  const events = await inTurn(() =>
    inOneTransaction(async (events) => {
      await perform(act, said, by);
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
