import { z } from 'zod';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { moment, oneOf, text } from '../values.ts';

// Imported late: a command line that only prints its help opens no store.
const deletions = () => import('./deletions.ts');

const id = text.meta({ description: 'the id of the deletion, from the list' });
const kinds = ['user', 'client', 'group'] as const;
const kind = oneOf(kinds);

const deletion = z
  .object({
    id: text,
    kind: text.meta({ description: kinds.join(', ') }),
    subject: text.meta({ description: 'the id that it had, and has again once it is put back' }),
    name: text,
    deleted_at: moment,
    made_by: text.meta({ description: 'who deleted it' }),
    until: moment.meta({ description: 'until when it can be put back' }),
  })
  .meta({ id: 'Deletion' });

const subjectTold = z.object({ kind: text, subject: text, name: text });

export const deletionActs = {
  list: act({
    may: 'see-everything',
    says: 'list deleted users, clients and groups that can be put back, the latest first; at most 500',
    takes: z.strictObject({
      kind: kind.meta({ description: `only these: ${kinds.join(', ')}` }).optional(),
    }),
    tells: z.object({ deletions: z.array(deletion) }),
    async run(said) {
      const found = await (await deletions()).listDeletions(said.kind ?? null);
      return { deletions: found.map((each) => told(deletion, each)) };
    },
  }),

  restore: act({
    may: 'fresh-admin',
    says: 'put back a deleted user, client or group as it was; ended sessions and tokens stay that way',
    takes: z.strictObject({ id }),
    tells: subjectTold.extend({ restored: z.literal(true) }),
    async run(said, by) {
      const { kind, subject, name } = await (await deletions()).putBack(said.id, by);
      return { kind, subject, name, restored: true as const };
    },
  }),

  end: act({
    may: 'fresh-admin',
    says: 'delete it for good at once, so that it can no longer be put back',
    takes: z.strictObject({ id }),
    tells: subjectTold.extend({ ended: z.literal(true) }),
    async run(said, { actor, now }) {
      const { kind, subject, name } = await (await deletions()).endDeletion(said.id, actor, now);
      return { kind, subject, name, ended: true as const };
    },
  }),
};
