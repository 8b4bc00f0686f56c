import { z } from 'zod';
import { roles } from '../../people/roles.ts';
import type { UserFilter } from '../../store/user-list.ts';
import { howLong, text, yesOrNo } from '../values.ts';
import { roleSaid } from './fields.ts';

/** The one filter for people, both for lists and for what is done to all that match. */
export const peopleFilter = {
  q: text
    .meta({ description: 'start of the username, email address, name or last name' })
    .optional(),
  username: text.meta({ description: 'only the user with exactly this username' }).optional(),
  email: text.meta({ description: 'only the user with exactly this email address' }).optional(),
  admin: yesOrNo.meta({ description: 'admins only' }).optional(),
  role: roleSaid.meta({ description: `those with this role only: ${roles.join(', ')}` }).optional(),
  disabled: yesOrNo.meta({ description: 'disabled users only' }).optional(),
  unfit_name: yesOrNo
    .meta({ description: 'only users whose username breaks the rules and must change' })
    .optional(),
  locked: yesOrNo
    .meta({ description: 'only users who have to wait after wrong passwords' })
    .optional(),
  not_signed_in_for: howLong
    .meta({ description: 'only users who have not signed in for this long, such as "90 days"' })
    .optional(),
  never_signed_in: yesOrNo.meta({ description: 'only users who never signed in' }).optional(),
  member_of: text.meta({ description: 'only members of the group with this id' }).optional(),
  directory: text
    .meta({ description: 'only users whose password is in the directory (LDAP) with this id' })
    .optional(),
  second_step: yesOrNo
    .meta({ description: 'only users who sign in with a second step, or a passkey' })
    .optional(),
  second_step_required: yesOrNo
    .meta({ description: 'only users with two steps required by an admin' })
    .optional(),
};

const shape = z.strictObject(peopleFilter);
type Said = z.output<typeof shape>;
export type PeopleSaid = z.input<typeof shape>;

/** The filter for the store. Absent or blank conditions don't narrow it. */
export function filterSaid(said: Said, now: Date): UserFilter {
  const { not_signed_in_for: span } = said;
  return {
    search: said.q?.trim() || undefined,
    username: said.username,
    email: said.email,
    admin: said.admin,
    role: said.role,
    disabled: said.disabled,
    unfit: said.unfit_name,
    lockedAt: said.locked ? now : undefined,
    quietSince: span === undefined ? undefined : new Date(now.getTime() - span * 1000),
    neverSignedIn: said.never_signed_in,
    group: said.member_of,
    directory: said.directory,
    secondStep: said.second_step,
    secondStepRequired: said.second_step_required,
  };
}

/** Parses a received filter. @throws ZodError */
export const readFilter = (said: PeopleSaid, now: Date): UserFilter =>
  filterSaid(shape.parse(said), now);
