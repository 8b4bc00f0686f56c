import { exportApprovals } from '#lib/management/grant/grants-export.ts';
import { exportList, refuseHead } from '../../ui/export.ts';
import { readApprovals } from '../filter.ts';

/** Exports the approvals that match the list's filters. */
export function GET(request: Request): Promise<Response> {
  return exportList(request, 'approvals', async (query, now) => {
    const { filter } = await readApprovals(Object.fromEntries(query), now);
    const event = { type: 'consent.exported', detail: { format: 'csv' } } as const;
    return { format: 'csv', event, pieces: exportApprovals(filter) };
  });
}

export const HEAD = refuseHead;
