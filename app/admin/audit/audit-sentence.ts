import type { MessageKey } from '#lib/messages/keys.ts';
import { isMessageKey } from '#lib/messages/text.ts';

type Event = {
  type: string;
  actor: string | null;
  userId: string | null;
  detail: Record<string, unknown>;
};

/**
 * The message for an event. If users acted on their own account, it does not repeat their name; if
 * the details allow it, it is more specific. Null if a later version of this server wrote the
 * event.
 */
export function auditSentence({ type, actor, userId, detail }: Event): MessageKey | null {
  const isOwn = userId !== null && actor === userId;
  const closer = `${isOwn ? 'own.' : ''}${type}.${saidBy(detail)}`;
  const keys = [closer, ...(isOwn ? [`own.${type}`] : []), type];
  return keys.map((key) => `audit.event.${key}`).find(isMessageKey) ?? null;
}

type Changed = { after?: unknown };

function saidBy({ everywhere, others, kind, admin, role }: Record<string, unknown>): string {
  if (everywhere === true) return 'everywhere';
  return others === true ? 'others' : String(kind ?? admin ?? (role as Changed | null)?.after);
}
