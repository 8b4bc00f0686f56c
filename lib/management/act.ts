import type { z } from 'zod';
import { needOf, type RoleNeed } from '../identity/guards.ts';
import { may, type Role } from '../people/roles.ts';
import type { Actor } from '../store/actor.ts';
import type { ApiNoun } from './api-key/rights.ts';

/** Who acts, and what is known of it besides what they say. */
export type By = {
  actor: Actor;
  role: Role;
  now: Date;
  /** The version that was edited, in the words of the act's `version`; a later one is not changed. */
  seen?: string;
  /**
   * Called before what is dangerous; throws where the sign-in is not fresh, or the key has no right to it.
   * `besides`: what it loosens besides its noun, as an invitation that is for groups does.
   */
  demandFresh: (besides?: ApiNoun) => void;
};

/**
 * Something that an admin, a person or a machine can do. Dashboard, command line, API and OpenAPI
 * read it. `run` and `version` are methods, so that acts of all shapes fit one table.
 */
export type Act<Takes extends z.ZodType, Tells extends z.ZodType> = {
  may: RoleNeed;
  /** What it does, in one sentence: on the command line, in the API's description. */
  says: string;
  /** A strict object under JSON's names: they are the options, the body and the query. */
  takes: Takes;
  /** All that is ever told; nothing in it is optional. */
  tells: Tells;
  run(said: z.output<Takes>, by: By): Promise<z.input<Tells>>;
  /** The version of the one thing that was told, to be given back as `seen`. */
  version?(told: z.output<Tells>): string;
};

/** Only helps TypeScript to see the shapes. */
export const act = <Takes extends z.ZodType, Tells extends z.ZodType>(
  definition: Act<Takes, Tells>,
): Act<Takes, Tells> => definition;

/** The actor's role does not allow the act. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

/**
 * Who acts with this role: a person of the dashboard or a key. Who is no admin acts on people
 * without a role alone, whatever the act.
 */
export function actingAs(role: Role, source: Actor): Pick<By, 'actor' | 'role'> {
  return { actor: role === 'admin' ? source : { ...source, reach: 'people' }, role };
}

/**
 * The same, where no fresh sign-in is asked: a page only shows something, a batch began with one, and
 * whoever is at the machine of the server needs none.
 */
export const actingFreely = (role: Role, source: Actor, now: Date): By => ({
  ...actingAs(role, source),
  now,
  demandFresh: () => {},
});

/**
 * The one way to run an act: nothing is read before it is allowed, nothing is done with what the act
 * does not take, and nothing is told that it does not say.
 * @throws NotAllowed, AdminRefusal
 */
export async function perform<Takes extends z.ZodType, Tells extends z.ZodType>(
  definition: Act<Takes, Tells>,
  said: z.input<Takes>,
  by: By,
): Promise<z.output<Tells>> {
  const { permission, fresh } = needOf(definition.may);
  if (!may(by.role, permission)) throw new NotAllowed(`The role ${by.role} may not do this.`);
  if (fresh) by.demandFresh();
  const read = definition.takes.safeParse(said);
  if (!read.success) {
    // Late: a command line that prints its help loads no messages.
    const { refuseShape } = await import('./shape-refusal.ts');
    return refuseShape(read.error.issues, said, definition.takes);
  }
  return definition.tells.parse(await definition.run(read.data, by));
}
