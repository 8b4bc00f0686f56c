import type { z } from 'zod';
import { told } from '../told.ts';
import { type fieldsTold, userTold } from './fields.ts';
import type { UserRecord } from './users.ts';

// Imported late: a command line that only prints its help opens no store.
const values = () => import('./field-values.ts');
const groups = () => import('../group/groups.ts');

/** A user, as acts return them. */
export const toldUser = (user: UserRecord): z.input<typeof userTold> =>
  told(userTold, {
    ...user,
    claims: user.claims as Record<string, string>,
    disabled: user.disabledAt !== null,
  });

/** The names of a user's groups. */
export const groupNamesOf = async (id: string): Promise<string[]> =>
  (await (await groups()).groupsOf(id)).map(({ name }) => name);

/** A user's values in the operator's own fields. */
export async function toldFields(id: string): Promise<z.input<typeof fieldsTold>> {
  const own = await (await values()).ownFieldsOf(id);
  const had = own.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]));
  return Object.fromEntries(had);
}
