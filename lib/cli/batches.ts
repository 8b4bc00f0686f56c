import type { Command } from 'commander';
import type { z } from 'zod';
import { batchActs } from '../management/batch/acts.ts';
import { addAct } from './act-command.ts';
import { idOfGroup, peopleFlags } from './people-filter.ts';
import { type Fact, facts, table, withNext } from './text.ts';

const which = ['<id>', 'its id, from batch list'] as const;

export function addBatchCommands(program: Command): void {
  const batch = program
    .command('batch')
    .description('bulk actions on people, which the server carries out in the background');
  addStart(batch);
  addAct(batch.command('list'), batchActs.list, {
    text({ batches }) {
      const rows = batches.map((one) => [
        one.id,
        one.operation,
        one.total,
        one.done,
        one.already,
        one.refused,
        one.waiting,
        one.created_at,
        one.finished_at,
        one.made_by,
        one.note,
      ]);
      const head = ['id', 'operation', 'people', 'done', 'so before', 'refused', 'waiting'];
      return table([...head, 'started', 'ended', 'by', 'why'], rows, 'No recent batches.');
    },
  });
  addAct(batch.command('show'), batchActs.show, { places: { id: which }, text: textOf });
  addAct(batch.command('not-done'), batchActs.listNotDone, {
    places: { id: which },
    text({ not_done, next }) {
      const rows = not_done.map(({ id, name, reason }) => [id, name, reason]);
      return withNext(table(['id', 'name', 'why'], rows, 'Nothing was refused.'), next);
    },
  });
  addAct(batch.command('plan-undo'), batchActs.planUndo, {
    places: { id: which },
    text({ operation, people, left_alone, who }) {
      const rows = who.map(({ id, name, reason }) => [id, name, reason]);
      const about: Fact[] = [
        ['operation', operation],
        ['people', people],
        ['left alone', left_alone],
      ];
      return `${facts(about)}\n${table(['id', 'name', 'why'], rows, 'Nobody is left alone.')}`;
    },
  });
  addAct(batch.command('undo'), batchActs.undo, { places: { id: which }, text: textOf });
  addAct(batch.command('stop'), batchActs.stop, { places: { id: which }, text: textOf });
}

function addStart(batch: Command): void {
  addAct(batch.command('start'), batchActs.start, {
    places: { operation: ['<operation>', batchActs.start.takes.shape.operation.description ?? ''] },
    flags: {
      ids: { flag: '--id <id>', says: 'the id of a person or an invitation; may be repeated' },
      everyone: { flag: '--everyone' },
      ...peopleFlags,
      group: {
        flag: '--group <group>',
        says: 'the group to add to or remove from: its name or id',
        read: idOfGroup,
      },
      ends_at: { flag: '--ends-at <end>' },
      expect: { flag: '--expect <n>' },
      note: { flag: '--note <text>' },
    },
    text: textOf,
  }).addHelpText(
    'after',
    `
Examples:
  npm run cli -- batch start disable --not-signed-in-for "90 days" --expect 12 --note "Left in 2030"
  npm run cli -- batch start add-to-group --group editors --search ada`,
  );
}

function textOf(told: z.output<typeof batchActs.show.tells>): string {
  const about: Fact[] = [
    ['id', told.id],
    ['operation', told.operation],
    ['people', told.total],
    ['done', told.done],
    ['so before', told.already],
    ['refused', told.refused],
    ['waiting', told.waiting],
    ['started', told.created_at],
    ['ended', told.finished_at],
    ['stopped', told.stopped],
    ['by', told.made_by],
    [
      'chosen by',
      told.chosen_by &&
        Object.entries(told.chosen_by)
          .map((said) => said.join(': '))
          .join(', '),
    ],
    ['why', told.note],
    ['undoes', told.undoes],
    ['can be undone', told.can_undo],
  ];
  return facts(about);
}
