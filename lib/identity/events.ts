import type { HttpRequest } from '../http/message.ts';
import type { AuditEntry, AuditType } from '../store/audit.ts';

/** The audit event for something a user did with their own account. */
export function eventOf(
  request: Pick<HttpRequest, 'address' | 'id'>,
  userId: string,
  type: AuditType,
  detail: Record<string, unknown> = {},
): AuditEntry {
  return { type, actor: userId, userId, address: request.address, requestId: request.id, detail };
}
