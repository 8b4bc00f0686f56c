import { exportAttempts } from '#lib/management/attempt/attempts-export.ts';
import { pageZone } from '../../../zone.ts';
import { exportList, refuseHead } from '../../ui/export.ts';
import { readAttempts } from '../filter.ts';

/** Exports the attempts that match the list's filters. */
export function GET(request: Request): Promise<Response> {
  return exportList(request, 'traces', async (query) => {
    const { filter } = await readAttempts(Object.fromEntries(query), await pageZone());
    const event = { type: 'trace.exported', detail: { format: 'csv' } } as const;
    return { format: 'csv', event, pieces: exportAttempts(filter) };
  });
}

export const HEAD = refuseHead;
