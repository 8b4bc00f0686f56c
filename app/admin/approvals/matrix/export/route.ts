import { exportMatrix } from '#lib/management/grant/matrix-export.ts';
import { exportList, refuseHead } from '../../../ui/export.ts';
import { readAskedOf } from '../filter.ts';

/** Exports who may use what and who did, of the people and the app that the filters find. */
export function GET(request: Request): Promise<Response> {
  return exportList(request, 'approvals/matrix', async (query) => {
    const { people, clientId } = await readAskedOf(Object.fromEntries(query));
    const event = { type: 'consent.exported', detail: { format: 'csv', list: 'matrix' } } as const;
    // An app that is not there has nobody.
    const pieces = exportMatrix(clientId === null ? { ids: [] } : people, clientId ?? undefined);
    return { format: 'csv', event, pieces };
  });
}

export const HEAD = refuseHead;
