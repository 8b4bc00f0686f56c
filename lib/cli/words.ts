import type { Command } from 'commander';
import type { z } from 'zod';
import { wordActs } from '../management/branding/word-acts.ts';
import { addAct } from './act-command.ts';
import { facts, table } from './text.ts';

const places = {
  place: ['<place>', 'where, such as sign-in, footer or mail-invitation'],
  language: [
    '<language>',
    'the language of its readers: a tag such as de, or any for everyone else',
  ],
} as const;

export function addWordCommands(program: Command): void {
  const words = program.command('words').description('your own words on pages and in mails');
  addAct(words.command('list'), wordActs.list, {
    text({ words }) {
      const rows = words.flatMap(({ place, language, ...texts }) =>
        said(texts).map(([part, text]) => [place, language, part, text]),
      );
      return table(['place', 'language', 'part', 'text'], rows, 'No words of your own.');
    },
  });
  addAct(words.command('show'), wordActs.show, { places, text: textOf });
  addAct(words.command('set'), wordActs.update, {
    places,
    // `--help` is taken.
    flags: { help: { flag: '--help-line <text>' } },
    text: textOf,
  }).addHelpText(
    'after',
    '\nExample:\n  npm run cli -- words set sign-in any --lead "Use your *school* account."',
  );
  addAct(words.command('reset'), wordActs.reset, {
    places,
    text: ({ place, language }) => `${place} (${language}) has our words again.`,
  });
}

type Told = z.output<typeof wordActs.show.tells>;

const said = (texts: Omit<Told, 'place' | 'language'>) =>
  Object.entries(texts).flatMap(([part, text]): [string, string][] =>
    text === null ? [] : [[part, text.replaceAll('\n', ' / ')]],
  );

const textOf = ({ place, language, ...texts }: Told) =>
  facts([['place', place], ['language', language], ...said(texts)]);
