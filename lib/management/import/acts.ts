import { z } from 'zod';
import { act } from '../act.ts';
import { batchTold, tellBatch } from '../batch/acts.ts';
import { text, texts, yesOrNo } from '../values.ts';
import type { Import } from './imports.ts';

// Late: a command line that prints its help opens no store.
const imports = () => import('./imports.ts');

const id = text.meta({ description: 'the id of the list' });
const columns = texts
  .meta({
    description:
      'what each column says, in order: email, name, given_name, family_name, username, language, groups, field.NAME or skip (as their heads say)',
  })
  .optional();

/** So many of each kind are told. */
const mostTold = 200;

const told = z.object({
  id: text,
  columns: texts,
  invite: z.int().meta({ description: 'lines of people who would be invited' }),
  here: z.int().meta({ description: 'who have an account' }),
  invited: z.int().meta({ description: 'who have an invitation that waits' }),
  wrong: z.int(),
  wrong_lines: z
    .array(z.object({ line: z.int(), text, why: text }))
    .meta({ description: `the first ${mostTold}` }),
});

export const importActs = {
  read: act({
    may: 'help-people',
    says: 'read a list of people to invite, and tell what would become of each line; nobody is invited yet',
    takes: z.strictObject({
      list: text.meta({ description: 'addresses, or a table as CSV; it is kept for a day' }),
      columns,
    }),
    tells: told,
    async run({ list, columns }, by) {
      const { planImport, readList } = await imports();
      return tellImport(await planImport(await readList(list, by), columns, by));
    },
  }),

  show: act({
    may: 'help-people',
    says: 'tell what would become of each line of a list that was read',
    takes: z.strictObject({ id, columns }),
    tells: told,
    run: async ({ id, columns }, by) =>
      tellImport(await (await imports()).planImport(id, columns, by)),
  }),

  start: act({
    may: 'fresh-help-people',
    says: 'invite the people of a list that was read, in the background',
    takes: z.strictObject({
      id,
      columns,
      groups: texts
        .meta({ description: 'a group that all of them will be in, by name or id' })
        .optional(),
      note: text.meta({ description: 'what the invitation is for; the email says it' }).optional(),
      leave_out_wrong: yesOrNo.meta({ description: 'leave out lines that are wrong' }).optional(),
    }),
    tells: batchTold,
    async run({ id, leave_out_wrong: leaveOut, ...said }, by) {
      return tellBatch(await (await imports()).startImport(id, { ...said, leaveOut }, by));
    },
  }),
};

async function tellImport({ id, columns, plan }: Import): Promise<z.input<typeof told>> {
  const { sentenceIn } = await import('../../messages/text.ts');
  const { defaultLocale } = await import('../../messages/locales.ts');
  const { invite, here, invited, wrong } = plan;
  return {
    id,
    columns,
    invite: invite.length,
    here: here.length,
    invited: invited.length,
    wrong: wrong.length,
    wrong_lines: wrong
      .slice(0, mostTold)
      .map(({ at, text, why }) => ({ line: at, text, why: sentenceIn(defaultLocale, why) })),
  };
}
