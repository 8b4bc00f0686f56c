import type { z } from 'zod';
import type { fieldsTold, userTold } from './fields.ts';
import type { UserRecord } from './users.ts';

// Imported late: a command line that only prints its help opens no store.
const values = () => import('./field-values.ts');
const groups = () => import('../group/groups.ts');

/** A user, as acts return them. */
export function toldUser(user: UserRecord): z.input<typeof userTold> {
  return {
    id: user.id,
    username: user.username,
    username_unfit: user.usernameUnfit,
    email: user.email,
    email_verified: user.emailVerified,
    name: user.name,
    claims: user.claims as Record<string, string>,
    must_change_password: user.mustChangePassword,
    require_second_factor: user.requireSecondFactor,
    admin: user.admin,
    role: user.role,
    disabled: user.disabledAt !== null,
    disabled_at: user.disabledAt,
    deletion_at: user.deletionAt,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}

/** The names of a user's groups. */
export const groupNamesOf = async (id: string): Promise<string[]> =>
  (await (await groups()).groupsOf(id)).map(({ name }) => name);

/** A user's values in the operator's own fields. */
export async function toldFields(id: string): Promise<z.input<typeof fieldsTold>> {
  const own = await (await values()).ownFieldsOf(id);
  const had = own.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]));
  return Object.fromEntries(had);
}
