import type { AuditEntry, AuditType } from '../store/audit.ts';

/** Who acts (a user id, or 'cli') and where the request came from. */
export type Actor = { id: string; address?: string | null; requestId?: string | null };

/** The audit event for something an admin did. */
export function eventBy(
  actor: Actor,
  type: AuditType,
  about: Pick<AuditEntry, 'userId' | 'clientId' | 'detail'> = {},
): AuditEntry {
  return { type, actor: actor.id, address: actor.address, requestId: actor.requestId, ...about };
}

/** The fields in which two records differ, with old and new values, for the audit log. */
export function difference<T extends object>(
  before: T,
  after: T,
  fields: readonly (keyof T)[],
): Record<string, unknown> {
  const changed = fields.filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  return Object.fromEntries(
    changed.map((field) => [field, { before: before[field], after: after[field] }]),
  );
}
