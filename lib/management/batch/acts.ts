import { z } from 'zod';
import { act } from '../act.ts';
import { filterSaid, peopleFilter } from '../user/filter.ts';
import {
  moment,
  nextCursor,
  oneOf,
  paging,
  text,
  textOrNone,
  texts,
  wholeNumber,
  yesOrNo,
} from '../values.ts';
import type { BatchSoFar } from './batches.ts';
import { startable } from './operations.ts';

// Imported late: a command line that only prints its help opens no store.
const batches = () => import('./batches.ts');
const run = () => import('./run.ts');

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
      expect: wholeNumber
        .meta({ description: 'do nothing unless this is the number of people chosen', minimum: 1 })
        .optional(),
    }),
    tells: batchTold,
    async run({ operation, ids, everyone, group, expect, ...filter }, by) {
      const { checkSelection, startBatch } = await batches();
      const meant = checkSelection({ ids, everyone, filter: filterSaid(filter, by.now) });
      return tellBatch(await startBatch({ operation, meant, group, expected: expect }, by));
    },
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
  const { inEnglish } = await run();
  return {
    ...progress,
    id,
    operation,
    made_by: madeBy,
    total,
    created_at: createdAt,
    finished_at: finishedAt,
    stopped: inEnglish(stopped),
  };
}
