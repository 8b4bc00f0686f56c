import { z } from 'zod';
import type { By } from '../act.ts';
import { text } from '../values.ts';
import { toldUser } from './told.ts';

// Imported late: a command line that only prints its help opens no store.
const users = () => import('./users.ts');

export const id = text.meta({ description: 'the id of the person' });
/** The input of acts on one person that need nothing else. */
export const only = z.strictObject({ id });

/** Runs an act on a user and returns the user afterwards. */
export const onOne =
  (work: 'disableUser' | 'enableUser' | 'removeFactors') =>
  async (said: { id: string }, { actor, now }: By) =>
    toldUser(await (await users())[work](await known(said.id), actor, now));

/**
 * The id, if it is exactly a user's. The functions that it is passed to would also accept names.
 * @throws AdminRefusal
 */
export const known = async (id: string) => (await (await users()).userWithId(id)).id;
