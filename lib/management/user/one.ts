import { z } from 'zod';
import type { By } from '../act.ts';
import { text } from '../values.ts';
import { toldUser } from './told.ts';

// Late: a command line that prints its help opens no store.
const users = () => import('./users.ts');

export const id = text.meta({ description: 'the id of the person' });
/** What acts on one person take that need nothing else. */
export const only = z.strictObject({ id });

/** An act on somebody that tells what they are then. */
export const onOne =
  (work: 'disableUser' | 'enableUser' | 'removeFactors') =>
  async (said: { id: string }, { actor, now }: By) =>
    toldUser(await (await users())[work](await known(said.id), actor, now));

/** An id that is somebody's: what is done to people by hand goes by their names, too. @throws AdminRefusal */
export const known = async (id: string) => (await (await users()).userWithId(id)).id;
