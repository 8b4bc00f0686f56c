import { exportAnswers } from '#lib/management/terms/answers-export.ts';
import { exportList, refuseHead } from '../../ui/export.ts';

/** Exports who answered what to a version. */
export function GET(request: Request): Promise<Response> {
  return exportList(request, 'terms', async (query) => {
    const name = query.get('name') ?? '';
    const event = { type: 'terms.exported', detail: { name } } as const;
    return { format: 'csv', event, pieces: exportAnswers(name) };
  });
}

export const HEAD = refuseHead;
