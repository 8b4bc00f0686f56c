import type { z } from 'zod';
import { roles } from '../../people/roles.ts';
import { readDuration } from '../../settings/duration.ts';
import type { UserFilter } from '../../store/user-list.ts';
import { must, text, yesOrNo } from '../values.ts';
import { roleSaid } from './fields.ts';

/** A time as people say it, in seconds. */
const span = text.transform((said, context) => {
  const read = readDuration(said);
  if ('seconds' in read && read.seconds <= 400 * 365 * 86_400) return read.seconds;
  context.addIssue({ code: 'custom', message: must('takes.span').error });
  return 0;
});

/** Which people are meant: the one list, of what lists them and of what is done to all that match. */
export const peopleFilter = {
  q: text
    .meta({ description: 'start of the username, email address, name or last name' })
    .optional(),
  admin: yesOrNo.meta({ description: 'admins only' }).optional(),
  role: roleSaid.meta({ description: `those with this role only: ${roles.join(', ')}` }).optional(),
  disabled: yesOrNo.meta({ description: 'disabled users only' }).optional(),
  unfit_name: yesOrNo
    .meta({ description: 'only users whose username breaks the rules and must change' })
    .optional(),
  locked: yesOrNo
    .meta({ description: 'only users who have to wait after wrong passwords' })
    .optional(),
  not_signed_in_for: span
    .meta({ description: 'only users who have not signed in for so long, such as "90 days"' })
    .optional(),
};

type Said = z.output<z.ZodObject<typeof peopleFilter>>;

/** The filter that was said. */
export function filterSaid(said: Said, now: Date): UserFilter {
  const { q: search, unfit_name: unfit, locked, not_signed_in_for: span, ...plain } = said;
  return {
    ...plain,
    search,
    unfit,
    lockedAt: locked ? now : undefined,
    quietSince: span === undefined ? undefined : new Date(now.getTime() - span * 1000),
  };
}
