import type { Command } from 'commander';
import { deletionActs } from '../management/deletion/acts.ts';
import { addAct } from './act-command.ts';
import { table } from './text.ts';

const which = ['<id>', 'its id, from deletion list'] as const;

/** Commands about what was deleted and can be put back. */
export function addDeletionCommands(program: Command): void {
  const deletion = program
    .command('deletion')
    .description('deleted users, apps and groups that can be put back');
  addAct(deletion.command('list'), deletionActs.list, {
    text({ deletions }) {
      const rows = deletions.map(({ id, kind, name, deleted_at, made_by, until }) => [
        id,
        kind,
        name,
        deleted_at,
        made_by,
        until,
      ]);
      return table(['id', 'kind', 'name', 'deleted', 'by', 'until'], rows, 'Nothing was deleted.');
    },
  });
  addAct(deletion.command('restore'), deletionActs.restore, {
    places: { id: which },
    text: ({ kind, name }) => `The ${kind} ${name} is back.`,
  });
  addAct(deletion.command('end'), deletionActs.end, {
    places: { id: which },
    text: ({ kind, name }) => `The ${kind} ${name} is deleted for good.`,
  });
}
