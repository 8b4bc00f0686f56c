import type { Command } from 'commander';
import type { z } from 'zod';
import { scopeActs } from '../management/scope/acts.ts';
import { addAct } from './act-command.ts';
import { refuseCommand } from './refuse.ts';
import { type Fact, facts, table } from './text.ts';

const which = ['<name>', 'its name'] as const;

export function addScopeCommands(program: Command): void {
  const scope = program.command('scope').description('what clients can request');
  addAct(scope.command('list'), scopeActs.list, {
    text({ scopes }) {
      const rows = scopes.map((row) => [
        row.name,
        row.default,
        row.sensitive,
        row.built_in,
        row.description,
      ]);
      const head = ['scope', 'default', 'sensitive', 'built in', 'description'];
      return table(head, rows, 'No scopes.');
    },
  });
  const changing = { places: { name: which }, flags, text: textOf };
  addAct(scope.command('create'), scopeActs.create, changing).addHelpText(
    'after',
    '\nExample:\n  npm run cli -- scope create photos.read --description "See your photos"',
  );
  addAct(scope.command('update'), scopeActs.update, changing);
  addAct(scope.command('delete'), scopeActs.delete, {
    places: { name: which },
    text: ({ name, clients, grants }) =>
      `Deleted ${name} from ${clients} clients and ${grants} approvals, and revoked the tokens that carried it.`,
  });
}

const flags = {
  descriptions: {
    flag: '--description-in <language=text>',
    says: 'the description for people who read this language, such as de="Ihre Fotos sehen"; may be repeated, and an empty text removes it',
    read: readTexts,
  },
  default: {},
  sensitive: {},
};

/** `de=Ihre Fotos sehen`; can be repeated. @throws CommandRefused */
function readTexts(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((each) => {
      const at = each.indexOf('=');
      if (at < 1)
        refuseCommand(
          `--description-in takes a language and a text, such as de="Ihre Fotos sehen", not "${each}".`,
        );
      return [each.slice(0, at).trim(), each.slice(at + 1)];
    }),
  );
}

function textOf({ descriptions, ...rest }: z.output<typeof scopeActs.show.tells>): string {
  const texts = Object.entries(descriptions).map(
    ([tag, text]): Fact => [`description (${tag})`, text],
  );
  return facts([...Object.entries(rest), ...texts]);
}
