import { z } from 'zod';
import type { Actor } from '../../store/actor.ts';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { fieldsSaid } from '../user/fields.ts';
import { moment, text, textOrNone, texts } from '../values.ts';
import type { NewInvitation } from './invitations.ts';

// Imported late: a command line that only prints its help opens no store.
const invitations = () => import('./invitations.ts');

const invitation = z
  .object({
    id: text,
    email: text,
    invited_by: textOrNone,
    groups: texts,
    created_at: moment,
    expires_at: moment,
  })
  .meta({ id: 'Invitation' });

const invited = z
  .object({
    id: text,
    email: text,
    link: textOrNone.meta({ description: 'none for support once it is mailed' }),
    mailed: z.boolean(),
    groups: texts,
    expires_at: moment,
  })
  .meta({ id: 'SentInvitation' });

export const invitationActs = {
  list: act({
    may: 'see-people',
    says: 'list pending invitations',
    takes: z.strictObject({
      email: text.meta({ description: 'only the one for exactly this email address' }).optional(),
    }),
    tells: z.object({ invitations: z.array(invitation) }),
    async run({ email }, { now }) {
      const rows = await (await invitations()).listInvitations(now, email);
      return { invitations: rows.map((row) => told(invitation, row)) };
    },
  }),

  create: act({
    may: 'fresh-help-people',
    says: 'invite someone to create an account; the link is emailed to them and shown here',
    example: { email: 'bob@example.org' },
    takes: z.strictObject({
      email: text.meta({ description: 'their email address' }),
      groups: texts.meta({ description: 'a group they will be in, by name or id' }).optional(),
      name: text.meta({ description: 'their full name, which they can change' }).optional(),
      username: text.meta({ description: 'a username for them, which they can change' }).optional(),
      language: text.meta({ description: 'the language they read, such as de' }).optional(),
      note: text.meta({ description: 'what the invitation is for; shown in the email' }).optional(),
      fields: fieldsSaid.meta({ description: 'values of custom fields' }).optional(),
    }),
    tells: invited,
    async run({ email, groups, fields, ...said }, { actor, now }) {
      const { fieldsTyped } = await import('../user/said.ts');
      const further = { ...said, fields: fields && fieldsTyped(fields) };
      const made = await (await invitations()).invite(email, actor, now, groups, further);
      return tellInvited(made, actor);
    },
  }),

  resend: act({
    may: 'fresh-help-people',
    says: 'email an invitation again, with a new link that works just as long; the old one stops working',
    takes: z.strictObject({ id: text.meta({ description: 'its id' }) }),
    tells: invited,
    async run({ id }, by) {
      return tellInvited(await (await invitations()).resendInvitation(id, by), by.actor);
    },
  }),

  delete: act({
    may: 'help-people',
    says: 'withdraw an invitation',
    takes: z.strictObject({ id: text.meta({ description: 'its id' }) }),
    tells: z.object({ id: text, revoked: z.literal(true) }),
    async run({ id }, { actor, now }) {
      await (await invitations()).revokeInvitation(id, actor, now);
      return { id, revoked: true as const };
    },
  }),
};

/** It proves the address, so those who only help people don't get a mailed one. */
function tellInvited(made: NewInvitation, { reach }: Actor): z.input<typeof invited> {
  const link = made.mailed && reach === 'people' ? null : made.link;
  return told(invited, { ...made, link });
}
