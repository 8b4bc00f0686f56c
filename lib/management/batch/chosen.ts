import type { z } from 'zod';
import { directoryWithId } from '../../identity/directory/configured.ts';
import { sayDuration } from '../../settings/duration.ts';
import type { Given } from '../../store/batches.ts';
import { findGroupById } from '../../store/groups.ts';
import type { peopleFilter } from '../user/filter.ts';

export type FilterSaid = z.output<z.ZodObject<typeof peopleFilter>> & { everyone?: boolean };
export type FilterName = keyof FilterSaid;

/**
 * The filter by which people were chosen, for whoever reads of it later: as it was said, with the
 * names that its group and its directory have now.
 */
export async function chosenBy({
  member_of,
  directory,
  not_signed_in_for: span,
  ...plain
}: FilterSaid): Promise<Given> {
  const named = {
    ...plain,
    member_of: member_of && ((await findGroupById(member_of))?.name ?? member_of),
    directory: directory && (directoryWithId(directory)?.name ?? directory),
    not_signed_in_for: span === undefined ? undefined : sayDuration(span),
  };
  const said = Object.entries(named).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(said.map(([name, value]) => [name, String(value)]));
}
