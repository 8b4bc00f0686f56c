import { exportPeople } from '#lib/management/user/people-export.ts';
import { exportList, refuseHead } from '../../ui/export.ts';
import { readSelection } from '../../ui/table/selection.ts';
import { selectedPeople } from '../filter.ts';

/** Exports the ticked people, or all that match the list's filters. */
export function GET(request: Request): Promise<Response> {
  return exportList(request, 'people', async (query, now) => {
    const asked = Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name)]));
    const selection = readSelection(asked) ?? { ids: [] };
    const filter = await selectedPeople(selection, now);
    const event = { type: 'user.exported', detail: { format: 'csv' } } as const;
    return { format: 'csv', event, pieces: exportPeople(filter, now) };
  });
}

export const HEAD = refuseHead;
