import type { AuditFilter } from '#lib/management/audit-event/audit.ts';
import { type Match, matchUser } from '#lib/management/candidates.ts';
import { auditTypes } from '#lib/store/audit-entry.ts';
import { idOf, type Meant, meantIn } from '../ui/match.tsx';
import { daysIn } from '../ui/table/days.ts';

export type Asked = Meant & {
  /** Null if the user or client in the filter does not exist. */
  filter: AuditFilter | null;
  actor: Match | null;
};

/**
 * The filter in the address of the audit log, for the page and the export. Days are in the given
 * time zone.
 */
export async function readAsked(
  query: Readonly<Record<string, string>>,
  zone: string,
): Promise<Asked> {
  const actor = query.actor?.trim() ? await meantActor(query.actor.trim()) : null;
  const meant = { ...(await meantIn(query)), actor };
  const [userId, clientId, actorId] = [idOf(meant.person), idOf(meant.client), idOf(actor)];
  if (userId === null || clientId === null || actorId === null) return { filter: null, ...meant };
  const days = daysIn(query, zone);
  const requestId = query.request?.trim() || undefined;
  return {
    filter: { type: typeOf(query.type), userId, clientId, actor: actorId, requestId, ...days },
    ...meant,
  };
}

async function meantActor(text: string): Promise<Match> {
  return text === 'cli' || text === 'file' || text === 'date' || text === 'system'
    ? { one: { id: text, label: text } }
    : matchUser(text);
}

/** An area or one event type; anything else is ignored. */
function typeOf(text: string | undefined): string | undefined {
  const known = auditTypes.some((type) => type === text || type.startsWith(`${text}.`));
  return text && known ? text : undefined;
}
