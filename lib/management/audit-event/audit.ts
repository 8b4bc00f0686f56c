import { sentence } from '../../messages/sentence.ts';
import {
  type AuditFilter,
  type AuditRecord,
  auditList,
  findAudit,
} from '../../store/audit-list.ts';
import type { Page } from '../../store/engine/page.ts';
import { type NumberedPage, numberedPage, pageOf } from '../page.ts';
import { refuseAdmin } from '../refusal.ts';

export type { AuditFilter, AuditRecord };

/**
 * Audit events, newest first, filtered by type or area, user, client, actor and time.
 * @throws AdminRefusal
 */
export function listAudit(filter: AuditFilter = {}): Promise<Page<AuditRecord>> {
  return pageOf(auditList, filter);
}

/** A numbered page of audit events, newest first, and how many there are. */
export function listAuditAt(filter: AuditFilter, page: number): Promise<NumberedPage<AuditRecord>> {
  return numberedPage(auditList, filter, { page, sort: { by: 'when', direction: 'descending' } });
}

/** The event with this id. @throws AdminRefusal if it is no longer kept */
export async function showAudit(id: string): Promise<AuditRecord> {
  return (await findAudit(id)) ?? refuseAdmin('event', sentence('refused.event.gone'), 'missing');
}
