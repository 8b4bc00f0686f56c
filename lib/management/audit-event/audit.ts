import {
  type AuditFilter,
  type AuditRecord,
  listAudit as listStored,
} from '../../store/audit-list.ts';
import type { Page } from '../../store/engine/page.ts';
import { pageOf } from '../page.ts';

export type { AuditFilter, AuditRecord };

/**
 * Audit events, newest first, filtered by type or area, user, client, actor and time.
 * @throws AdminRefusal
 */
export function listAudit(filter: AuditFilter = {}): Promise<Page<AuditRecord>> {
  return pageOf(listStored, filter);
}
