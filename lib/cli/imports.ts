import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { importActs } from '../import/acts.ts';
import { addAct } from './act-command.ts';
import { facts, table } from './text.ts';

export function addImportCommands(user: Command): void {
  addAct(user.command('read-list'), importActs.read, {
    flags: {
      list: { flag: '--file <file>', says: 'the file; - reads standard input', read: readFile },
      columns,
    },
    text: textOf,
  }).addHelpText(
    'after',
    '\nExample:\n  npm run cli -- user read-list --file choir.csv\n  npm run cli -- user invite-list ID --group choir --note "the choir" --leave-out-wrong',
  );
  addAct(user.command('show-list'), importActs.show, {
    places: { id: which },
    flags: { columns },
    text: textOf,
  });
  addAct(user.command('invite-list'), importActs.start, {
    places: { id: which },
    flags: {
      columns,
      groups: { flag: '--group <group>', says: 'a group they will be in; may be repeated' },
      leave_out_wrong: { flag: '--leave-out-wrong' },
    },
    text: ({ id, total }) =>
      facts([
        ['batch', id],
        ['people', total],
      ]),
  });
}

const which = ['<id>', 'its id, from user read-list'] as const;
const columns = { flag: '--column <column>' };

async function readFile(name: string): Promise<string> {
  const { decodeList } = await import('../import/decode.ts');
  return decodeList(readFileSync(name === '-' ? 0 : name));
}

type Told = {
  id: string;
  columns: string[];
  invite: number;
  here: number;
  invited: number;
  wrong: number;
  wrong_lines: { line: number; text: string; why: string }[];
};

function textOf(told: Told): string {
  const about = facts([
    ['id', told.id],
    ['columns', told.columns.join(', ')],
    ['to invite', told.invite],
    ['have an account', told.here],
    ['are invited', told.invited],
    ['wrong', told.wrong],
  ]);
  const rows = told.wrong_lines.map(({ line, text, why }) => [line, text, why]);
  return rows.length > 0 ? `${about}\n\n${table(['line', 'says', 'why'], rows, '')}` : about;
}
