import { z } from 'zod';
import type { GrantFilter } from '../../store/grant-list.ts';
import { howLong, text } from '../values.ts';

/** Whose approvals: of a person, of a client, or of one person at one client. */
export const whose = {
  user: text.meta({ description: 'of the person with this id' }).optional(),
  client: text.meta({ description: 'of this client' }).optional(),
};

export const approvalFilter = {
  ...whose,
  member_of: text
    .meta({ description: 'only those of members of the group with this id' })
    .optional(),
  used_within: howLong
    .meta({ description: 'only those that were used within this time, such as "30 days"' })
    .optional(),
  not_used_for: howLong
    .meta({ description: 'only those that were not used for this long, such as "90 days"' })
    .optional(),
};

const shape = z.strictObject(approvalFilter);
export type ApprovalsSaid = z.input<typeof shape>;

export function filterSaid(said: z.output<typeof shape>, now: Date): GrantFilter {
  const ago = (seconds?: number) =>
    seconds === undefined ? undefined : new Date(now.getTime() - seconds * 1000);
  return {
    userId: said.user,
    clientId: said.client,
    group: said.member_of,
    usedSince: ago(said.used_within),
    unusedSince: ago(said.not_used_for),
  };
}

/** Parses a received filter. @throws ZodError */
export const readFilter = (said: ApprovalsSaid, now: Date): GrantFilter =>
  filterSaid(shape.parse(said), now);
