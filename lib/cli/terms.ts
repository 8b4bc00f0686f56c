import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { z } from 'zod';
import { termsActs } from '../management/terms/acts.ts';
import { addAct } from './act-command.ts';
import { fileNamed } from './called-from.ts';
import { refuseCommand } from './refuse.ts';
import { type Fact, facts, table } from './text.ts';

const places = { name: ['<name>', 'its name, such as 2027-01'] } as const;

export function addTermsCommands(program: Command): void {
  const terms = program.command('terms').description('terms of use that people agree to');
  addAct(terms.command('list'), termsActs.list, {
    text({ terms }) {
      const rows = terms.map((each) => [
        each.name,
        each.client_id ?? 'this server',
        each.state,
        each.holds_from,
        each.required_from,
        `${each.agreed} of ${each.people}`,
      ]);
      const head = ['name', 'of', 'state', 'asked from', 'required from', 'agreed'];
      return table(head, rows, 'No terms of use.');
    },
  });
  addAct(terms.command('show'), termsActs.show, { places, text: textOf });
  addAct(terms.command('create'), termsActs.create, {
    places,
    flags: {
      texts: {
        flag: '--text <language=text>',
        says: 'the text for people who read this language, or any for everyone else; @FILE reads a file; may be repeated',
        read: readTexts,
      },
      from: {},
      days: {},
      client_id: { flag: '--client <client>' },
    },
    text: textOf,
  }).addHelpText(
    'after',
    '\nExample:\n  npm run cli -- terms create 2027-01 --text any=@terms.md --text de=@terms.de.md --from 2027-01-01 --days 30',
  );
  addAct(terms.command('end'), termsActs.end, {
    places,
    text: ({ name }) => `Nobody is asked for ${name} any more.`,
  });
  addAct(terms.command('answers'), termsActs.listAnswers, {
    places,
    text({ answers }) {
      const rows = answers.map((each) => [
        each.username,
        each.answer,
        each.at,
        each.language,
        each.digest,
      ]);
      return table(['person', 'answer', 'at', 'language', 'digest'], rows, 'No answers.');
    },
  });
}

/** `de=Seid nett.` or `de=@terms.de.md`. @throws CommandRefused */
async function readTexts(given: readonly string[]): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const each of given) {
    const [, tag, text] = /^([^=]+)=(.*)$/s.exec(each) ?? [];
    if (tag === undefined || text === undefined)
      refuseCommand(`--text takes a language and a text, such as any=@terms.md, not "${each}".`);
    const file = text.startsWith('@') ? text.slice(1) : null;
    texts[tag.trim()] =
      file === null
        ? text
        : await readFile(fileNamed(file), 'utf8').catch(() =>
            refuseCommand(`The file "${file}" cannot be read.`),
          );
  }
  return texts;
}

function textOf({ texts, ...rest }: z.output<typeof termsActs.show.tells>): string {
  const shown = Object.entries(texts).map(([tag, text]): Fact => [`text (${tag})`, text]);
  return facts([...Object.entries(rest), ...shown]);
}
