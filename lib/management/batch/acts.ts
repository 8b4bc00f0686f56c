import { z } from 'zod';
import { act } from '../act.ts';
import { filterSaid, peopleFilter } from '../user/filter.ts';
import {
  endSaid,
  moment,
  nextCursor,
  oneOf,
  paging,
  text,
  textOrNone,
  texts,
  textsByName,
  wholeNumber,
  yesOrNo,
} from '../values.ts';
import type { BatchSoFar } from './batches.ts';
import { startable } from './operations.ts';

// Imported late: a command line that only prints its help opens no store.
const batches = () => import('./batches.ts');
const run = () => import('./run.ts');
const undo = () => import('./undo.ts');

/** The maximum number of people who are named. */
const mostNamed = 500;

const id = text.meta({ description: 'the id of the batch' });

export const batchTold = z
  .object({
    id: text,
    operation: text,
    made_by: text,
    total: z.int(),
    done: z.int(),
    already: z.int().meta({ description: 'nothing had to change' }),
    refused: z.int(),
    waiting: z.int(),
    created_at: moment,
    finished_at: moment.nullable(),
    stopped: textOrNone.meta({ description: 'why it ended early' }),
    note: textOrNone.meta({ description: 'why it was started' }),
    chosen_by: textsByName
      .nullable()
      .meta({ description: 'the filter that chose the people; null: they were chosen one by one' }),
    undoes: textOrNone.meta({ description: 'the id of the batch that it undoes' }),
    can_undo: z.int().meta({ description: 'for how many of the people it can still be undone' }),
  })
  .meta({ id: 'Batch' });

export const batchActs = {
  start: act({
    may: 'fresh-help-people',
    says: 'do something to many people in the background, chosen by ids or by a filter',
    example: { operation: 'sign-out', ids: ['USER_ID'], expect: 1 },
    takes: z.strictObject({
      operation: oneOf(startable).meta({ description: startable.join(', ') }),
      ids: texts
        .meta({ description: 'ids of people, or of invitations; at most 10000' })
        .optional(),
      everyone: yesOrNo.meta({ description: 'everyone, without a filter' }).optional(),
      ...peopleFilter,
      group: text.meta({ description: 'the id of the group to add to or remove from' }).optional(),
      ends_at: endSaid
        .meta({ description: `for set-end and add-to-group: ${endSaid.description}` })
        .optional(),
      expect: wholeNumber
        .meta({ description: 'do nothing unless this is the number of people chosen', minimum: 1 })
        .optional(),
      note: text
        .meta({ description: 'why; needed for more than 20 people, not for invitations' })
        .optional(),
    }),
    tells: batchTold,
    async run(
      { operation, ids, everyone, group, ends_at: endsAt, expect: expected, note, ...filter },
      by,
    ) {
      const { checkSelection, startBatch } = await batches();
      const meant = checkSelection({ ids, everyone, filter: filterSaid(filter, by.now) });
      const said = { everyone, ...filter };
      const asked = { operation, meant, group, endsAt, expected, note, said };
      return tellBatch(await startBatch(asked, by));
    },
  }),

  planUndo: act({
    may: 'help-people',
    says: 'show for how many people a batch can be undone, and who would be left alone',
    takes: z.strictObject({ id }),
    tells: z.object({
      id: text,
      operation: text,
      people: z.int().meta({ description: 'for how many it would be undone' }),
      left_alone: z.int().meta({ description: 'how many would stay as they are' }),
      who: z
        .array(z.object({ id: text, name: text, reason: text }))
        .meta({ description: 'those who would be left alone, and why; at most 500' }),
    }),
    async run(said, by) {
      const { batch, people, leftAlone } = await (await undo()).planUndo(said.id, by);
      const { sentenceIn } = await import('../../messages/text.ts');
      const who = leftAlone
        .slice(0, mostNamed)
        .map(({ why, ...person }) => ({ ...person, reason: sentenceIn('en', why) }));
      const { id, operation } = batch;
      return { id, operation, people, left_alone: leftAlone.length, who };
    },
  }),

  undo: act({
    may: 'fresh-help-people',
    says: 'undo a batch in the background: whoever has changed since is left alone',
    takes: z.strictObject({ id }),
    tells: batchTold,
    run: async (said, by) => tellBatch(await (await undo()).startUndo(said.id, by)),
  }),

  list: act({
    may: 'see-people',
    says: 'list recent batches, the latest first; at most 50',
    takes: z.strictObject({}),
    tells: z.object({ batches: z.array(batchTold) }),
    async run(_, by) {
      const found = await (await batches()).listBatches(by);
      return { batches: await Promise.all(found.map(tellBatch)) };
    },
  }),

  show: act({
    may: 'see-people',
    says: 'show the progress of a batch',
    takes: z.strictObject({ id }),
    tells: batchTold,
    run: async (said, by) => tellBatch(await (await batches()).showBatch(said.id, by)),
  }),

  listNotDone: act({
    may: 'see-people',
    says: 'list what a batch did not do, and why',
    takes: z.strictObject({ id, ...paging }),
    tells: z.object({
      not_done: z.array(z.object({ id: text, name: text, reason: text })),
      next: nextCursor,
    }),
    async run({ id, ...paging }, by) {
      const { rows, next } = await (await batches()).listNotDone(id, by, paging);
      const { inEnglish } = await run();
      const not_done = rows.map(({ subject, label, reason }) => ({
        id: subject,
        name: label,
        reason: inEnglish(reason) ?? '',
      }));
      return { not_done, next };
    },
  }),

  stop: act({
    may: 'help-people',
    says: 'stop a batch: what is done stays, the rest is left out',
    takes: z.strictObject({ id }),
    tells: batchTold,
    run: async (said, by) => tellBatch(await (await batches()).stopBatch(said.id, by)),
  }),
};

export async function tellBatch(batch: BatchSoFar): Promise<z.input<typeof batchTold>> {
  const { id, operation, madeBy, total, progress, createdAt, finishedAt, stopped } = batch;
  const { note, chosen, undoes } = batch;
  const { inEnglish } = await run();
  const { kept, ...counts } = progress;
  return {
    ...counts,
    id,
    operation,
    made_by: madeBy,
    total,
    created_at: createdAt,
    finished_at: finishedAt,
    stopped: inEnglish(stopped),
    note,
    chosen_by: chosen,
    undoes,
    can_undo: finishedAt && undoes === null ? kept : 0,
  };
}
