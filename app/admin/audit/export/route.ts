import { exportAudit } from '#lib/management/audit-event/audit-export.ts';
import { pageZone } from '../../../zone.ts';
import { exportList, refuseHead } from '../../ui/export.ts';
import { readAsked } from '../filter.ts';

/** Exports the audit events of a search. */
export function GET(request: Request): Promise<Response> {
  return exportList(request, 'audit', async (query) => {
    const asked = Object.fromEntries(query);
    const format = asked.format === 'json' ? 'json' : 'csv';
    const { filter } = await readAsked(asked, await pageZone());
    const event = { type: 'audit.exported', detail: { format } } as const;
    return { format, event, pieces: exportAudit(filter, format) };
  });
}

export const HEAD = refuseHead;
