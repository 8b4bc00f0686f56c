import type { z } from 'zod';
import { needOf, type RoleNeed } from '../identity/guards.ts';
import { may, type Role } from '../people/roles.ts';
import type { Actor } from '../store/actor.ts';
import type { ApiNoun } from './api-key/rights.ts';

/** Who acts, and what is known about the request besides what the act takes. */
export type By = {
  actor: Actor;
  role: Role;
  now: Date;
  /** The version that the editor saw, from the act's `version`. A later one is not changed. */
  seen?: string;
  /**
   * Called before anything dangerous. Throws if the sign-in is not fresh, or the API key lacks the
   * right. `besides`: another noun that is loosened, as an invitation with groups loosens `group`.
   */
  demandFresh: (besides?: ApiNoun) => void;
};

/**
 * Something that an admin, a person or a machine can do. The dashboard, the command line, the API
 * and its OpenAPI document all read it. `run` and `version` are methods, so that acts of all shapes
 * fit in one table.
 */
export type Act<Takes extends z.ZodType, Tells extends z.ZodType, Ahead = unknown> = {
  may: RoleNeed;
  /** What it does, in one sentence, for the command line and the API's description. */
  says: string;
  /** A sample of the body by which the API is asked for it, without the names in its address. */
  example?: Readonly<Record<string, unknown>>;
  /** A strict object with the names of the JSON: they are the options, the body and the query. */
  takes: Takes;
  /** Everything that it ever returns. Nothing in it is optional. */
  tells: Tells;
  /** Waits for a machine or a hash, before any transaction; changes nothing. */
  ahead?(said: z.output<Takes>, by: By): Promise<Ahead>;
  /** It waits again and again between its changes, so that no transaction can hold it. */
  waits?: true;
  run(said: z.output<Takes>, by: By, ahead: Ahead): Promise<z.input<Tells>>;
  /** The version of the one thing that was returned, to be sent back as `seen`. */
  version?(told: z.output<Tells>): string;
};

/** Only helps TypeScript infer the shapes. */
export const act = <Takes extends z.ZodType, Tells extends z.ZodType, Ahead = unknown>(
  definition: Act<Takes, Tells, Ahead>,
): Act<Takes, Tells> => definition;

export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

/**
 * The actor for a role: a person on the dashboard, or an API key. Without the admin role, it only
 * reaches people who have no role, whatever the act.
 */
export function actingAs(role: Role, source: Actor): Pick<By, 'actor' | 'role'> {
  return { actor: role === 'admin' ? source : { ...source, reach: 'people' }, role };
}

/**
 * The same, where no fresh sign-in is demanded: a page only shows something, a batch began with a
 * fresh sign-in, and the command line runs on the server's own machine.
 */
export const actingFreely = (role: Role, source: Actor, now: Date): By => ({
  ...actingAs(role, source),
  now,
  demandFresh: () => {},
});

/**
 * The only way to run an act. It reads nothing before the act is allowed, refuses what the act does
 * not take, and returns nothing that the act does not tell.
 * @throws NotAllowed, AdminRefusal
 */
export async function perform<Takes extends z.ZodType, Tells extends z.ZodType>(
  definition: Act<Takes, Tells>,
  said: z.input<Takes>,
  by: By,
): Promise<z.output<Tells>> {
  return (await begin(definition, said, by))(by);
}

/**
 * The part of `perform` that may wait. What it returns does the act, and fits into a transaction
 * unless the act `waits`.
 * @throws NotAllowed, AdminRefusal
 */
export async function begin<Takes extends z.ZodType, Tells extends z.ZodType>(
  definition: Act<Takes, Tells>,
  said: z.input<Takes>,
  by: By,
): Promise<(by: By) => Promise<z.output<Tells>>> {
  const { permission, fresh } = needOf(definition.may);
  if (!may(by.role, permission)) throw new NotAllowed(`The role ${by.role} may not do this.`);
  if (fresh) by.demandFresh();
  const read = definition.takes.safeParse(said);
  if (!read.success) {
    // Imported late: a command line that only prints its help loads no messages.
    const { refuseShape } = await import('./shape-refusal.ts');
    return refuseShape(read.error.issues, said, definition.takes);
  }
  const ahead = await definition.ahead?.(read.data, by);
  return async (by) => definition.tells.parse(await definition.run(read.data, by, ahead));
}
