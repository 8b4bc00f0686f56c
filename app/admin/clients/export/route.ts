import { exportApps } from '#lib/management/client/apps-export.ts';
import { exportList, refuseHead } from '../../ui/export.ts';
import { wantedOf } from '../screen.ts';

/** Exports the apps that match the list's filters. */
export function GET(request: Request): Promise<Response> {
  return exportList(request, 'clients', async (query, now) => {
    const event = { type: 'client.exported', detail: { format: 'csv' } } as const;
    const pieces = exportApps(await wantedOf(Object.fromEntries(query), now), now);
    return { format: 'csv', event, pieces };
  });
}

export const HEAD = refuseHead;
