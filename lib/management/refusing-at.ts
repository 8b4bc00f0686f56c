import { isAdminRefusal } from './is-refusal.ts';
import type { AdminRefusal } from './refusal.ts';

/** Runs work and moves the faults of its refusals to other places. @throws AdminRefusal */
export const refusingAt = <T>(placeOf: (field: string) => string, work: Promise<T>): Promise<T> =>
  work.catch(async (error: unknown) => {
    throw isAdminRefusal(error) ? await refusalAt(error, placeOf) : error;
  });

async function refusalAt(
  { field, said, faults, kind }: AdminRefusal,
  placeOf: (field: string) => string,
): Promise<AdminRefusal> {
  const moved = Object.entries(faults).map(([name, fault]) => [placeOf(name), fault]);
  // Imported late: a command line that only prints its help loads no messages.
  const { AdminRefusal } = await import('./refusal.ts');
  return new AdminRefusal(field && placeOf(field), said, Object.fromEntries(moved), kind);
}
