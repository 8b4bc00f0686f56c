import type { Command } from 'commander';
import type { z } from 'zod';
import { directoryActs } from '../management/directory/acts.ts';
import { addAct } from './act-command.ts';
import { whichUser } from './people-filter.ts';
import { table } from './text.ts';

const which = ['<directory>', 'its id, as in the operator’s file'] as const;

export function addDirectoryCommands(program: Command): void {
  const group = program
    .command('directory')
    .description('directories (LDAP) whose people sign in with the passwords they have there');
  addAct(group.command('list'), directoryActs.list, { text: textOf });
  addAct(group.command('sync'), directoryActs.sync, {
    places: { id: which },
    flags: { plan: { flag: '--plan', read: () => true } },
    text: textOfSync,
  });
  addAct(group.command('link'), directoryActs.link, {
    places: { id: which, user: whichUser },
    text: ({ entry }) => `Linked to ${entry}.`,
  });
  addAct(group.command('unlink'), directoryActs.unlink, {
    places: { user: whichUser },
    text: () => 'Unlinked. They have no password until they get one here.',
  });
}

function textOf({ directories }: z.output<typeof directoryActs.list.tells>): string {
  const rows = directories.flatMap(({ id, people, synced_at, outcome, servers }) =>
    servers.map(({ url, fault }) => [id, people, synced_at, outcome, url, fault ?? 'answers']),
  );
  const heads = ['id', 'people', 'synced', 'outcome', 'server', 'state'];
  return table(heads, rows, 'No directories: DIRECTORIES_FILE names none.');
}

function textOfSync(told: z.output<typeof directoryActs.sync.tells>): string {
  const { outcome, people, why, id: _, ...lists } = told;
  const lines = Object.entries(lists).map(([what, names]) => `${what}: ${names.join(', ') || '-'}`);
  return [`${outcome}; ${people} people${why === null ? '' : `: ${why}`}`, ...lines].join('\n');
}
