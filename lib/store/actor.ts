import type { AuditEntry, AuditType } from './audit.ts';

/** Who acts (a user id, or 'cli') and where the request came from. */
export type Actor = { id: string; address?: string | null; requestId?: string | null };

/** As `Actor`, of someone who may be unknown. */
type Someone = Omit<Actor, 'id'> & { id: string | null };

/** The audit event for something that was done: by whom, and about what. */
export function eventBy(
  { id, address, requestId }: Someone,
  type: AuditType,
  about: Pick<AuditEntry, 'userId' | 'clientId' | 'detail'> = {},
): AuditEntry {
  return { type, actor: id, address, requestId, ...about };
}
