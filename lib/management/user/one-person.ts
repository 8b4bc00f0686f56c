import { z } from 'zod';
import type { By } from '../act.ts';
import { text } from '../values.ts';
import { toldUser } from './told.ts';

// Imported late: a command line that only prints its help opens no store.
const users = () => import('./users.ts');

export const personId = text.meta({ description: 'the id of the person' });
/** The input of acts on one person that need nothing else. */
export const takesPerson = z.strictObject({ id: personId });

export const actOnPerson =
  (work: 'disableUser' | 'enableUser' | 'removeFactors') =>
  async (said: { id: string }, { actor, now }: By) =>
    toldUser(await (await users())[work](await existingUserId(said.id), actor, now));

/**
 * The id, if it is exactly a user's. The functions that it is passed to would also accept names.
 * @throws AdminRefusal
 */
export const existingUserId = async (id: string) => (await (await users()).userWithId(id)).id;
