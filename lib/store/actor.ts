import type { AuditEntry, AuditType } from './audit-entry.ts';

/** Who acts (a user id, 'cli' or 'file') and where the request came from. */
export type Actor = {
  id: string;
  address?: string | null;
  requestId?: string | null;
  /** Everyone, unless set. */
  reach?: Reach;
};

/** The configuration file: no one else may change what it manages. */
export const fileActor: Actor = { id: 'file' };

/** On whom an actor may act: `people` are those without a role in the dashboard. */
export type Reach = 'everyone' | 'people';

/**
 * A condition for a statement that changes a row of `users`, so that a role given meanwhile is
 * noticed.
 */
export const inReach = (reach: Reach | undefined): string =>
  reach === 'people' ? 'AND users.is_admin = FALSE AND users.role IS NULL' : '';

/** As `Actor`, for someone who may be unknown. */
export type Someone = Omit<Actor, 'id' | 'reach'> & { id: string | null };

/** The audit event for something that was done: who did it, and about what. */
export function eventBy(
  { id, address, requestId }: Someone,
  type: AuditType,
  about: Pick<AuditEntry, 'userId' | 'clientId' | 'detail'> = {},
): AuditEntry {
  return { type, actor: id, address, requestId, ...about };
}
