import { exportMatrix } from '#lib/management/grant/matrix-export.ts';
import { exportList, refuseHead } from '../../../ui/export.ts';
import { readAskedOf } from '../filter.ts';

/** Exports who may use what and who has, for the people and the app that match the filters. */
export function GET(request: Request): Promise<Response> {
  return exportList(request, 'approvals/matrix', async (query) => {
    const { people, apps } = await readAskedOf(Object.fromEntries(query));
    const event = { type: 'consent.exported', detail: { format: 'csv', list: 'matrix' } } as const;
    // An app that does not exist has no users.
    const pieces = exportMatrix(apps ? people : { ids: [] }, apps ?? {});
    return { format: 'csv', event, pieces };
  });
}

export const HEAD = refuseHead;
